"""Features that correlate go together."""

import numpy as np

from triplea.approximate.gaussians.feature_sets import (
    between_columns,
    correlations,
    davies_bouldin,
    feature_sets,
)


def test_features_of_different_blocks_never_share_a_set():
    """The index favours single features (their spread is 0), so a block may be cut, but blocks never mix."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=(5000, 2))
    noise = rng.normal(size=(5000, 5))
    features = np.column_stack([base[:, [0, 0, 0, 1, 1]] + 0.2 * noise])
    sets = feature_sets(correlations(np.cov(features.T)))
    assert 2 <= len(sets) <= 4
    assert all(set(part) <= {0, 1, 2} or set(part) <= {3, 4} for part in sets)


def test_davies_bouldin_is_the_mean_of_the_worst_ratios():
    distance = np.array([[0, 1, 4, 6], [1, 0, 8, 6], [4, 8, 0, 2], [6, 6, 2, 0]], dtype=float)
    assert davies_bouldin(distance, np.array([1, 1, 2, 2])) == (1 + 2) / 6
    assert davies_bouldin(distance, np.ones(4, dtype=int)) == float("inf")


def test_few_or_constant_features_have_a_defined_result():
    assert [part.tolist() for part in feature_sets(np.eye(1))] == [[0]]
    assert [part.tolist() for part in feature_sets(np.eye(2))] == [[0, 1]]
    flat = correlations(np.diag([1.0, 0.0, 2.0]))
    assert np.array_equal(flat, np.eye(3))
    assert sum(len(part) for part in feature_sets(flat)) == 3


def test_columns_correlate_as_their_strongest_entries():
    entries = np.array([[1.0, 0.2, -0.9], [0.2, 1.0, 0.1], [-0.9, 0.1, 1.0]])
    assert np.array_equal(between_columns(entries, np.array([0, 0, 1])), [[1.0, 0.9], [0.9, 1.0]])
