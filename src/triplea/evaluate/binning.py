"""The shared public binning: cells that depend on the schema alone, never on rows.

A category column has one cell a level; a number column has `bins` equal-width cells of its public range (a
whole-number column of at most `bins` values: one cell a value). Missing or unknown is
one more cell, the last.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from triplea.evaluate.rows import Field, Rows
from triplea.schema.times import iso_text

BINS = 20


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Cell numbers of every row and the number of cells of every column."""

    codes: dict[str, np.ndarray]
    sizes: dict[str, int]
    rows: int


def cells_of(rows: Rows, *, bins: int = BINS) -> Cells:
    """Put every value in its public cell."""
    codes = {field.name: _codes(rows[field.name], field, bins) for field in rows.fields}
    return Cells(
        codes=codes, sizes={field.name: size_of(field, bins) + 1 for field in rows.fields}, rows=len(rows)
    )


def size_of(field: Field, bins: int = BINS) -> int:
    """Return the number of cells without the missing cell."""
    if field.levels is not None:
        return len(field.levels)
    return int(field.upper - field.lower + 1) if _one_cell_a_value(field, bins) else bins


def edges_of(field: Field, bins: int = BINS) -> np.ndarray:
    """Return the cell edges of a number column; half a unit around each value where a cell is a value."""
    if _one_cell_a_value(field, bins):
        return np.arange(field.lower, field.upper + 2) - 0.5
    return np.linspace(field.lower, field.upper, bins + 1)


def labels_of(field: Field, bins: int = BINS) -> tuple[str, ...]:
    """Return a name for every cell, "missing" last."""
    if field.levels is not None:
        return (*field.levels, "missing")
    edges = edges_of(field, bins)
    if _one_cell_a_value(field, bins):
        return (*(_written(edge + 0.5, field) for edge in edges[:-1]), "missing")
    written = [_written(edge, field) for edge in edges]
    return (*(f"{low} to {high}" for low, high in itertools.pairwise(written)), "missing")


def edge_labels_of(field: Field, bins: int = BINS) -> tuple[str, ...] | None:
    """Return the edges as text where they count days or instants."""
    if field.time_unit is None:
        return None
    return tuple(_written(np.ceil(edge), field) for edge in edges_of(field, bins))


def _written(value: float, field: Field) -> str:
    if field.time_unit is None:
        return f"{value:.6g}"
    return iso_text(int(value), unit=field.time_unit)


def _one_cell_a_value(field: Field, bins: int) -> bool:
    return field.whole and field.upper - field.lower + 1 <= bins


def _codes(values: np.ndarray, field: Field, bins: int) -> np.ndarray:
    size = size_of(field, bins)
    if field.levels is not None:
        return np.where(values < 0, size, values).astype(np.int64)
    absent = np.isnan(values)
    filled = np.where(absent, field.lower, values)
    if _one_cell_a_value(field, bins):
        place = np.round(filled) - field.lower
    else:
        place = np.floor((filled - field.lower) / (field.width / size))
    return np.where(absent, size, np.clip(place, 0, size - 1)).astype(np.int64)
