"""Schemas from and to plain mappings (the documented file format, see docs/guide/schema.md)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from triplea.errors import SchemaError
from triplea.schema.columns import Column
from triplea.schema.files import read_mapping, write_mapping
from triplea.schema.kinds import TIMED
from triplea.schema.schema import Schema, Unit
from triplea.schema.times import iso_text

_COLUMN_KEYS = [entry.name for entry in fields(Column) if entry.name != "extras"]
_SCHEMA_KEYS = ["name", "target", "targets", "unit", "split_column", "id_columns", "other_columns", "columns"]
# Keys that files carry and that nothing here depends on; listed so that a near miss of them is no error.
_INFORMATIVE = [
    "rows",
    "labels",
    "note",
    "notes",
    "alternative_targets",
    "one_hot_groups",
    "description",
    "version",
]
_SYNONYMS = {
    "type": "kind", "min": "lower", "minimum": "lower", "max": "upper", "maximum": "upper",
    "timezone": "tz", "levels": "categories", "nulls": "nullable",
}  # fmt: skip


def load_schema(source: str | Path | Mapping[str, Any]) -> Schema:
    """A schema from a .json, .yaml or .yml file, or from a mapping of the same shape."""
    if isinstance(source, Mapping):
        return _schema(source)
    if not isinstance(source, str | Path):
        raise SchemaError(
            "a schema must be a Schema, a mapping or a .json, .yaml or .yml file, "
            f"got {type(source).__name__}"
        )
    path = Path(source)
    try:
        return _schema(read_mapping(path))
    except SchemaError as error:
        text = str(error)
        raise SchemaError(text if text.startswith(f"{path}:") else f"{path}: {text}") from None


def save_schema(schema: Schema, path: str | Path) -> None:
    """Write a schema as JSON or YAML, by the suffix."""
    write_mapping(dump_schema(schema), Path(path))


def _schema(mapping: Mapping[str, Any]) -> Schema:
    extras = _extras(mapping, _SCHEMA_KEYS, _INFORMATIVE, where="the schema")
    columns = mapping.get("columns")
    if not isinstance(columns, list | tuple):
        raise SchemaError(
            f"columns must be a list of columns, got {_short(columns)}; see docs/guide/schema.md"
        )
    target, targets = _targets(mapping)
    return Schema(
        columns=tuple(_column(entry, position) for position, entry in enumerate(columns, start=1)),
        target=target,
        targets=targets,
        unit=_unit(mapping.get("unit")),
        name=_optional_text(mapping, "name"),
        split_column=_optional_text(mapping, "split_column"),
        id_columns=_names(mapping, "id_columns"),
        other_columns=_names(mapping, "other_columns"),
        extras=extras,
    )


def _targets(mapping: Mapping[str, Any]) -> tuple[str | None, tuple[str, ...]]:
    """The first target and all that are listed; `target` may be a list itself."""
    listed = _names(mapping, "targets")
    if isinstance(mapping.get("target"), list | tuple):
        listed = tuple(dict.fromkeys((*_names(mapping, "target"), *listed)))
        return (listed[0] if listed else None), listed
    first = _optional_text(mapping, "target")
    return (listed[0] if first is None and listed else first), listed


def _column(entry: Any, position: int) -> Column:
    if not isinstance(entry, Mapping):
        raise SchemaError(f"column {position} must be a mapping with name and kind, got {_short(entry)}")
    if entry.get("name") is None:
        raise SchemaError(f"column {position} has no name; add one")
    where = f'column "{entry["name"]}"'
    extras = _extras(entry, _COLUMN_KEYS, _INFORMATIVE, where=where)
    if entry.get("kind") is None:
        raise SchemaError(f"{where}: kind is not given; use one such as categorical, integer or numeric")
    given = {key: value for key, value in entry.items() if key in _COLUMN_KEYS and value is not None}
    return Column(**given, extras=extras)


def _unit(entry: Any) -> Unit | None:
    if entry is None:
        return None
    known = {"column", "max_rows", "source", "confirmed"}
    if not isinstance(entry, Mapping) or not {"column", "max_rows"} <= set(entry) <= known:
        raise SchemaError(f"unit must be a mapping with column and max_rows, got {_short(entry)}")
    return Unit(**entry)


def _extras(
    mapping: Mapping[str, Any], known: list[str], informative: list[str], *, where: str
) -> dict[str, Any]:
    """Keys of the owner's own, kept as they are; a near miss of a known key is a slip and refused."""
    extras = {key: value for key, value in mapping.items() if key not in known}
    for key in extras:
        if not isinstance(key, str):
            raise SchemaError(f"{where}: key {key!r} must be text; put it in quotes")
        if key in informative or key.startswith("x_"):
            continue
        near = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.75)
        meant = _SYNONYMS.get(key.lower(), near[0] if near else None)
        if meant in known:
            raise SchemaError(
                f'{where}: unknown key "{key}"; did you mean "{meant}"? '
                f'A key of your own that looks like a known one must start with "x_"'
            )
    return extras


def _optional_text(mapping: Mapping[str, Any], key: str) -> str | None:
    value = mapping.get(key)
    if value is not None and not isinstance(value, str):
        raise SchemaError(f"{key} must be text, got {_short(value)}; put it in quotes")
    return value


def _names(mapping: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = mapping.get(key)
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise SchemaError(f"{key} must be a list of column names, got {_short(value)}")
    return tuple(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def dump_schema(schema: Schema) -> dict[str, Any]:
    """The mapping that `load_schema` reads back to an equal schema (JSON-able)."""
    entries = {
        "name": schema.name,
        "target": schema.target,
        "targets": list(schema.targets),
        "unit": None if schema.unit is None else _dump_unit(schema.unit),
        "split_column": schema.split_column,
        "id_columns": list(schema.id_columns),
        "other_columns": list(schema.other_columns),
    }
    given = {key: value for key, value in entries.items() if value not in (None, [])}
    columns = [_dump_column(column) for column in (*schema.columns, *schema.dropped)]
    return {**given, **schema.extras, "columns": columns}


def _dump_unit(unit: Unit) -> dict[str, Any]:
    given = {"source": unit.source, "confirmed": unit.confirmed or None}
    kept = {key: value for key, value in given.items() if value is not None}
    return {"column": unit.column, "max_rows": unit.max_rows, **kept}


def _dump_column(column: Column) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for entry in fields(Column):
        value = getattr(column, entry.name)
        if entry.name in ("name", "kind"):
            entries[entry.name] = str(value)
        elif entry.name == "extras" or value == entry.default:
            continue
        elif entry.name == "categories":
            if column.kind != "boolean":
                entries["categories"] = list(value)
        elif entry.name in ("lower", "upper") and column.kind in TIMED:
            entries[entry.name] = iso_text(int(value), unit=column.unit_of_time, tz=column.tz)
        else:
            entries[entry.name] = value
    return {**entries, **column.extras}
