import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

from triplea.schema.categories import Categories, as_text, category_type, find_categories


def _codes(array: pa.Array, categories: Categories) -> list[int | None]:
    found = find_categories(array, categories)
    return [int(code) if hit else None for code, hit in zip(found.codes, found.found, strict=True)]


@pytest.mark.parametrize(
    ("array", "categories", "codes"),
    [
        (pa.array(["b", " b ", "B", None]), ("a", "b"), [1, 1, None, None]),
        (pa.array([" a", "a"]), ("a", " a"), [1, 0]),
        (pa.array(["", " "]), ("a", ""), [1, 1]),
        (pa.array(["1", "1.0", " 2", "02", "1.5", "x"]), (1, 2), [0, 0, 1, 1, None, None]),
        (pa.array([1.0, 2.0, np.nan, 1.5]), (1, 2), [0, 1, None, None]),
        (pa.array([1, 2, 3], pa.int8()), ("1", "2"), [0, 1, None]),
        (pa.array([1.0, 2.5], pa.float32()), ("1", "2.5"), [0, 1]),
        (pa.array([0.1, 0.2], pa.float32()), (0.1, 0.2), [0, 1]),
        (pa.array(["0.1", "0.10"]), (0.1, 0.2), [0, 0]),
        (pa.array([True, False]), (0, 1), [1, 0]),
        (pa.array([True, False]), ("no", "yes"), [1, 0]),
        (pa.array(["yes", "FALSE", "?"]), (True, False), [0, 1, None]),
        (pa.array([2**63 - 1, 2**63 - 2]), (2**63 - 2, 2**63 - 1), [1, 0]),
        (pa.array([str(2**63 - 1), str(2**63 - 2)]), (2**63 - 2, 2**63 - 1), [1, 0]),
        (pa.array([dt.date(2020, 1, 2)]), ("2020-01-01", "2020-01-02"), [1]),
        (pa.array(["true", "false", "True"]), ("no", "yes"), [1, 0, None]),
        (pa.array(["true", "false", "2"]), (0, 1, 2), [1, 0, 2]),
        (pa.array(["true", "no"]), ("yes", "true"), [1, None]),
        (pa.array([5, 6]), ("red", "blue"), [None, None]),
        (pa.nulls(2), ("red", "blue"), [None, None]),
    ],
)
def test_a_category_is_found_however_the_container_stores_it(
    array: pa.Array, categories: Categories, codes: list[int | None]
) -> None:
    if pa.types.is_string(array.type):
        array = array.cast(pa.large_string())
    assert _codes(array, categories) == codes


def test_unlisted_values_are_present_and_blank_ones_are_not() -> None:
    text = find_categories(pa.array(["zebra", " ", None], pa.large_string()), ("a",))
    assert text.present.tolist() == [True, False, False]
    numbers = find_categories(pa.array([7.5, np.nan, None]), (1, 2))
    assert numbers.present.tolist() == [True, False, False]


def test_lists_have_one_type_and_numbers_mix_to_float() -> None:
    assert category_type(("a", "b")) is str
    assert category_type((True, False)) is bool
    assert category_type((1, 2.5)) is float


def test_truth_values_are_written_in_lower_case() -> None:
    assert [as_text(category) for category in (True, False, 1, 2.5, "x")] == [
        "true",
        "false",
        "1",
        "2.5",
        "x",
    ]
