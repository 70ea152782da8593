"""Dimension-wise scores: real rows agree with themselves, wrong structure and empty columns show."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from triplea.bench.dimension_scores import binary_matrix, dimension_scores
from triplea.errors import UserError

pytest.importorskip("sklearn")


def linked(rows: int, seed: int) -> np.ndarray:
    """Four columns that go together, two that do not, one that is rare."""
    rng = np.random.default_rng(seed)
    ill = rng.random((rows, 1)) < 0.3
    together = np.where(ill, rng.random((rows, 4)) < 0.8, rng.random((rows, 4)) < 0.1)
    alone, rare = rng.random((rows, 2)) < 0.5, rng.random((rows, 1)) < 0.001
    return np.hstack([together, alone, rare]).astype(np.float32)


def test_real_rows_agree_with_themselves() -> None:
    found = dimension_scores(linked(2000, 0), linked(1000, 1), linked(2000, 2))
    assert found.predicted.tolist() == [True] * 6 + [False]
    scores = found.summary()
    assert scores["share.mean_error"] < 0.02 and scores["share.r"] > 0.99
    assert scores["auroc.lost"] < 0.05
    assert found.real_auroc[:4].min() > 0.8


def test_wrong_structure_shows() -> None:
    real, turned = linked(2000, 0), linked(2000, 3)
    turned[:, 0] = 1 - turned[:, 0]
    found = dimension_scores(real, linked(1000, 1), turned)
    assert found.synthetic_auroc[0] < 0.4 < 0.8 < found.real_auroc[0]


def test_a_column_without_ones_counts_as_a_coin() -> None:
    real, empty = linked(1000, 0), linked(1000, 1)
    empty[:, 0] = 0
    found = dimension_scores(real, linked(500, 2), empty)
    assert found.synthetic_auroc[0] == 0.5
    assert found.summary()["columns.without_ones"] == 1


def test_other_tables_are_refused() -> None:
    with pytest.raises(UserError, match="0 or 1"):
        binary_matrix(pa.table({"age": [0, 1, 2]}), ["age"])
