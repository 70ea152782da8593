"""Entries bent to normal scores, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import kstest, norm

from triplea.approximate.codes.normal_scores import LEAST_STEP, SCORES, bent, climbing, unbent

IN_ORDER = hnp.arrays(float, len(SCORES), elements=st.floats(-8, 8)).map(np.sort)


@given(IN_ORDER, hnp.arrays(float, 5, elements=st.floats(-40, 40)))
def test_what_is_bent_can_be_bent_back(values, entries):
    knots = climbing(values)
    assert unbent(bent(entries, knots), knots) == pytest.approx(entries, abs=1e-9)


@given(IN_ORDER)
def test_knots_keep_their_distance_and_stay_near_their_values(values):
    knots = climbing(values)
    assert np.diff(knots).min() >= LEAST_STEP - 1e-12
    assert np.abs(knots - values).max() <= LEAST_STEP * len(SCORES)


def test_equal_values_are_moved_apart_to_both_sides():
    knots = climbing(np.zeros(len(SCORES)))
    assert knots == pytest.approx(-knots[::-1])


def test_a_skewed_column_becomes_normal_within_its_bulk():
    values = np.random.default_rng(0).gamma(2.0, size=20_000)
    scores = bent(values, climbing(np.quantile(values, norm.cdf(SCORES))))
    inside = scores[np.abs(scores) < SCORES[-1]]
    low, high = norm.cdf(SCORES[[0, -1]])
    assert kstest(inside, lambda x: (norm.cdf(x) - low) / (high - low)).statistic < 0.01
    assert kstest(values - 2.0, "norm").statistic > 0.1


def test_distances_beyond_the_knots_are_kept():
    knots = climbing(np.linspace(-1.0, 5.0, len(SCORES)))
    assert bent(np.array([7.0, 9.5]), knots) == pytest.approx([4.0, 6.5])
    assert bent(np.array([-3.0]), knots) == pytest.approx([-4.0])


def test_missing_entries_stay_missing():
    assert np.isnan(bent(np.array([np.nan]), SCORES)).all()
