"""Labels as numbers: right means and variances, short residuals, rows that know nothing of others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.mixtures.outcomes import Outcomes

SHARES = np.array([0.2, 0.5, 0.2, 0.1])
KINDS = [Outcomes(classes=4), Outcomes.on_scale(SHARES), Outcomes.on_scale(SHARES, missing=True)]


def _chances(seed, rows=20, classes=4):
    return np.random.default_rng(seed).dirichlet(np.full(classes, 0.3), size=rows)


@pytest.mark.parametrize("outcomes", KINDS)
def test_what_is_foretold_is_the_mean_of_what_is_seen(outcomes):
    chances, rng = _chances(0, rows=5), np.random.default_rng(1)
    for row in chances:
        seen = outcomes.seen(rng.choice(4, 200_000, p=row))
        assert seen.shape == (200_000, outcomes.count)
        # Five standard errors of 200,000 draws: a false alarm in a million.
        assert np.allclose(seen.mean(axis=0), outcomes.foretold(row[None, :])[0], atol=5 * 3.0 / 447)
        assert np.allclose(seen.var(axis=0), outcomes.variances(row[None, :])[0], atol=5 * 9.0 / 447)


@given(st.sampled_from(KINDS), st.integers(0, 10_000))
def test_no_label_makes_a_weighted_residual_longer_than_one_and_one_reaches_it(outcomes, seed):
    chances = _chances(seed)
    lengths = []
    for label in range(4):
        missed = outcomes.seen(np.full(20, label)) - outcomes.foretold(chances)
        lengths.append(np.linalg.norm(missed * outcomes.leverage(chances)[:, None], axis=1))
    assert np.max(lengths, axis=0) == pytest.approx(np.ones(20), abs=1e-9)


@given(st.sampled_from(KINDS), st.integers(0, 10_000), st.integers(0, 19))
def test_a_row_alone_has_the_numbers_that_it_has_among_others(outcomes, seed, place):
    chances = _chances(seed)
    alone = chances[place : place + 1].copy()
    assert np.array_equal(outcomes.foretold(chances)[place], outcomes.foretold(alone)[0])
    assert outcomes.leverage(chances)[place] == outcomes.leverage(alone)[0]


def test_stretches_stand_in_order_in_standard_units_and_missing_in_the_middle():
    scale = Outcomes.on_scale(SHARES).scale
    assert np.all(np.diff(scale) > 0)
    assert (SHARES @ scale, SHARES @ scale**2) == (pytest.approx(0.0), pytest.approx(1.0))
    missing = Outcomes.on_scale(SHARES, missing=True).scale
    assert missing[-1] == 0.0
    assert SHARES[:3] @ missing[:3] == pytest.approx(0.0)


@pytest.mark.parametrize("shares", [[1.0], [1.0, 0.0], [0.0, 0.0]])
def test_a_scale_of_one_place_says_nothing_and_harms_nothing(shares):
    outcomes = Outcomes.on_scale(np.array(shares), missing=len(shares) > 1)
    chances = np.full((1, len(shares)), 1.0 / len(shares))
    weighted = outcomes.foretold(chances) * outcomes.leverage(chances)[:, None]
    assert np.isfinite(outcomes.scale).all()
    assert np.isfinite(weighted).all()


def test_labels_outside_all_classes_count_as_nothing():
    for outcomes in KINDS:
        assert not outcomes.seen(np.array([-1, 4])).any()


def test_weights_of_outcomes_become_weights_of_classes():
    weights = np.array([[1.0], [2.0]])
    assert Outcomes(classes=2).by_class(weights).tolist() == [[0.0, 1.0], [0.0, 2.0]]
    scaled = Outcomes.on_scale(np.array([0.5, 0.5])).by_class(weights)
    assert np.allclose(scaled, [[-1.0, 1.0], [-2.0, 2.0]])
