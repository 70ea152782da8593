from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from triplea.evaluate import neighbours as module
from triplea.evaluate.neighbours import inverse_entropy_weights, nearest, points_of
from triplea.evaluate.rows import Rows


@pytest.mark.parametrize("block", [1 << 24, 1000])
def test_nearest_rows_agree_with_scikit_learn(
    train: Rows, synthetic: Rows, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BLOCK_ENTRIES", block)
    queries, references = points_of(train), points_of(synthetic)
    found = nearest(queries, references, count=3)[0]
    expected = NearestNeighbors(n_neighbors=3, algorithm="brute").fit(references.astype(float))
    assert np.allclose(found, expected.kneighbors(queries.astype(float))[0], atol=1e-6)


def test_a_row_finds_itself_at_distance_zero_unless_it_is_skipped(train: Rows) -> None:
    points = points_of(train)
    assert nearest(points, points)[0].max() == 0
    assert np.median(nearest(points, points, skip_self=True)[0]) > 0


def test_two_categories_are_one_apart_and_the_bounds_of_a_number_too(train: Rows) -> None:
    pair = train.take(np.array([0, 0]))
    for column, values in (
        ("ward", np.array([0, 2])),
        ("ward", np.array([0, -1])),
        ("age", np.array([0.0, 80.0])),
    ):
        points = points_of(Rows(fields=pair.fields, values={**pair.values, column: values}))
        assert np.linalg.norm(points[0] - points[1]) == pytest.approx(1)


def test_no_queries_give_no_neighbours(train: Rows) -> None:
    assert nearest(points_of(train)[:0], points_of(train))[0].shape == (0, 1)


def test_a_constant_column_weighs_nothing_and_a_steady_one_more(train: Rows) -> None:
    rows = Rows(fields=train.fields, values={**train.values, "ward": np.zeros(len(train), int)})
    weights = inverse_entropy_weights(rows)
    assert weights["ward"] == 0
    assert weights["ill"] > weights["age"]
