"""A first schema for the owner to correct. It is read off the rows, so it says so everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triplea.errors import SchemaError, TableError
from triplea.schema import load_schema
from triplea.schema.parse import Family, family_of
from triplea.tables.draft_column import draft_column, may_say_whose
from triplea.tables.opening import open_source
from triplea.tables.owner_view import read_all
from triplea.tables.plain import NOT_UTF8
from triplea.tables.rounding import round_up
from triplea.tables.source import Source

_UNTYPED = ("csv",)
WHOSE = "values repeat: if it says whose row it is, name it with --unit, or only single rows are protected"
GARBLED = "holds bytes that are not UTF-8: save the table as UTF-8 and draft again"
_WARNING = (
    "Drafted from the rows: every entry with source 'observed' must be confirmed as public knowledge "
    "(confirmed: true) or replaced before a release; else the certificate says that it was not."
)


def draft_schema(source: Any, *, target: str | None = None, unit: str | None = None) -> dict[str, Any]:
    """Read the table and propose a schema, as the mapping that `load_schema` takes.

    Every column is marked `source: observed`: bounds and categories, but also its kind, what is missing and
    that an identifier names one row were read off the rows. Bounds are rounded outward. With `unit`, the row
    limit is the one that nine of ten units keep, rounded up, and marked as well.
    """
    opened = open_source(source)
    for role, name in (("target", target), ("unit", unit)):
        if name is not None and name not in opened.layout.names:
            raise TableError(
                f'{opened.name}: the {role} "{name}" is not a column of the table. Check the spelling.'
            )
    table = read_all(opened)
    if table.num_rows == 0:
        raise TableError(
            f"{opened.name}: the table has no rows to draft a schema from (in a CSV file, none with as many "
            "fields as its first line). Mend the header, or write the schema by hand."
        )
    columns = [_entry(opened, table, name, target, unit) for name in opened.layout.names]
    _refuse_identifier(opened, columns, target)
    draft: dict[str, Any] = {
        "name": opened.path.name.partition(".")[0] if opened.path else None,
        "target": target,
    }
    if unit is not None:
        limit = _usual_rows(table.column(unit))
        draft["unit"] = {"column": unit, "max_rows": limit, "source": "observed"}
    given = {key: value for key, value in draft.items() if value is not None}
    return {**given, "notes": _WARNING, "columns": columns}


def _refuse_identifier(source: Source, columns: list[dict[str, Any]], target: str | None) -> None:
    """A schema whose target is left out would not load; the owner may hear what the rows say."""
    for column in columns:
        if column["name"] == target and column["kind"] == "identifier":
            why = column.get("note", "it says whose row it is")
            raise TableError(
                f'{source.name}: the target "{target}" cannot be predicted: {why}. Choose another column.'
            )


def _entry(
    source: Source, table: pa.Table, name: str, target: str | None, unit: str | None
) -> dict[str, Any]:
    if name == unit:
        return {"name": name, "kind": "identifier"}
    stored = source.layout.field(name).type
    if name not in table.column_names or family_of(stored) is Family.OTHER:
        note = f"left out: no kind holds the type {stored}; store it as text or as a number to keep it"
        return {"name": name, "kind": "identifier", "note": note}
    entry = draft_column(
        name, table.column(name), is_target=name == target, nulls_make_floats=source.container == "pandas"
    )
    if unit is None and may_say_whose(entry):
        entry["note"] = WHOSE
    if NOT_UTF8 in name or any(NOT_UTF8 in str(category) for category in entry.get("categories", ())):
        entry["note"] = GARBLED
    if pa.types.is_dictionary(stored) and stored.ordered and "categories" in entry:
        entry["categories"] = _in_order(table.column(name), entry["categories"])
    typed = source.container not in _UNTYPED and not source.name.startswith("sqlite:")
    return _with_dtype(entry, stored) if typed and entry["kind"] != "identifier" else entry


def _with_dtype(entry: dict[str, Any], stored: pa.DataType) -> dict[str, Any]:
    """Add the storage type if the column can be given back in it."""
    if pa.types.is_null(stored) or (pa.types.is_floating(stored) and entry["kind"] == "integer"):
        return entry
    if pa.types.is_dictionary(stored) and stored.ordered and entry["kind"] == "categorical":
        entry = {**entry, "kind": "ordinal"}
    name = "dictionary" if pa.types.is_dictionary(stored) and not stored.ordered else str(stored)
    fitted = {**entry, **_inside(entry, stored), "dtype": name}
    try:
        load_schema({"columns": [fitted]})
    except SchemaError:
        return entry
    return fitted


def _in_order(values: pa.ChunkedArray, seen: list[Any]) -> list[Any]:
    """Put categories in the order that the container declares."""
    declared = pa.chunked_array([chunk.dictionary for chunk in values.chunks]).unique().to_pylist()
    return [category for category in declared if category in seen]


def _inside(entry: dict[str, Any], stored: pa.DataType) -> dict[str, int]:
    """Keep rounded bounds inside what the storage type can hold."""
    if entry["kind"] != "integer" or "lower" not in entry or not pa.types.is_integer(stored):
        return {}
    room = np.iinfo(stored.to_pandas_dtype())
    return {"lower": max(entry["lower"], int(room.min)), "upper": min(entry["upper"], int(room.max))}


def _usual_rows(ids: pa.ChunkedArray) -> int:
    counts = pc.value_counts(ids.drop_null()).field("counts").to_numpy(zero_copy_only=False)
    return round_up(int(np.ceil(np.quantile(counts, 0.9)))) if len(counts) else 1
