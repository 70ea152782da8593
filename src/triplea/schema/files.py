"""Schema files: JSON and YAML, read strictly and written so that both read back the same."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from triplea.errors import SchemaError

_SUFFIXES = (".json", ".yaml", ".yml")


class _PlainLoader(yaml.SafeLoader):
    """YAML where only true and false are truth values, dates stay text, and 1e5 is a number.

    Otherwise the categories [NO, SE] or [yes, no] would silently turn into truth values.
    """


class _PlainDumper(yaml.SafeDumper):
    """Quotes what either `_PlainLoader` or a usual YAML reader would take for something else than text."""


_RETYPED = (":bool", ":timestamp", ":float", ":int")
_BOOL = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
_INT = re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$")
_FLOAT = re.compile(
    r"^[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|\.(?:inf|Inf|INF))$"
    r"|^\.(?:nan|NaN|NAN)$"
)

_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(_RETYPED)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_PlainLoader.add_implicit_resolver("tag:yaml.org,2002:bool", _BOOL, list("tTfF"))
_PlainLoader.add_implicit_resolver("tag:yaml.org,2002:int", _INT, list("-+0123456789"))
for _tool in (_PlainLoader, _PlainDumper):
    _tool.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))


def check_suffix(path: Path) -> None:
    """Refuse a file name that does not say which of the two forms the file has."""
    if path.suffix.lower() not in _SUFFIXES:
        raise SchemaError(f"{path}: a schema file must end in {', '.join(_SUFFIXES)}")


def read_mapping(path: Path) -> dict[str, Any]:
    """The mapping in a schema file; every failure names the file and the cure."""
    check_suffix(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SchemaError(f"{path}: the schema file is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise SchemaError(
            f"{path}: the schema file cannot be read ({error.strerror}); check the path"
        ) from None
    mapping = _read_json(path, text) if path.suffix.lower() == ".json" else _read_yaml(path, text)
    if not isinstance(mapping, dict):
        raise SchemaError(
            f"{path}: a schema must be a mapping with the key columns, got {type(mapping).__name__}"
        )
    return mapping


def _read_json(path: Path, text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _without_duplicates(path, pairs))
    except json.JSONDecodeError as error:
        raise SchemaError(
            f"{path}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise SchemaError(f"{path}: not a schema: the JSON is nested too deeply") from None


def _without_duplicates(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise SchemaError(f'{path}: the key "{key}" is given twice in one place; remove one')
        mapping[key] = value
    return mapping


def _read_yaml(path: Path, text: str) -> Any:
    try:
        return yaml.load(text, Loader=_PlainLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = "" if mark is None else f" at line {mark.line + 1}, column {mark.column + 1}"
        raise SchemaError(f"{path}: not valid YAML{place}: {error.problem}") from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise SchemaError(f"{path}: not valid YAML; check for tabs and special characters") from None


def write_mapping(mapping: Mapping[str, Any], path: Path) -> None:
    """Write a mapping as JSON or YAML, by the suffix."""
    check_suffix(path)
    if path.suffix.lower() == ".json":
        text = json.dumps(mapping, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        text = yaml.dump(dict(mapping), Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=110)
    path.write_text(text, encoding="utf-8")
