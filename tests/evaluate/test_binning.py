from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.evaluate.binning import cells_of, edge_labels_of, edges_of, labels_of, size_of
from triplea.evaluate.rows import Field, Rows


def one_column(field: Field, values: list[float]) -> np.ndarray:
    return cells_of(Rows(fields=(field,), values={field.name: np.asarray(values)})).codes[field.name]


def test_a_short_integer_range_has_one_cell_a_value() -> None:
    field = Field(name="x", lower=3, upper=7, whole=True)
    assert size_of(field) == 5
    assert one_column(field, [3.0, 7.0, 5.0, float("nan")]).tolist() == [0, 4, 2, 5]
    assert labels_of(field) == ("3", "4", "5", "6", "7", "missing")


def test_a_long_range_is_cut_into_twenty_equal_cells_with_closed_ends() -> None:
    field = Field(name="x", lower=0.0, upper=10.0)
    assert one_column(field, [0.0, 10.0, 0.5, 12.0, -3.0]).tolist() == [0, 19, 1, 19, 0]
    assert len(edges_of(field)) == 21
    assert len(labels_of(field)) == 21


def test_days_are_written_as_days() -> None:
    field = Field(name="x", lower=0, upper=364, whole=True, time_unit="D")
    assert labels_of(field)[0] == "1970-01-01 to 1970-01-19"
    assert (edge_labels_of(field) or ())[-1] == "1970-12-31"
    few = Field(name="x", lower=0, upper=2, whole=True, time_unit="D")
    assert labels_of(few) == ("1970-01-01", "1970-01-02", "1970-01-03", "missing")
    assert edge_labels_of(Field(name="x")) is None


def test_a_missing_category_is_its_own_last_cell() -> None:
    assert one_column(Field(name="x", levels=("u", "v")), [1, -1, 0]).tolist() == [1, 2, 0]


@given(
    st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), min_size=1, max_size=30),
    st.integers(-50, 50),
    st.integers(0, 60),
    st.booleans(),
)
def test_every_value_falls_in_a_cell(values: list[float], lower: int, width: int, whole: bool) -> None:
    field = Field(name="x", lower=lower, upper=lower + width, whole=whole)
    codes = one_column(field, values)
    assert codes.min() >= 0
    assert codes.max() <= size_of(field)
