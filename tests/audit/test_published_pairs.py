"""The pairs against published algorithms hit what they aim at."""

from __future__ import annotations

import numpy as np
import pytest

from tests.audit.test_pairs import differing
from triplea.approximate.embeddings.published_merf import median_bandwidth
from triplea.approximate.gaussians.microaggregation import mdav
from triplea.approximate.gaussians.projected_gaussians import scatter_scale
from triplea.audit.published_pairs import bandwidth, halves, many_dimensions, mover


@pytest.mark.parametrize("make", [mover, halves, many_dimensions, bandwidth])
def test_one_row_is_exchanged(make) -> None:
    assert differing(make()) == (1, 1)


def test_the_mover_regroups_everybody() -> None:
    pair, means = halves(), []
    for table in (pair.table, pair.neighbour):
        points = np.column_stack([table["x"], table["y"]])
        groups = mdav(points, 100)
        means.append(sorted(points[groups == group].mean(axis=0).tolist() for group in (0, 1)))
    assert np.abs(np.array(means[0]) - np.array(means[1])).max() > 0.3


def test_the_median_distance_falls_from_a_million_to_nothing() -> None:
    pair = bandwidth()
    wide, narrow = (median_bandwidth(np.array(t["x"])[:, None]) for t in (pair.table, pair.neighbour))
    assert (wide, narrow) == (1e6, 1.0)


def test_sixteen_dimensions_need_twice_the_noise_that_is_assumed() -> None:
    """Unit rows whose squares lie p apart in entrywise L1, where 2 sqrt(p) is assumed."""
    p = many_dimensions().params["dimensions"]
    a = np.full(p, p**-0.5)
    b = a * np.where(np.arange(p) < p // 2, 1, -1)
    moved = np.abs(np.outer(a, a) - np.outer(b, b)).sum()
    assert moved == pytest.approx(16) and scatter_scale(p, 1, 1.0) == pytest.approx(8)
