"""Naive Bayes: columns that are independent within a class.

Private: queries.bins and queries.marginals count.   Door: two measurements (bins, then the counts of
every (label, feature) pair).   Public: denoise, draw a class, draw its columns.
Guarantee: (epsilon, delta) for the whole table, the label included. Without a target it is `independent`.
"""

from __future__ import annotations

from triplea.methods._products import ProductMethod
from triplea.schema import Schema


class NaiveBayes(ProductMethod):
    """Noisy (label, feature) counts: keeps what every single column says about the target."""

    name = "naive-bayes"
    title = "Naive Bayes"
    summary = "noisy (label, feature) counts; keeps what each column says about the target"

    def label(self, schema: Schema) -> str | None:
        """The target's classes (or bins, for a numeric target) become the components."""
        return schema.target
