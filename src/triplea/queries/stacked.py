"""Several histogram queries asked as one: one price, one pass over the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from triplea.queries.counts import Counts
from triplea.schema import Encoded


class Stacked(Counts):
    """The histograms of several `Counts`, side by side; `scales` gives each part its relative noise.

    Bounds and proof: those of `Counts` with all the parts' histograms together.
    """

    def __init__(self, *, parts: Sequence[Counts], scales: Sequence[float] | None = None) -> None:
        self.parts = tuple(parts)
        spread = list(scales) if scales is not None else [1.0] * len(self.parts)
        super().__init__(
            columns=tuple(dict.fromkeys(name for part in self.parts for name in part.columns)),
            sizes=[size for part in self.parts for size in part.sizes],
            scales=[scale for part, scale in zip(self.parts, spread, strict=True) for _ in part.sizes],
        )

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        """Yield the cells of all parts in order."""
        for part in self.parts:
            yield from part.cells(rows)

    def split_parts(self, values: np.ndarray) -> list[np.ndarray]:
        """Cut the released vector into one vector per part."""
        return np.split(values, np.cumsum([sum(part.sizes) for part in self.parts])[:-1])
