import datetime as dt
import math
from typing import Any

import pytest

from triplea.errors import SchemaError
from triplea.schema import Column

AGE = Column(name="age", kind="integer", lower=17, upper=90, nullable=True)  # type: ignore[arg-type]
SEX = Column(name="sex", kind="categorical", categories=("Female", "Male"))  # type: ignore[arg-type]
GRADE = Column(name="grade", kind="ordinal", categories=(1, 2, 3))  # type: ignore[arg-type]
ALIVE = Column(name="alive", kind="boolean", nullable=True)  # type: ignore[arg-type]
DOSE = Column(name="dose", kind="numeric", lower=0, upper=2.5, nullable=True)  # type: ignore[arg-type]
BORN = Column(name="born", kind="date", lower="1900-01-01", upper="2020-12-31")  # type: ignore[arg-type]


def test_sizes_count_values_and_cells_count_missing_too() -> None:
    assert (AGE.size, AGE.cells, AGE.missing_code) == (74, 75, 74)
    assert (SEX.size, SEX.cells, SEX.missing_code) == (2, 2, 2)
    assert (ALIVE.size, ALIVE.cells) == (2, 3)
    assert DOSE.size is None


def test_kinds_say_how_they_are_encoded() -> None:
    assert [column.is_discrete for column in (AGE, SEX, GRADE, ALIVE, DOSE, BORN)] == [
        False,
        True,
        True,
        True,
        False,
        False,
    ]
    assert [column.is_countable for column in (AGE, SEX, DOSE, BORN)] == [True, True, False, True]


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        (AGE, 17, 0),
        (AGE, "40", 23),
        (AGE, 40.0, 23),
        (AGE, None, 74),
        (SEX, "Male", 1),
        (GRADE, "3", 2),
        (GRADE, 3.0, 2),
        (ALIVE, "yes", 1),
        (ALIVE, False, 0),
        (DOSE, "1.5", 1.5),
        (DOSE, 2, 2.0),
        (BORN, "1900-01-03", 2),
        (BORN, dt.date(1900, 1, 3), 2),
        (BORN, dt.datetime(1900, 1, 3, 12), 2),
    ],
)
def test_a_condition_becomes_a_code(column: Column, value: Any, code: float) -> None:
    assert column.code_of(value) == code


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (AGE, 200, 'column "age": 200 is not allowed; use an integer from 17 to 90'),
        (AGE, 40.5, "40.5 is not allowed"),
        (AGE, 10**30, "is not allowed"),
        (AGE, "old", "'old' is not allowed"),
        (AGE, [1], "is not allowed"),
        (AGE, float("nan"), "nan is not allowed"),
        (SEX, "male", "column \"sex\": 'male' is not allowed; use one of 'Female', 'Male'"),
        (SEX, None, 'column "sex": missing was asked for, but the column is not nullable'),
        (GRADE, 2.5, "2.5 is not allowed"),
        (DOSE, 9, "use a number from 0.0 to 2.5"),
        (BORN, "1899-12-31", "use 1900-01-01 to 2020-12-31"),
    ],
)
def test_a_condition_outside_the_schema_is_refused_with_the_domain(
    column: Column, value: Any, message: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        column.code_of(value)
    assert message in str(caught.value)


def test_codes_become_values_again() -> None:
    assert [AGE.value_of(code) for code in (0, 73, 74)] == [17, 90, None]
    assert SEX.value_of(1) == "Male"
    assert ALIVE.value_of(1) is True
    assert BORN.value_of(2) == "1900-01-03"
    assert DOSE.value_of(1.5) == 1.5
    assert DOSE.value_of(math.nan) is None
    with pytest.raises(SchemaError, match=r'column "sex": code 2 is outside 0\.\.1'):
        SEX.value_of(2)


def test_missing_has_a_condition_of_its_own_in_numeric_columns() -> None:
    assert math.isnan(DOSE.code_of(None))


def test_long_category_lists_are_shortened_in_messages() -> None:
    many = Column(name="n", kind="categorical", categories=tuple(range(100)))  # type: ignore[arg-type]
    assert many.domain == "one of 0, 1, 2, 3, 4, 5, 6, 7, ... (100 in all)"


def test_undiscovered_columns_have_no_codes_yet() -> None:
    waiting = Column(name="w", kind="integer", discover=True)  # type: ignore[arg-type]
    assert waiting.size is None
    assert waiting.domain == "values that are still to be discovered"
    for ask in (lambda: waiting.cells, lambda: waiting.bounds, lambda: waiting.code_of(3)):
        with pytest.raises(SchemaError, match=r'column "w": .* must be discovered first'):
            ask()
    listed = Column(name="w", kind="categorical", discover=True)  # type: ignore[arg-type]
    with pytest.raises(SchemaError, match="must be discovered first"):
        listed.code_of("a")
    with pytest.raises(SchemaError, match="has no codes to count"):
        DOSE.missing_code  # noqa: B018


@pytest.mark.parametrize(
    ("source", "confirmed", "observed"),
    [
        ("observed range", False, True),
        ("Observed values", False, True),
        ("observed range", True, False),
        ("data dictionary", False, False),
        (None, False, False),
    ],
)
def test_observed_entries_count_until_they_are_confirmed(
    source: str | None, confirmed: bool, observed: bool
) -> None:
    column = Column(name="c", kind="boolean", source=source, confirmed=confirmed)  # type: ignore[arg-type]
    assert column.is_observed is observed


def test_columns_are_frozen_and_hashable() -> None:
    with pytest.raises(AttributeError):
        AGE.lower = 3  # type: ignore[misc]
    assert hash(AGE) == hash(Column(name="age", kind="integer", lower=17, upper=90, nullable=True))  # type: ignore[arg-type]
