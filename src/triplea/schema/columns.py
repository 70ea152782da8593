"""One column of public knowledge: its kind, its allowed values, and how values and codes map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import numpy as np
import pyarrow as pa

from triplea.errors import SchemaError
from triplea.schema.categories import Categories, Category, find_categories
from triplea.schema.check import checked
from triplea.schema.kinds import DISCRETE, TIMED, Kind
from triplea.schema.parse import Family, as_floats, as_ints, family_of, plain
from triplea.schema.times import DAY, as_times, iso_text


@dataclass(frozen=True, kw_only=True)
class Column:
    """Public knowledge about one column. Building one checks it, see `triplea.schema.check`.

    Countable columns (all but numeric) are encoded as 0..size-1, with `size` for missing; numeric ones
    as float64 in [lower, upper], with NaN for missing. `lower` and `upper` of datetime and date columns
    are counts of `time_unit` since 1970-01-01 (ISO text is accepted and converted).
    """

    name: str
    kind: Kind
    categories: Categories | None = None
    lower: int | float | None = None
    upper: int | float | None = None
    nullable: bool = False
    unknown: str = "missing"
    other: Category | None = None
    source: str | None = None
    confirmed: bool = False
    note: str | None = None
    labels: Any = field(default=None, hash=False)
    dtype: str | None = None
    decimals: int | None = None
    discover: bool = False
    time_unit: str | None = None
    tz: str | None = None
    format: str | None = None
    extras: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Bring the entries to their one form and refuse what contradicts itself."""
        for name, value in checked(vars(self)).items():
            object.__setattr__(self, name, value)

    @property
    def is_discrete(self) -> bool:
        """A list of values: categorical, ordinal or boolean."""
        return self.kind in DISCRETE

    @property
    def is_countable(self) -> bool:
        """Encoded as integer codes: every kind but numeric."""
        return self.kind not in (Kind.NUMERIC, Kind.IDENTIFIER)

    @property
    def is_known(self) -> bool:
        """Whether its categories or bounds are there (not waiting to be discovered)."""
        if self.is_discrete:
            return self.categories is not None
        return self.lower is not None and self.upper is not None

    @property
    def is_observed(self) -> bool:
        """Taken from the rows and not confirmed as public by the owner."""
        return (self.source or "").strip().lower().startswith("observed") and not self.confirmed

    @property
    def size(self) -> int | None:
        """Number of values without missing; None for numeric columns and before discovery."""
        if not self.is_countable or not self.is_known:
            return None
        if self.categories is not None:
            return len(self.categories)
        return int(self.bounds[1]) - int(self.bounds[0]) + 1

    @property
    def cells(self) -> int:
        """Number of codes: the values, and one for missing when the column is nullable."""
        return self.missing_code + (1 if self.nullable else 0)

    @property
    def missing_code(self) -> int:
        """The code of a missing value (in use only when nullable)."""
        if self.size is None:
            raise SchemaError(f'column "{self.name}": kind {self.kind} {self._why_no_codes}')
        return self.size

    @property
    def bounds(self) -> tuple[int | float, int | float]:
        """(lower, upper), refusing a column that has none yet."""
        if self.lower is None or self.upper is None:
            raise SchemaError(f'column "{self.name}": kind {self.kind} {self._why_no_codes}')
        return self.lower, self.upper

    @property
    def _why_no_codes(self) -> str:
        if self.kind in (Kind.NUMERIC, Kind.IDENTIFIER) and (self.is_known or self.kind is Kind.IDENTIFIER):
            return "has no codes to count"
        return "without categories or bounds must be discovered first (discover: true)"

    def value_of(self, code: int | float) -> Category | None:
        """The value behind a code: a category, a number, ISO text for times, None for missing."""
        if not self.is_countable:
            return None if np.isnan(code) else float(code)
        if not 0 <= code < self.cells:
            raise SchemaError(f'column "{self.name}": code {code} is outside 0..{self.cells - 1}')
        if code == self.missing_code:
            return None
        if self.categories is not None:
            return self.categories[int(code)]
        count = int(self.bounds[0]) + int(code)
        return count if self.kind is Kind.INTEGER else iso_text(count, unit=self.unit_of_time, tz=self.tz)

    @property
    def unit_of_time(self) -> str:
        """The unit that lower and upper count in: D for dates, s, ms, us or ns for datetimes."""
        return self.time_unit or (DAY if self.kind is Kind.DATE else "us")

    def code_of(self, value: Any) -> int | float:
        """The code of one value given as a condition. Refuses what the schema does not allow."""
        if value is None:
            return self._missing_condition()
        if isinstance(value, date | datetime):
            value = value.isoformat()
        try:
            cell = plain(pa.array([value]))
        except (pa.ArrowException, TypeError, OverflowError):
            raise self._refuse(value) from None
        if family_of(cell.type) is Family.OTHER:
            raise self._refuse(value)
        if self.is_discrete:
            found = find_categories(cell, self._listed())
            if not found.found[0]:
                raise self._refuse(value)
            return int(found.codes[0])
        count, readable = self._count_of(cell)
        lower, upper = self.bounds
        if not readable or not lower <= count <= upper:
            raise self._refuse(value)
        return count if self.kind is Kind.NUMERIC else int(count) - int(lower)

    def _listed(self) -> Categories:
        if self.categories is None:
            raise SchemaError(f'column "{self.name}": kind {self.kind} {self._why_no_codes}')
        return self.categories

    def _count_of(self, cell: pa.Array) -> tuple[int | float, bool]:
        if self.kind in TIMED:
            times = as_times(
                cell,
                unit=self.unit_of_time,
                tz=self.tz,
                wall_clock=self.kind is Kind.DATE,
                pattern=self.format,
            )
            return int(times.values[0]), bool(times.valid[0])
        number = float(as_floats(cell)[0])
        if self.kind is Kind.NUMERIC:
            return number, not np.isnan(number)
        whole = as_ints(cell)
        return int(whole.values[0]), bool(whole.valid[0]) and number == float(whole.values[0])

    def _missing_condition(self) -> int | float:
        if not self.nullable:
            raise SchemaError(f'column "{self.name}": missing was asked for, but the column is not nullable')
        return self.missing_code if self.is_countable else float("nan")

    def _refuse(self, value: Any) -> SchemaError:
        return SchemaError(f'column "{self.name}": {value!r} is not allowed; use {self.domain}')

    @property
    def domain(self) -> str:
        """The allowed values in words, for messages."""
        if not self.is_known:
            return "values that are still to be discovered"
        if self.categories is not None:
            shown = ", ".join(repr(category) for category in self.categories[:8])
            return f"one of {shown}" + (
                f", ... ({len(self.categories)} in all)" if len(self.categories) > 8 else ""
            )
        lower, upper = self.bounds
        if self.kind in TIMED:
            first, last = (
                iso_text(int(bound), unit=self.unit_of_time, tz=self.tz) for bound in (lower, upper)
            )
            return f"{first} to {last}"
        return f"{'an integer' if self.kind is Kind.INTEGER else 'a number'} from {lower} to {upper}"
