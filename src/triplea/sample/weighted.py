"""Rows in which small classes are large, with weights that make up for it.

A class of one row in five hundred teaches little, however many rows are drawn: nearly all are of the other
class. Here every class gets rows in proportion to the square root of what it would have had, which halves the
distance between small and large on a logarithmic scale; a row's weight is what its class would have had,
divided by what it got. Weighted sums over classes are those of rows without weights, exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.model import Condition, Model
from triplea.errors import UserError
from triplea.schema import Encoded, Schema


def check_weights(weights: str, schema: Schema, condition: Condition | None) -> None:
    """Refuse weights where there are no classes to even out, or no room for the column."""
    if type(weights) is not str or not weights or weights in schema.names:
        raise UserError(
            f"option weights is the name of a column to add, got {weights!r}: choose a name that is not "
            "empty and not a column of the schema."
        )
    if schema.target is None or not schema.column(schema.target).is_discrete:
        what = "has none" if schema.target is None else f"has {schema.target!r}, which is no list of classes"
        raise UserError(
            f"option weights={weights!r} evens out the classes of the schema's target, and the schema "
            f"{what}. Leave weights out."
        )
    if condition and schema.target in condition:
        raise UserError(
            f"option weights={weights!r} evens out the classes of {schema.target!r}, which a condition fixes "
            "already. Leave out one of them."
        )


def draw_weighted(
    model: Model, label: str, n: int, *, rng: np.random.Generator, where: Condition | None = None
) -> tuple[Encoded, NDArray[np.float64]]:
    """Draw n encoded rows with their weights, whose sum is n."""
    plain = model.sample(n, rng=rng, where=where)
    values, places, counts = np.unique(plain[label], return_inverse=True, return_counts=True)
    wanted = even_counts(counts)
    parts = []
    for i, value in enumerate(values):
        kept = rng.permutation(np.flatnonzero(places == i))[: wanted[i]]
        parts.append({name: codes[kept] for name, codes in plain.items()})
        if wanted[i] > counts[i]:
            more = {**(where or {}), label: value.item()}
            parts.append(model.sample(int(wanted[i] - counts[i]), rng=rng, where=more))
    order = rng.permutation(n)
    rows = {name: np.concatenate([plain[name][:0], *(part[name] for part in parts)])[order] for name in plain}
    return rows, (counts / wanted)[np.searchsorted(values, rows[label])]


def even_counts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """As many rows in all, shared out by the square roots of the counts, and at least one for each."""
    if not len(counts):
        return counts
    total = int(counts.sum())
    shares = (total - len(counts)) * np.sqrt(counts) / np.sqrt(counts).sum()
    wanted: NDArray[np.int64] = 1 + np.floor(shares).astype(np.int64)
    largest = np.argsort(np.floor(shares) - shares, kind="stable")
    wanted[largest[: total - int(wanted.sum())]] += 1
    return wanted
