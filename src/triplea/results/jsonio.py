"""Frozen result records to plain JSON and back, field by field, by their type hints.

JSON has no NaN: a number that is not finite is written as null, and a null read into a `float` is NaN.
"""

from __future__ import annotations

import json
import math
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

Record = TypeVar("Record")


def to_plain(value: Any) -> Any:
    """Return `value` as dicts, lists and scalars that `json` can write."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): to_plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(entry) for entry in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def from_plain(kind: type[Record], plain: Any) -> Record:
    """Rebuild a record of type `kind` from what `to_plain` gave."""
    result: Record = _build(kind, plain)
    return result


def dump(record: Any, path: str | Path) -> Path:
    """Write a record as a JSON file."""
    target = Path(path)
    target.write_text(json.dumps(to_plain(record), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


def load(kind: type[Record], path: str | Path) -> Record:
    """Read a record that `dump` wrote."""
    return from_plain(kind, json.loads(Path(path).read_text(encoding="utf-8")))


def _build(kind: Any, plain: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        return _build_union(kind, plain)
    if is_dataclass(kind) and isinstance(kind, type):
        return _build_record(kind, plain)
    if origin is tuple:
        return tuple(_build(typing.get_args(kind)[0], entry) for entry in plain)
    if origin is dict:
        return {key: _build(typing.get_args(kind)[1], entry) for key, entry in plain.items()}
    if kind is float:
        return math.nan if plain is None else float(plain)
    return plain


def _build_union(kind: Any, plain: Any) -> Any:
    options = [option for option in typing.get_args(kind) if option is not type(None)]
    return None if plain is None else _build(options[0], plain)


def _build_record(kind: Any, plain: dict[str, Any]) -> Any:
    hints = typing.get_type_hints(kind)
    known = {field.name: field for field in fields(kind)}
    missing = [
        name
        for name, field in known.items()
        if name not in plain and field.default is MISSING and field.default_factory is MISSING
    ]
    if missing:
        raise ValueError(f"{kind.__name__} lacks the fields {missing}")
    return kind(**{name: _build(hints[name], plain[name]) for name in known if name in plain})
