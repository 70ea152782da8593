"""A mixture of products fitted to one-way and two-way tables."""

import numpy as np
import pytest

from triplea.approximate.mixtures import mixture_fit
from triplea.approximate.mixtures.mixture_fit import Targets, _Problem, fit_mixture

JOINT = np.array([[0.3, 0.05, 0.05], [0.05, 0.15, 0.4]])


def _targets(joint=JOINT, noise=0.0):
    return Targets(
        margins=[joint.sum(axis=1), joint.sum(axis=0)],
        groups=[np.arange(2), np.arange(3)],
        pairs={(0, 1): joint},
        margin_weight=0.5,
        pair_weight=0.5,
        pair_noise=noise,
    )


def test_a_pair_is_reproduced():
    weights, (left, right) = fit_mixture(_targets(), components=6, steps=400, rng=np.random.default_rng(0))
    fitted = (left * weights[:, None]).T @ right
    assert np.abs(fitted - JOINT).max() < 0.01


def test_without_pairs_the_columns_are_margins():
    targets = Targets(
        margins=[np.array([0.2, 0.8])],
        groups=[np.arange(2)],
        pairs={},
        margin_weight=0.5,
        pair_weight=0.0,
        pair_noise=0.0,
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

    for_logits, for_weights, missed = problem.slopes(logits, weights)
    assert missed == pytest.approx(_missed(problem, logits, weights), rel=1e-4)
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
        pair_noise=0.0,
    )
    weights, (left, _) = fit_mixture(targets, components=8, steps=400, rng=np.random.default_rng(0))
    assert weights @ left == pytest.approx([0.1, 0.3, 0.6], abs=0.01)


def _missed(problem, logits, weights):
    """Mean square by which the only pair of the targets is missed."""
    chances, shares = problem.probabilities(logits, weights)
    return float(np.mean(((chances[:, :2] * shares[:, None]).T @ chances[:, 2:] - JOINT) ** 2))


def _fit(noise, rng):
    """Pairs of a known mixture, seen through noise and fitted: how far truth and sight are missed."""
    columns, size = 6, 8
    kinds = [rng.dirichlet(np.full(size, 0.5), 3) for _ in range(columns)]
    truth = {(i, j): kinds[i].T @ kinds[j] / 3 for i in range(columns) for j in range(i + 1, columns)}
    seen = {pair: table + noise * rng.standard_normal(table.shape) for pair, table in truth.items()}
    targets = Targets(
        margins=[kind.mean(axis=0) for kind in kinds],
        groups=[np.arange(size)] * columns,
        pairs=seen,
        margin_weight=0.5,
        pair_weight=0.5,
        pair_noise=noise,
    )
    weights, tables = fit_mixture(targets, components=60, steps=1500, rng=rng)
    fitted = {(i, j): (tables[i] * weights[:, None]).T @ tables[j] for i, j in truth}
    return [np.mean([(fitted[pair] - aim[pair]) ** 2 for pair in aim]) / noise**2 for aim in (truth, seen)]


@pytest.mark.parametrize(("noise", "most"), [(1e-3, 0.4), (1e-4, 0.9)])
def test_the_fit_ends_where_only_noise_is_left(noise, most):
    wrong, missed = _fit(noise, np.random.default_rng(0))
    assert 0.8 < missed <= mixture_fit.MET
    assert wrong < most  # nearer to the truth than what was released


def test_going_on_would_follow_the_noise(monkeypatch):
    stopped, _ = _fit(5e-3, np.random.default_rng(0))
    monkeypatch.setattr(mixture_fit, "MET", 0.0)
    went_on, _ = _fit(5e-3, np.random.default_rng(0))
    assert stopped < 0.8 * went_on


def test_no_more_steps_than_allowed(monkeypatch):
    taken = []
    monkeypatch.setattr(mixture_fit, "_descend", lambda *_, steps, enough: taken.append(steps))
    fit_mixture(_targets(), components=3, steps=450, rng=np.random.default_rng(0))
    assert taken == [100, 200, 150]
