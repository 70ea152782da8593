"""Noisy counts at several resolutions, read as one distribution."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from triplea.approximate.codes.dyadic import (
    climbing_masses,
    consistent_leaves,
    quantiles_from_counts,
    to_simplex,
)
from triplea.schema import Column


@given(hnp.arrays(float, st.integers(1, 20), elements=st.floats(-100, 100)), st.floats(0.1, 500))
def test_the_projection_is_non_negative_and_adds_up(values, total):
    projected = to_simplex(values, total)
    assert projected.min() >= 0
    assert abs(projected.sum() - total) < 1e-6 * max(total, 1)


@given(hnp.arrays(float, 6, elements=st.floats(-5, 5)))
def test_no_other_point_of_the_simplex_is_nearer(values):
    best = ((to_simplex(values, 1.0) - values) ** 2).sum()
    others = np.random.default_rng(0).dirichlet(np.ones(6), size=200)
    assert best <= ((others - values) ** 2).sum(axis=1).min() + 1e-9


def test_exact_counts_come_back_exactly():
    leaves = np.array([4.0, 0.0, 1.0, 5.0])
    levels = [leaves.reshape(2, 2).sum(axis=1), leaves]
    assert np.allclose(consistent_leaves(levels), leaves)


def test_the_tree_beats_its_leaves_for_large_ranges():
    rng = np.random.default_rng(3)
    truth = np.full(256, 100.0)
    levels = [truth.reshape(2**level, -1).sum(axis=1) for level in range(1, 9)]
    errors = []
    for _ in range(30):
        noisy = [level + rng.normal(0, 20, len(level)) for level in levels]
        errors.append((consistent_leaves(noisy)[:128].sum() - 12_800, noisy[-1][:128].sum() - 12_800))
    tree, plain = np.std(errors, axis=0)
    assert tree < plain / 3


def _noisy_tree(leaves, spread, rng):
    depth = int(np.log2(len(leaves)))
    levels = [leaves.reshape(2**level, -1).sum(axis=1) for level in range(1, depth + 1)]
    return [level + rng.normal(0, spread, len(level)) for level in levels]


def test_masses_add_up_and_are_never_negative_however_noisy():
    rng = np.random.default_rng(5)
    for leaves in (np.zeros(64), np.arange(64.0)):
        mass = climbing_masses(_noisy_tree(leaves, 50.0, rng))
        assert mass.min() >= 0
        assert abs(mass.sum() - 1.0) < 1e-9


def test_exact_masses_come_back_exactly():
    leaves = np.array([4.0, 0.0, 1.0, 5.0])
    assert np.allclose(climbing_masses([leaves.reshape(2, 2).sum(axis=1), leaves]), leaves / 10.0)


def test_tails_below_the_noise_of_a_leaf_are_kept_as_a_whole():
    """A tenth of the rows lie thinly over half of the range, a tenth of the noise of a leaf in each."""
    rng = np.random.default_rng(6)
    leaves = np.concatenate([np.full(512, 10.0), np.full(512, 90.0)])
    tails = []
    for _ in range(20):
        levels = _noisy_tree(leaves, 100.0, rng)
        cut = consistent_leaves(levels)
        tails.append((climbing_masses(levels)[:512].sum(), cut[:512].sum() / cut.sum()))
    climbing, simplex = np.abs(np.mean(tails, axis=0) - 0.1)
    assert climbing < 0.005
    assert climbing <= simplex + 0.002


def test_quantiles_stay_inside_the_public_range():
    column = Column(name="x", kind="integer", lower=10, upper=19)
    noise = np.random.default_rng(0).normal(0, 50, 14)
    found = quantiles_from_counts(column, [noise[:2], noise[2:6], noise[6:14]], [0.0, 0.5, 1.0])
    assert found.min() >= 0
    assert found.max() <= 10
