"""DP-EM as published: it fits, and its noise follows private sizes."""

import numpy as np
import pytest

from triplea.queries.published_dp_em import (
    best_components,
    calinski_harabasz,
    noise_of_means,
    published_mixture,
)


def codes(n=3000, seed=0):
    rng = np.random.default_rng(seed)
    centres = np.array([[-0.6, 0.0], [0.6, 0.0], [0.0, 0.7]])
    return centres[rng.integers(0, 3, n)] + 0.05 * rng.normal(size=(n, 2))


def test_it_finds_clusters_where_noise_is_small():
    found = published_mixture(codes(), most=7, epsilon=1e6, delta=1e-5, generator=np.random.default_rng(1))
    assert found.shares.sum() == pytest.approx(1.0)
    spread = (found.shares[0][:, None] * found.means[0]).sum(axis=0)
    assert spread == pytest.approx(codes().mean(axis=0), abs=0.05)


def test_k_is_chosen_on_the_rows_so_rows_can_change_it():
    rng = np.random.default_rng
    assert best_components(codes(), 7, rng(3)) == 3
    assert best_components(codes()[:1], 7, rng(0)) == 1
    two = codes()[codes()[:, 1] < 0.4]
    assert best_components(two, 7, rng(0)) == 2
    assert calinski_harabasz(two, (two[:, 0] > 0).astype(int), 2) > 100


def test_the_law_of_the_noise_changes_with_one_row():
    """A component that one record brings to life halves the noise: output tells the two tables apart."""
    without, with_one = noise_of_means(np.array([0.0]), 1.0), noise_of_means(np.array([1.0]), 1.0)
    assert without / with_one > 1.9


def test_an_empty_group_gives_a_valid_mixture():
    none = np.zeros((0, 2))
    found = published_mixture(none, most=7, epsilon=1.0, delta=1e-5, generator=np.random.default_rng(0))
    assert found.shares.shape == (1, 1)
