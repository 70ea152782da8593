"""A mixture of products fitted to one-way and two-way tables."""

import numpy as np
import pytest

from triplea.approximate.mixtures.mixture_fit import Targets, _Problem, fit_mixture

JOINT = np.array([[0.3, 0.05, 0.05], [0.05, 0.15, 0.4]])


def _targets(joint=JOINT):
    return Targets(
        margins=[joint.sum(axis=1), joint.sum(axis=0)],
        groups=[np.arange(2), np.arange(3)],
        pairs={(0, 1): joint},
        margin_weight=0.5,
        pair_weight=0.5,
    )


def test_a_pair_is_reproduced():
    weights, (left, right) = fit_mixture(_targets(), components=6, steps=400, rng=np.random.default_rng(0))
    fitted = (left * weights[:, None]).T @ right
    assert np.abs(fitted - JOINT).max() < 0.01


def test_without_pairs_the_columns_are_margins():
    targets = Targets(
        margins=[np.array([0.2, 0.8])], groups=[np.arange(2)], pairs={}, margin_weight=0.5, pair_weight=0.0
    )
    weights, (table,) = fit_mixture(targets, components=3, steps=200, rng=np.random.default_rng(0))
    assert weights @ table == pytest.approx([0.2, 0.8], abs=0.01)


def test_slopes_agree_with_finite_differences():
    problem = _Problem(_targets())
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(4, 5)).astype(np.float32)
    weights = rng.normal(size=4).astype(np.float32)

    def loss(logits, weights):
        chances, shares = (x.astype(np.float64) for x in problem.probabilities(logits, weights))
        coarse = chances @ problem.to_groups
        pair = (coarse.T @ (coarse * shares[:, None]) - problem.wanted) ** 2 * problem.counted
        margin = (shares @ chances - problem.margins) ** 2
        return 0.5 * problem.pair_weight * pair.sum() + 0.5 * problem.margin_weight * margin.sum()

    for_logits, for_weights = problem.slopes(logits, weights)
    step = 1e-2
    for k, d in ((0, 0), (2, 3), (3, 4)):
        moved = [logits.copy(), logits.copy()]
        moved[0][k, d] += step
        moved[1][k, d] -= step
        assert for_logits[k, d] == pytest.approx(
            (loss(moved[0], weights) - loss(moved[1], weights)) / (2 * step), abs=1e-5
        )
    up, down = weights.copy(), weights.copy()
    up[1] += step
    down[1] -= step
    assert for_weights[1] == pytest.approx((loss(logits, up) - loss(logits, down)) / (2 * step), abs=1e-5)


def test_coarser_pairs_leave_fine_margins_alone():
    targets = Targets(
        margins=[np.array([0.1, 0.3, 0.6]), np.array([0.5, 0.5])],
        groups=[np.array([0, 0, 1]), np.arange(2)],
        pairs={(0, 1): np.array([[0.4, 0.0], [0.1, 0.5]])},
        margin_weight=0.5,
        pair_weight=0.5,
    )
    weights, (left, _) = fit_mixture(targets, components=8, steps=400, rng=np.random.default_rng(0))
    assert weights @ left == pytest.approx([0.1, 0.3, 0.6], abs=0.01)
