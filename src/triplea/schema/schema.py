"""The schema of a table: everything about it that is public, and the codec that needs no rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from triplea.errors import SchemaError
from triplea.schema.check import suggestion
from triplea.schema.columns import Column
from triplea.schema.decode import decode_array
from triplea.schema.encode import code_type, encode_array
from triplea.schema.kinds import Kind
from triplea.schema.storage import check_readable, storage_type

Encoded = dict[str, npt.NDArray[Any]]


def len_of(encoded: Mapping[str, npt.NDArray[Any]]) -> int:
    """The number of rows of an encoded table."""
    return len(next(iter(encoded.values()))) if encoded else 0


@dataclass(frozen=True, kw_only=True)
class Unit:
    """The privacy unit: all rows that share a value of `column`, of which at most `max_rows` count.

    `source` says where `max_rows` comes from; "observed" means from the rows, until it is `confirmed`.
    """

    column: str
    max_rows: int
    source: str | None = None
    confirmed: bool = False

    @property
    def is_observed(self) -> bool:
        """Whether the limit was taken from the rows and not confirmed as public by the owner."""
        return (self.source or "").strip().lower().startswith("observed") and not self.confirmed

    def __post_init__(self) -> None:
        """Refuse a bound that is not a positive integer."""
        column, max_rows = cast(object, self.column), cast(object, self.max_rows)
        if not isinstance(column, str) or not column:
            raise SchemaError(f"unit: column must be a column's name, got {self.column!r}")
        if isinstance(max_rows, bool) or not isinstance(max_rows, int) or max_rows < 1:
            raise SchemaError(f"unit: max_rows must be an integer of at least 1, got {self.max_rows!r}")
        if not isinstance(cast(object, self.source), str | None):
            raise SchemaError(f"unit: source must be text, got {self.source!r}")
        if not isinstance(cast(object, self.confirmed), bool):
            raise SchemaError(f"unit: confirmed must be true or false, got {self.confirmed!r}")


@dataclass(frozen=True, kw_only=True)
class Schema:
    """Public knowledge about a table.

    `columns` are the ones that are modelled and come back; `dropped` are declared columns that are not
    (identifiers, and those that `split_column`, `id_columns` or `other_columns` name).
    """

    columns: tuple[Column, ...]
    target: str | None = None
    targets: tuple[str, ...] = ()
    unit: Unit | None = None
    name: str | None = None
    dropped: tuple[Column, ...] = ()
    split_column: str | None = None
    id_columns: tuple[str, ...] = ()
    other_columns: tuple[str, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Sort declared columns into modelled and dropped ones, then check how the parts fit."""
        aside = {*self.id_columns, *self.other_columns, self.split_column}
        declared = (*self.columns, *self.dropped)
        gone = [column.kind is Kind.IDENTIFIER or column.name in aside for column in declared]
        object.__setattr__(self, "columns", tuple(compress(declared, [not drop for drop in gone])))
        object.__setattr__(self, "dropped", tuple(compress(declared, gone)))
        self._check_columns([column.name for column in declared])
        for key, wanted in (("target", (self.target,)), ("targets", self.targets)):
            for target in wanted:
                self._check_target(key, target)
        self._check_unit()

    def _check_columns(self, names: list[str]) -> None:
        if not names:
            raise SchemaError("the schema has no columns; list at least one under columns")
        twice = next((name for position, name in enumerate(names) if name in names[:position]), None)
        if twice is not None:
            raise SchemaError(f'column "{twice}" is declared twice; remove one')
        if not self.columns:
            raise SchemaError(
                "all columns of the schema are identifiers or set aside; declare one to be modelled"
            )
        for column in self.columns:
            storage_type(column)

    def _check_target(self, key: str, target: str | None) -> None:
        if target is None or target in self.names:
            return
        if target in self.all_dropped:
            raise SchemaError(f'{key}: "{target}" is an identifier or set aside, so it cannot be a target')
        raise SchemaError(f'{key}: "{target}" is not a column{suggestion(str(target), self.names)}')

    def _check_unit(self) -> None:
        if self.unit is not None and self.unit.column not in (*self.names, *self.all_dropped):
            raise SchemaError(
                f'unit: "{self.unit.column}" is not a column; declare it, usually as '
                f"{{name: {self.unit.column}, kind: identifier}}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the modelled columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of all modelled columns but the target."""
        return tuple(name for name in self.names if name != self.target)

    @property
    def all_targets(self) -> tuple[str, ...]:
        """The target and the further ones, each once."""
        return tuple(dict.fromkeys(name for name in (self.target, *self.targets) if name is not None))

    @property
    def further_targets(self) -> tuple[str, ...]:
        """Targets beside the first."""
        return tuple(name for name in self.all_targets if name != self.target)

    @property
    def all_dropped(self) -> tuple[str, ...]:
        """Names that are set aside: identifiers, split, id and other columns."""
        split = () if self.split_column is None else (self.split_column,)
        named = (*(column.name for column in self.dropped), *self.id_columns, *self.other_columns, *split)
        return tuple(dict.fromkeys(named))

    @property
    def observed(self) -> tuple[str, ...]:
        """Columns of which something came from the rows and is not confirmed as public, dropped ones too."""
        return tuple(column.name for column in (*self.columns, *self.dropped) if column.is_observed)

    @property
    def undiscovered(self) -> tuple[str, ...]:
        """Columns whose categories or bounds are still to be found under the budget."""
        return tuple(column.name for column in self.columns if not column.is_known)

    def column(self, name: str) -> Column:
        """The modelled column of that name."""
        if name not in self._by_name:
            raise SchemaError(f'"{name}" is not a column of the schema{suggestion(name, self.names)}')
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def replace_column(self, column: Column) -> Schema:
        """The same schema with one column exchanged (by name)."""
        self.column(column.name)
        columns = tuple(column if have.name == column.name else have for have in self.columns)
        return dataclasses.replace(self, columns=columns)

    def check_types(self, types: pa.Schema) -> None:
        """Refuse a container whose storage types cannot hold the declared kinds. Reads no row."""
        for column in self.columns:
            if column.name in types.names:
                check_readable(column, types.field(column.name).type)

    def encode(self, batch: pa.RecordBatch | pa.Table) -> Encoded:
        """Codes for every modelled column of the batch; see `triplea.schema.encode`."""
        absent = next((name for name in self.names if name not in batch.schema.names), None)
        if absent is not None:
            raise SchemaError(f'column "{absent}" is in the schema but not in the table; remove or rename it')
        return {column.name: encode_array(column, batch.column(column.name)) for column in self.columns}

    def decode(self, encoded: Mapping[str, npt.NDArray[Any]], *, types: pa.Schema | None = None) -> pa.Table:
        """Rows from codes, in the container's types and column order where `types` gives them."""
        absent = next((name for name in self.names if name not in encoded), None)
        if absent is not None:
            raise SchemaError(f'column "{absent}" is in the schema but not among the encoded columns')
        order = [name for name in types.names if name in self.names] if types is not None else []
        fields, arrays = [], []
        for name in (*order, *(name for name in self.names if name not in order)):
            column = self.column(name)
            have = types.field(name) if name in order and types is not None else None
            array = decode_array(column, encoded[name], storage_type(column, have.type if have else None))
            arrays.append(array)
            fields.append(
                pa.field(name, array.type, nullable=column.nullable or have is None or have.nullable)
            )
        return pa.Table.from_arrays(arrays, schema=pa.schema(fields))

    def encode_where(self, where: Mapping[str, Any]) -> dict[str, int | float]:
        """Codes of conditions such as {"sex": "Female"}; refuses what the schema does not allow."""
        return {name: self.column(name).code_of(value) for name, value in where.items()}

    def empty(self) -> Encoded:
        """An encoded table without rows."""
        return {column.name: np.empty(0, dtype=code_type(column)) for column in self.columns}
