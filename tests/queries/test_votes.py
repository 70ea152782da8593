"""Teachers: each record reaches exactly one, a record more or less touches one, and they never leave."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplea.approximate.codes.binning import Binning
from triplea.queries.votes import CellTeachers, parts_of

BINNINGS = {
    "a": Binning(edges=np.arange(4), nullable=False, countable=True),
    "b": Binning(edges=np.arange(3), nullable=True, countable=True),
    "y": Binning(edges=np.arange(3), nullable=False, countable=True),
}
RNG = np.random.default_rng
RECORDS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30)


def matrix(records):
    return np.array(records, dtype=np.int64).reshape(-1, 2)


def listed(part):
    return sorted(map(tuple, part.tolist()))


def cells(n, seed):
    rng = RNG(seed)
    return {name: rng.integers(0, binning.cells, n) for name, binning in BINNINGS.items()}


def teachers(label="y", n=7, questions=40, **changes):
    made = {"generated": cells(500, 1), "asked": cells(questions, 2), "teachers": n, "key": 11, **changes}
    return CellTeachers(binnings=BINNINGS, label=label, **made)


@settings(max_examples=60)
@given(records=RECORDS, teachers=st.integers(1, 9), key=st.integers(0, 2**63 - 1))
def test_each_record_reaches_exactly_one_teacher(records, teachers, key):
    parts = parts_of(matrix(records), teachers=teachers, key=key)
    assert len(parts) == teachers
    assert sorted(record for part in parts for record in listed(part)) == sorted(records)


@settings(max_examples=60)
@given(records=RECORDS, more=st.tuples(st.integers(0, 3), st.integers(0, 2)), place=st.integers(0, 30))
def test_one_record_more_changes_one_part_by_that_record_and_moves_no_other(records, more, place):
    before = [listed(part) for part in parts_of(matrix(records), teachers=5, key=3)]
    joined = [*records[:place], more, *records[place:]]
    after = [listed(part) for part in parts_of(matrix(joined), teachers=5, key=3)]
    changed = [index for index in range(5) if before[index] != after[index]]
    assert len(changed) == 1
    assert after[changed[0]] == sorted([*before[changed[0]], more])


def test_equal_records_are_spread_over_teachers():
    parts = parts_of(np.zeros((7_000, 2), np.int64), teachers=7, key=5)
    assert [len(part) for part in parts] == pytest.approx([1_000] * 7, rel=0.15)


@pytest.mark.parametrize("label", ["y", None])
def test_counts_are_sums_of_yes_and_no(label):
    counts = teachers(label).counts(cells(100, 3))
    assert counts.shape == (40,) and counts.dtype == np.int64
    assert counts.min() >= 0 and counts.max() <= 7
    assert np.array_equal(
        teachers(label).counts({n: part[::-1] for n, part in cells(100, 3).items()}), counts
    )


def test_teachers_prefer_rows_like_theirs():
    rows = {"a": np.zeros(900, np.int64), "b": np.ones(900, np.int64), "y": np.arange(900) % 2}
    asked = {"a": np.array([0, 2]), "b": np.array([1, 0]), "y": np.array([1, 1])}
    assert teachers(n=30, asked=asked).counts(rows).tolist() == [30, 0]


def test_a_teacher_without_rows_of_a_class_says_no():
    empty = {name: np.zeros(0, np.int64) for name in BINNINGS}
    assert teachers().counts(empty).tolist() == [0] * 40
    only = {**cells(200, 4), "y": np.zeros(200, np.int64)}
    voted = teachers().counts(only)
    assert not voted[cells(40, 2)["y"] == 1].any() and voted[cells(40, 2)["y"] == 0].any()


def test_bounds_are_the_root_of_the_questions_and_twice_that():
    assert (teachers(questions=49).row_l2, teachers(questions=49).swap_l2) == (7.0, 14.0)
