"""Which columns of a table form the vector of numbers, which one gives the classes, and which are counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from triplea.approximate.codes.binning import Binning, each_value, equal_width
from triplea.schema import Column, Encoded, Schema

MOST_WHOLE_CLASSES = 20  # an integer target of at most this many values has classes; a wider one is a number


@dataclass(frozen=True, kw_only=True)
class NumberLayout:
    """The roles of a schema's columns; a function of the schema alone.

    `label` gives the classes (None: all rows are one class), `numbers` the vector, `tables` are columns that
    are counted by class. All but lists of values are numbers, however few values their bounds allow: so roles
    do not change when bounds are found under the budget.
    """

    order: tuple[str, ...]
    label: Column | None
    numbers: tuple[Column, ...]
    tables: tuple[Column, ...]

    @classmethod
    def of(cls, schema: Schema) -> NumberLayout:
        """Sort the columns into their roles."""
        numbers = [column for column in schema.columns if not column.is_discrete]
        label = None if schema.target is None else schema.column(schema.target)
        if label is not None and not label.is_discrete:
            few = label.size is not None and label.size <= MOST_WHOLE_CLASSES
            label = label if few and len(numbers) > 1 else None
        name = None if label is None else label.name
        return cls(
            order=schema.names,
            label=label,
            numbers=tuple(column for column in numbers if column.name != name),
            tables=tuple(c for c in schema.columns if c.is_discrete and c.name != name),
        )

    @property
    def gaps(self) -> tuple[Column, ...]:
        """The numbers that can be missing."""
        return tuple(column for column in self.numbers if column.nullable)

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return 1 if self.label is None else self.label.cells

    @property
    def counted(self) -> tuple[Column, ...]:
        """All columns of which cells are counted by class."""
        return (*self.tables, *self.gaps)

    def binnings(self) -> dict[str, Binning]:
        """The cells of the label, of the tables (every value) and of the gaps (present, missing)."""
        found = {column.name: each_value(column) for column in self.tables}
        found |= {column.name: equal_width(column, 1) for column in self.gaps}
        return found if self.label is None else {**found, self.label.name: each_value(self.label)}

    def classes_of(self, rows: Encoded, n: int) -> np.ndarray:
        """The class of every row."""
        if self.label is None:
            return np.zeros(n, dtype=np.int64)
        return np.minimum(rows[self.label.name], self.label.cells - 1).astype(np.int64)
