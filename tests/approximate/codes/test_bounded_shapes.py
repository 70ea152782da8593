"""Columns of known mean and variance that stay in their ranges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from triplea.approximate.codes.bounded_shapes import beta_quantiles, bounded_code, possible_moments
from triplea.approximate.codes.normal_scores import SCORES
from triplea.schema import load_schema

EVEN = norm.ppf((np.arange(4000) + 0.5) / 4000)


def columns(width, *, kind="numeric", lower=0, upper=10):
    listed = [{"name": f"x{i}", "kind": kind, "lower": lower, "upper": upper} for i in range(width)]
    return load_schema({"columns": listed}).columns


def decoded(mean, variance):
    code = bounded_code(columns(1), np.array([mean]), np.array([variance]))
    return code.decode(EVEN[:, None])["x0"] / 5.0 - 1.0


@given(st.floats(-0.9, 0.9), st.floats(0.001, 0.85))
def test_standard_normal_entries_become_columns_with_the_wanted_moments(mean, part):
    variance = part * (1.0 - mean**2)
    values = decoded(mean, variance)
    assert values.mean() == pytest.approx(mean, abs=0.03)
    assert values.std() == pytest.approx(np.sqrt(variance), rel=0.1)
    assert np.abs(values).max() <= 1.0


def test_a_column_near_its_bound_leans_away_from_it_instead_of_being_cut_off():
    values = decoded(-0.9, 0.0064)
    cut_off = -0.9 + 0.08 * EVEN
    assert (cut_off <= -1.0).mean() > 0.1
    assert (values <= -1.0).mean() < norm.cdf(SCORES[0])
    assert np.mean((values - values.mean()) ** 3) > 0


def test_far_from_its_bounds_a_column_stays_normal():
    assert decoded(0.1, 0.0025) == pytest.approx(0.1 + 0.05 * EVEN, abs=0.005)


def test_a_column_that_varies_much_heaps_up_at_both_bounds():
    values = decoded(0.0, 0.8)
    assert (np.abs(values) > 0.9).mean() > 0.5


@given(st.floats(-3, 3), st.floats(-1, 5))
def test_moments_that_no_column_has_are_brought_into_range(mean, variance):
    place, spread = possible_moments(np.array([mean]), np.array([variance]))
    assert -1 < place[0] < 1
    assert 0 < spread[0] < 1 - place[0] ** 2
    assert np.isfinite(beta_quantiles(place, spread)).all()


def test_a_range_that_is_far_too_wide_changes_nothing():
    narrow = decoded(-0.9, 0.0016) + 1.0
    wide = decoded(-0.9999, 0.0016e-6) + 1.0
    assert wide * 1e3 == pytest.approx(narrow, rel=0.1, abs=0.002)


def test_a_mean_that_noise_put_on_the_bound_does_not_put_the_column_there():
    values = decoded(-1.0, 0.01)
    assert values.std() > 0.05
    assert (values <= -1.0).mean() < 0.3


def test_quantiles_climb_and_stay_in_range():
    quantiles = beta_quantiles(np.array([-0.9, 0.0, 0.5]), np.array([0.1, 0.3, 0.01]))
    assert quantiles.shape == (3, len(SCORES))
    assert (np.diff(quantiles, axis=1) >= 0).all()
    assert np.abs(quantiles).max() <= 1.0


def test_values_come_back_from_their_entries():
    code = bounded_code(columns(2), np.array([-0.5, 0.2]), np.array([0.1, 0.05]))
    rows = {"x0": np.array([0.5, 2.0, 6.0]), "x1": np.array([4.0, 6.0, 8.0])}
    back = code.decode(code.encode(rows))
    assert back["x0"] == pytest.approx(rows["x0"], abs=1e-6)
    assert back["x1"] == pytest.approx(rows["x1"], abs=1e-6)


def test_whole_numbers_stay_whole():
    code = bounded_code(columns(1, kind="integer"), np.array([-0.8]), np.array([0.05]))
    assert np.issubdtype(code.decode(EVEN[:, None])["x0"].dtype, np.integer)
