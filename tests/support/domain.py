"""Is a table in its schema? Written without the package's own codec, so that the two can disagree."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from triplea.schema import Column, Schema

STORED = {
    "integer": (pa.types.is_integer, pa.types.is_floating),
    "numeric": (pa.types.is_floating, pa.types.is_integer),
    "boolean": (pa.types.is_boolean,),
    "date": (pa.types.is_date,),
    "datetime": (pa.types.is_timestamp,),
}


def problems(table: pa.Table, schema: Schema) -> list[str]:
    """Everything in which the table leaves the schema, in words; columns may stand in any order."""
    if sorted(table.column_names) != sorted(schema.names):
        return [f"columns {table.column_names} instead of {schema.names}"]
    return [
        f"{column.name}: {text}"
        for column in schema.columns
        for text in _problems(column, table[column.name])
    ]


def _problems(column: Column, values: pa.ChunkedArray) -> list[str]:
    found = []
    if not column.nullable and values.null_count:
        found.append(f"{values.null_count} nulls")
    kinds = STORED.get(column.kind.value)
    if kinds and not any(is_kind(values.type) for is_kind in kinds):
        found.append(f"stored as {values.type}")
    present = values.drop_null()
    if column.categories is not None:
        found += [f"unlisted {value!r}" for value in set(present.to_pylist()) - set(column.categories)]
    elif len(present):
        found += _beyond(column, present)
    return found


def _beyond(column: Column, present: pa.ChunkedArray) -> list[str]:
    if pa.types.is_floating(present.type) and pc.any(pc.invert(pc.is_finite(present))).as_py():
        return ["not finite"]
    if pa.types.is_temporal(present.type):
        unit = {"D": "s"}.get(column.unit_of_time, column.unit_of_time)
        as_unit = pa.int32() if column.unit_of_time == "D" else pa.int64()
        if column.unit_of_time != "D":
            present = present.cast(pa.timestamp(unit, tz=present.type.tz), safe=False)
        present = present.cast(as_unit)
    low, high = (pc.min(present).as_py(), pc.max(present).as_py())
    if low < column.bounds[0] or high > column.bounds[1]:
        return [f"{low}..{high} outside {column.bounds}"]
    if column.kind == "integer" and pa.types.is_floating(present.type):
        return (
            [] if pc.all(pc.equal(present, pc.round(present))).as_py() else ["fractions in an integer column"]
        )
    return []
