"""From which count on a category may show its name."""

from __future__ import annotations

from scipy.stats import norm


def key_threshold(*, stddev: float, rows_per_unit: int, slack_delta: float) -> float:
    """Return the count above which a category is released.

    A unit has at most `rows_per_unit` rows, so at most that many categories are its own, each with a
    true count of at most `rows_per_unit`. The noise is a Gaussian rounded to whole numbers, which the
    half covers. Proof: docs/proofs/keys.md.
    """
    return rows_per_unit + 0.5 + stddev * float(norm.isf(slack_delta / rows_per_unit))
