"""Do synthetic rows sit on training rows? Distance to the closest record, and ADS-GAN's identifiability."""

from __future__ import annotations

import numpy as np

from triplea.evaluate.neighbours import inverse_entropy_weights, nearest, points_of
from triplea.evaluate.proportions import wilson
from triplea.evaluate.rows import Rows
from triplea.results import ClosestRecord, Identifiability, Score

_LEVELS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_COPY = 1e-6


def closest_record(
    train: Rows, held_out: Rows, synthetic: Rows, *, rng: np.random.Generator, rows: int, references: int
) -> ClosestRecord:
    """Compare the distance of synthetic rows to training rows and to as many held-out rows."""
    size = min(len(train), len(held_out), references)
    queries = points_of(synthetic.sample(rows, rng))
    to_train = nearest(queries, points_of(train.sample(size, rng)))[0][:, 0]
    to_held_out = nearest(queries, points_of(held_out.sample(size, rng)))[0][:, 0]
    # A tie, such as a row that is in both tables, counts half for each side.
    wins = int((to_train < to_held_out).sum())
    ties = int((to_train == to_held_out).sum())
    return ClosestRecord(
        rows=len(queries),
        reference_rows=size,
        closer_to_train=wilson_of_half(2 * wins + ties, len(queries)),
        levels=_LEVELS,
        to_train=tuple(np.quantile(to_train, _LEVELS).tolist()),
        to_held_out=tuple(np.quantile(to_held_out, _LEVELS).tolist()),
        copies_of_train=wilson(int((to_train <= _COPY).sum()), len(queries)),
        copies_of_held_out=wilson(int((to_held_out <= _COPY).sum()), len(queries)),
    )


def wilson_of_half(half_successes: int, trials: int) -> Score:
    """Return a Wilson interval when a tie counted as half a success."""
    found = wilson(half_successes // 2, trials)
    return Score(value=half_successes / (2 * trials) if trials else 0.0, low=found.low, high=found.high)


def identifiability(
    train: Rows, held_out: Rows, synthetic: Rows, *, rng: np.random.Generator, rows: int, references: int
) -> Identifiability:
    """Return the share of training rows nearer to a synthetic row than to any other training row.

    Columns are weighted by the inverse of their entropy, as in ADS-GAN.
    """
    weights = inverse_entropy_weights(train)
    members = train.sample(references, rng)
    real = points_of(members, weights=weights)
    chosen = np.sort(rng.permutation(len(real))[:rows])
    queries = real[chosen]
    if len(real) < 2:
        nothing = wilson(0, 0)
        return Identifiability(rows=len(real), value=nothing, matched=nothing, control=nothing)
    own = nearest(queries, real, skip_self=True)[0][:, 0]

    def share(others: Rows) -> Score:
        near = nearest(queries, points_of(others, weights=weights))[0][:, 0]
        return wilson(int((near < own).sum()), len(queries))

    size = min(len(held_out), len(synthetic), references)
    return Identifiability(
        rows=len(queries),
        value=share(synthetic.sample(references, rng)),
        matched=share(synthetic.sample(size, rng)),
        control=share(held_out.sample(size, rng)),
    )
