from __future__ import annotations

import numpy as np

from tests.evaluate.toys import FIELDS
from triplea.evaluate.rows import Rows, uniform_rows


def test_rows_can_be_cut_by_row_and_by_column(train: Rows) -> None:
    part = train.take(np.arange(5)).without("ill")
    assert len(part) == 5
    assert part.names == ("age", "dose", "ward")


def test_a_sample_keeps_small_tables_whole_and_never_repeats_a_row(train: Rows) -> None:
    rng = np.random.default_rng(0)
    assert train.sample(10_000, rng) is train
    numbered = Rows(fields=train.fields[:1], values={"age": np.arange(100.0)})
    assert len(np.unique(numbered.sample(30, rng)["age"])) == 30
    assert len(numbered.bootstrap(500, rng)) == 500


def test_missing_is_minus_one_for_categories_and_nan_for_numbers(train: Rows) -> None:
    assert train.missing("ward").sum() == (train["ward"] == -1).sum() > 0
    assert train.missing("dose").sum() == np.isnan(train["dose"]).sum() > 0


def test_uniform_rows_know_the_schema_only() -> None:
    rows = uniform_rows(FIELDS, 2000, np.random.default_rng(0))
    assert set(np.unique(rows["ward"])) == {0, 1, 2}
    assert rows["age"].min() >= 0
    assert rows["age"].max() <= 80
    assert (rows["age"] % 1 == 0).all()
