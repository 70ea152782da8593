import datetime as dt
import re
from typing import Any

import pytest

from triplea.errors import SchemaError
from triplea.schema import Column


def _bounded(kind: str, lower: Any, upper: Any, **more: Any) -> Column:
    return Column(name="age", kind=kind, lower=lower, upper=upper, **more)  # type: ignore[arg-type]


BROKEN: list[tuple[tuple[str, Any, Any], str]] = [
    (("integer", 90, 18), "bounds must be lower <= upper, got lower=90, upper=18; swap or mend them"),
    (("numeric", 1.5, 1.0), "bounds must be lower <= upper, got lower=1.5, upper=1.0"),
    (("date", "2021-01-01", "2020-01-01"), "bounds must be lower <= upper, got lower=2021-01-01"),
    (("numeric", float("-inf"), 0), "lower must be finite, got -inf"),
    (("numeric", 0, float("nan")), "upper must be finite, got nan"),
    (("numeric", 0, 10**400), "upper must be finite, got 1000"),
    (("numeric", -1.7e308, 1.7e308), "the range is too wide for a number"),
    (("integer", 0, None), "needs lower and upper bounds: give them, or set discover: true, or run `triplea"),
    (("integer", 0, 1.5), "upper must be a whole number, got 1.5; round it or use kind: numeric"),
    (("integer", 0, 2**63), "upper must fit 64 bits, got 9223372036854775808"),
    (("integer", -(2**63), 2**63 - 1), "the range does not fit 64 bits"),
    (("integer", True, 5), "lower must be a number, got True"),
    (("integer", "0", 5), "lower must be a number, got '0'"),
    (("datetime", "2020-02-30", "2021-01-01"), 'lower must be an ISO date in quotes ("2020-01-31"'),
    (("datetime", "2020-01-01", "tomorrow"), "upper must be an ISO date in quotes"),
    (("date", 1.5, "2021-01-01"), "lower must be an ISO date in quotes"),
    (("date", "0000-01-01", "2021-01-01"), "lower must lie in the years 1 to 9999"),
]


@pytest.mark.parametrize(("given", "message"), BROKEN, ids=[message[:40] for _, message in BROKEN])
def test_bad_bounds_name_the_column_and_what_was_got(given: tuple[str, Any, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=f'^column "age": .*{re.escape(message)}'):
        _bounded(*given)


def test_equal_bounds_make_a_constant_column() -> None:
    assert _bounded("integer", 3, 3).size == 1
    assert _bounded("numeric", 3, 3).bounds == (3.0, 3.0)


def test_whole_floats_serve_as_integer_bounds() -> None:
    column = _bounded("integer", 0.0, 9.0)
    assert column.bounds == (0, 9)
    assert isinstance(column.lower, int)


def test_dates_and_datetimes_count_from_the_epoch() -> None:
    assert _bounded("date", "1970-01-02", dt.date(1970, 1, 11)).bounds == (1, 10)
    assert _bounded("datetime", "1970-01-01T00:00:01", "1970-01-02", time_unit="ms").bounds == (
        1000,
        86_400_000,
    )
    berlin = _bounded("datetime", "1970-01-01T01:00:00", "1970-01-02T00:00:00Z", tz="Europe/Berlin")
    assert berlin.bounds == (0, 86_400 * 10**6)


def test_nanoseconds_reach_only_to_2262() -> None:
    with pytest.raises(SchemaError, match=r"fit 64 bits in time_unit ns.* coarser time_unit"):
        _bounded("datetime", "2020-01-01", "2300-01-01", time_unit="ns")
    assert _bounded("datetime", "0001-01-01", "9999-12-31").size is not None
