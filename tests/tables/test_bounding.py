from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.tables.bounding import _by_draw, kept_rows

SECRET = bytes(32)
UNITS = st.lists(st.one_of(st.none(), st.integers(0, 6)), max_size=60)


def in_batches(units: list[object], size: int = 7) -> list[pa.Array]:
    return [pa.array(units[i : i + size], pa.int64()) for i in range(0, len(units), size)]


@given(UNITS, st.integers(1, 4))
def test_every_unit_keeps_as_many_rows_as_it_may(units: list[int | None], max_rows: int) -> None:
    kept = kept_rows(iter(in_batches(units)), max_rows=max_rows)
    rows_of = Counter(units)
    kept_of = Counter(unit for unit, keep in zip(units, kept, strict=True) if keep)
    assert kept_of == Counter({unit: min(rows, max_rows) for unit, rows in rows_of.items()})


@given(UNITS, st.integers(1, 4), st.one_of(st.none(), st.integers(0, 6)))
def test_removing_one_unit_removes_at_most_max_rows_kept_rows_and_changes_no_other(
    units: list[int | None], max_rows: int, gone: int | None
) -> None:
    kept = kept_rows(iter(in_batches(units)), max_rows=max_rows, secret=SECRET)
    without = [unit for unit in units if unit != gone]
    kept_without = kept_rows(iter(in_batches(without)), max_rows=max_rows, secret=SECRET)
    rest = [bool(keep) for unit, keep in zip(units, kept, strict=True) if unit != gone]
    assert rest == kept_without.tolist()
    assert kept.sum() - kept_without.sum() <= max_rows


@pytest.mark.parametrize("bit", [1, 2, 5, 31, 32, 40])
def test_how_many_other_units_there_are_never_decides_between_two_draws(bit: int) -> None:
    """The second row has the smaller draw, by one bit: it is taken first in any company, or in none."""
    draw = np.array([1 << bit, 0], dtype=np.uint64)
    alone = _by_draw(draw, np.array([2])).tolist()
    for others in (1, 2, 3, 4, 7, 1000):
        more = np.concatenate([draw, np.arange(2 * others, dtype=np.uint64)])
        assert _by_draw(more, np.array([2] * (others + 1)))[:2].tolist() == alone
    assert alone == ([1, 0] if bit >= 32 else [0, 1])


@pytest.mark.parametrize(
    "kind", [pa.int64(), pa.string(), pa.float64(), pa.dictionary(pa.int32(), pa.string())]
)
def test_ids_of_every_type_are_told_apart(kind: pa.DataType) -> None:
    ids = pa.array(["1", "2", None, "1", "2", None, "3"])
    typed = ids.dictionary_encode() if pa.types.is_dictionary(kind) else ids.cast(kind)
    kept = kept_rows(iter([typed.slice(0, 4), typed.slice(4)]), max_rows=1)
    assert kept.sum() == 4


def test_nan_ids_are_one_unit_with_the_null_ids() -> None:
    assert kept_rows(iter([pa.array([float("nan"), None, 1.0])]), max_rows=1).sum() == 2


def test_each_row_of_a_unit_is_kept_equally_often() -> None:
    units = pa.array(np.repeat(np.arange(4000), 5))
    kept = kept_rows(iter([units]), max_rows=2, secret=SECRET).reshape(-1, 5)
    assert np.all(kept.sum(axis=1) == 2)
    # 4000 draws of 2 in 5: standard deviation 31, allowed five of them.
    assert np.all(np.abs(kept.sum(axis=0) - 1600) < 155)


def test_two_tables_draw_differently() -> None:
    units = [pa.array(np.zeros(1000, dtype=np.int64))]
    first, second = (kept_rows(iter(units), max_rows=500) for _ in range(2))
    assert np.any(first != second)


def test_a_table_without_rows_keeps_none() -> None:
    assert len(kept_rows(iter([]), max_rows=1)) == 0
    assert list(islice(kept_rows(iter([pa.array([], pa.string())]), max_rows=1), 1)) == []
