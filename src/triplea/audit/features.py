"""Hand-made features of a release: numbers that could give a row away, whatever the method."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from triplea.approximate.model import Model
from triplea.releases.run import Release
from triplea.schema import Column, Encoded

ENTRIES = 128  # of every array of a model; the rest is summed up
SHARES = 32  # columns of at most so many values are counted value by value
Features = dict[str, float]


def features_of(release: Release, *, rows: int, rng: np.random.Generator) -> Features:
    """The row count, texts, the model's arrays, and what `rows` synthetic rows look like."""
    found = {"the number of rows": float(release.certificate.rows)}
    found["the notes"] = _fingerprint(release.certificate.notes)
    found |= _of_model(release.model.model)
    drawn = release.model.model.sample(rows, rng=rng)
    for column in release.schema.columns:
        found |= dict(_of_column(column, drawn))
    return found


def features_of_error(error: Exception) -> Features:
    """An error is an outcome too; its text may depend on rows."""
    return {"ended with an error": 1.0, "text of the error": _fingerprint((type(error).__name__, str(error)))}


def aligned(runs: Sequence[Mapping[str, float]]) -> tuple[list[str], np.ndarray]:
    """All runs as one matrix; a feature that a run lacks is 0 there, and its absence is a feature itself."""
    names = sorted({name for run in runs for name in run})
    values = np.array([[run.get(name, np.nan) for name in names] for run in runs], dtype=float)
    values = values.reshape(len(runs), len(names))
    absent = np.isnan(values).astype(float)
    partly = np.flatnonzero(absent.any(axis=0))
    matrix = np.concatenate([np.nan_to_num(values, posinf=1e300, neginf=-1e300), absent[:, partly]], axis=1)
    return [*names, *(f"absence of {names[place]}" for place in partly)], np.clip(matrix, -1e150, 1e150)


def _of_model(model: Model) -> Features:
    description, arrays = model.state()
    found = {"the model's description": _fingerprint((repr(sorted(description.items(), key=str)),))}
    for name, array in arrays.items():
        flat = np.ravel(np.asarray(array, dtype=float)) if np.asarray(array).dtype.kind in "fiub" else None
        if flat is None or not flat.size:
            continue
        found[f"size of {name}"] = float(flat.size)
        finite = np.nan_to_num(flat, posinf=1e150, neginf=-1e150)
        found |= {f"{label} of {name}": value for label, value in _summary(finite)}
        found |= {f"{name}[{place}]": float(value) for place, value in enumerate(finite[:ENTRIES])}
    return found


def _of_column(column: Column, rows: Encoded) -> Iterator[tuple[str, float]]:
    values, name = rows[column.name].astype(float), column.name
    if column.is_countable and column.cells <= SHARES:
        counts = np.bincount(rows[column.name].astype(np.int64), minlength=column.cells)
        for code, count in enumerate(counts):
            yield f"rows with {name} = {code}", float(count)
        return
    known = values[np.isfinite(values)]
    yield f"rows without {name}", float(len(values) - len(known))
    for label, value in _summary(known) if known.size else ():
        yield f"{label} of {name} in rows", value


def _summary(values: np.ndarray) -> tuple[tuple[str, float], ...]:
    return (
        ("mean", float(values.mean())),
        ("spread", float(values.std())),
        ("length", float(np.sqrt(np.mean(values**2)))),
        ("least", float(values.min())),
        ("most", float(values.max())),
    )


def _fingerprint(texts: Sequence[str]) -> float:
    """A number that differs when a text does."""
    return float(zlib.crc32("\n".join(texts).encode("utf-8", "surrogatepass")))
