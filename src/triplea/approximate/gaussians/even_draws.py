"""Few rows out of many, chosen so that chance leaves no mark on columns, near the other classes or far off.

A few hundred rows drawn by chance are uneven, and most so where a learner looks hardest: of a rare class only
some dozens lie among the other rows. A Latin hypercube (McKay, Beckman and Conover 1979) within strata keeps
every column's spread in every stratum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STRATA = 8
LEAST_MEMBERS = 32  # of a stratum: with fewer, the middles of so few parts would make columns too narrow


def even_rows(pool: Floats, along: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Choose n rows like those of a larger pool: in each stratum of `along`, even quantiles of every column.

    Within a stratum, rows of the pool chosen by chance say which values go together: each column keeps their
    ranks and takes the quantiles of all of the stratum's rows.
    """
    strata = min(max(n // LEAST_MEMBERS, 1), STRATA)
    ends = np.arange(strata + 1) * n // strata
    order = np.argsort(along, kind="stable")
    cuts = np.split(order, ends[1:-1] * len(pool) // n)
    return np.concatenate(
        [_even(pool[cut], int(size), rng) for cut, size in zip(cuts, np.diff(ends), strict=True)]
    )


def _even(pool: Floats, n: int, rng: np.random.Generator) -> Floats:
    order = pool[rng.choice(len(pool), n, replace=False)].argsort(axis=0)
    even = np.empty((n, pool.shape[1]))
    np.put_along_axis(even, order, np.quantile(pool, (np.arange(n) + 0.5) / n, axis=0), axis=0)
    return even
