"""The public schema of every data set: a file beside this one, or a rule where all columns are alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any

Mapping = dict[str, Any]


def schema_of(name: str, columns: Sequence[str]) -> Mapping:
    """Return the schema of a data set, as `load_schema` takes it. `columns` are those of its file."""
    if name in _RULES:
        return _RULES[name](columns)
    text = resources.files("triplea.bench").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: Mapping = json.loads(text)
    return schema


def categorical(name: str, categories: Sequence[Any], *, source: str = "data dictionary") -> Mapping:
    """Return a categorical column."""
    return {"name": name, "kind": "categorical", "categories": list(categories), "source": source}


def without(schema: Mapping, names: Sequence[str]) -> Mapping:
    """Return the schema without some of its columns."""
    return {**schema, "columns": [entry for entry in schema["columns"] if entry["name"] not in set(names)]}


def _isolet(_: Sequence[str]) -> Mapping:
    features = [_number(f"f{place}", "numeric", -1.0, 1.0) for place in range(1, 618)]
    letters = categorical("letter", range(1, 27))
    return {"name": "isolet", "target": "letter", "columns": [*features, letters]}


def _epileptic(_: Sequence[str]) -> Mapping:
    """Samples of a 12-bit converter."""
    features = [_number(f"x{place}", "integer", -2048, 2047) for place in range(1, 179)]
    return {"name": "epileptic", "target": "y", "columns": [*features, categorical("y", range(1, 6))]}


def _images(name: str) -> Callable[[Sequence[str]], Mapping]:
    def build(_: Sequence[str]) -> Mapping:
        pixels = [_number(f"p{place}", "integer", 0, 255) for place in range(28 * 28)]
        size = {"height": 28, "width": 28}
        columns = [*pixels, categorical("label", range(10))]
        return {"name": name, "target": "label", "image": size, "columns": columns}

    return build


def _mimic(columns: Sequence[str]) -> Mapping:
    """One 0/1 column for each group of diagnoses; there is no target."""
    groups = [categorical(name, [0, 1]) for name in columns if name.startswith("icd9_")]
    return {"name": "mimic3_demo", "columns": [categorical("gender", ["F", "M"]), *groups]}


def _comorbidities(_: Sequence[str]) -> Mapping:
    """One 0/1 column for each simulated disease; there is no target."""
    columns = [categorical(f"d{place:04d}", [0, 1], source="simulation") for place in range(1, 1072)]
    return {"name": "comorbidities", "columns": columns}


def _number(name: str, kind: str, lower: float, upper: float) -> Mapping:
    return {"name": name, "kind": kind, "lower": lower, "upper": upper, "source": "data dictionary"}


_RULES: dict[str, Callable[[Sequence[str]], Mapping]] = {
    "isolet": _isolet,
    "epileptic": _epileptic,
    "mnist": _images("mnist"),
    "fashion_mnist": _images("fashion_mnist"),
    "mimic3_demo": _mimic,
    "comorbidities": _comorbidities,
}
