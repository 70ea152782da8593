"""Independent columns: the honest floor.

Private: queries.bins and queries.marginals count.   Door: two measurements (bins, 1-way counts).
Public: denoise, draw every column by itself.   Guarantee: (epsilon, delta) for the whole table.
"""

from __future__ import annotations

from triplea.methods._products import ProductMethod
from triplea.schema import Schema


class Independent(ProductMethod):
    """Every column from its own noisy histogram; no association between columns survives."""

    name = "independent"
    title = "Independent columns"
    summary = "noisy 1-way counts; the floor for everything else"

    def label(self, schema: Schema) -> str | None:
        """No column is special."""
        del schema
        return None
