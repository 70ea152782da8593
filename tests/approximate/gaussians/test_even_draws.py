"""Even rows out of a larger pool."""

import numpy as np
import pytest

from triplea.approximate.gaussians.even_draws import LEAST_MEMBERS, STRATA, even_rows

COV = np.array([[2.0, 1.2, 0.0], [1.2, 1.0, 0.0], [0.0, 0.0, 0.5]])


def _pool(rows: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).multivariate_normal([1.0, 0.0, -1.0], COV, size=rows)


def _chosen(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    pool = _pool(32 * n, seed)
    return pool, even_rows(pool, pool[:, 0], n, np.random.default_rng(seed))


@pytest.mark.parametrize("n", [33, 64, 277, 1000])
def test_as_many_rows_as_wanted_within_the_pool_range(n):
    pool, rows = _chosen(n)
    assert rows.shape == (n, 3)
    assert (rows >= pool.min(axis=0)).all() and (rows <= pool.max(axis=0)).all()


def test_every_column_is_as_even_in_a_stratum_as_quantiles_are():
    """By chance, a stratum's mean of 50 values strays by .14 standard deviations; here by a tenth of that."""
    pool, rows = _chosen(STRATA * 50)
    cut = np.argsort(pool[:, 0])[: len(pool) // STRATA]
    nearest = rows[:50]
    spread = pool[cut].std(axis=0)
    assert np.abs((nearest.mean(axis=0) - pool[cut].mean(axis=0)) / spread).max() < 0.02
    assert nearest.std(axis=0) == pytest.approx(spread, rel=0.06)


def test_columns_go_together_as_they_did():
    pool, rows = _chosen(STRATA * 60)
    assert np.corrcoef(rows.T) == pytest.approx(np.corrcoef(pool.T), abs=0.06)


def test_means_of_releases_stray_less_than_by_chance():
    """Twenty draws each: the spread of the third column's mean among the rows nearest the other class."""
    even, chance = [], []
    for seed in range(20):
        pool, rows = _chosen(STRATA * 40, seed)
        drawn = pool[np.random.default_rng(seed).choice(len(pool), STRATA * 40, replace=False)]
        even.append(rows[np.argsort(rows[:, 0])[:40], 2].mean())
        chance.append(drawn[np.argsort(drawn[:, 0])[:40], 2].mean())
    assert np.std(even) < 0.5 * np.std(chance)


def test_few_rows_are_one_stratum():
    pool = _pool(8 * LEAST_MEMBERS)
    rows = even_rows(pool, pool[:, 1], LEAST_MEMBERS, np.random.default_rng(0))
    shares = (np.arange(LEAST_MEMBERS) + 0.5) / LEAST_MEMBERS
    assert np.sort(rows, axis=0) == pytest.approx(np.quantile(pool, shares, axis=0))
