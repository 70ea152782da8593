"""A mixture of products: sampling, conditioning, storing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.binning import each_value
from triplea.approximate.mixtures.product_mixture import ProductMixture, quota
from triplea.schema import Column

COLUMNS = {name: Column(name=name, kind="integer", lower=0, upper=2) for name in ("a", "b")}


def _model():
    return ProductMixture(
        weights=np.array([3.0, 1.0]),
        tables={"a": np.array([[1.0, 0, 0], [0, 0, 1.0]]), "b": np.array([[0.5, 0.5, 0], [0, 0.5, 0.5]])},
        binnings={name: each_value(column) for name, column in COLUMNS.items()},
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 50))
def test_quotas_add_up_and_are_off_by_less_than_one(shares, n):
    shares = np.array(shares) + 1e-9
    counts = quota(shares, n, np.random.default_rng(0))
    assert counts.sum() == n
    assert np.abs(counts - n * shares / shares.sum()).max() < 1 + 1e-9


def test_shares_are_met_to_a_rounding():
    rows = _model().sample(1000, rng=np.random.default_rng(0))
    assert np.bincount(rows["a"], minlength=3).tolist() == [750, 0, 250]
    assert np.abs(np.bincount(rows["b"], minlength=3) - [375, 500, 125]).max() <= 2


def test_a_condition_is_exact():
    rows = _model().sample(1000, rng=np.random.default_rng(0), where={"b": 1})
    assert set(rows["b"].tolist()) == {1}
    assert np.bincount(rows["a"], minlength=3).tolist() == [750, 0, 250]
    rows = _model().sample(100, rng=np.random.default_rng(0), where={"b": 2})
    assert set(rows["a"].tolist()) == {2}


def test_an_impossible_condition_still_gives_rows():
    rows = _model().sample(10, rng=np.random.default_rng(0), where={"a": 1})
    assert set(rows["a"].tolist()) == {1}


def test_columns_are_independent_within_a_component():
    rows = _model().sample(40_000, rng=np.random.default_rng(0), where={"a": 0})
    assert np.mean(rows["b"]) == pytest.approx(0.5, abs=0.01)


def test_state_round_trips():
    description, arrays = _model().state()
    again = ProductMixture.from_state(description, arrays)
    first = _model().sample(50, rng=np.random.default_rng(5))
    second = again.sample(50, rng=np.random.default_rng(5))
    assert all((first[name] == second[name]).all() for name in first)


def test_no_rows_are_an_empty_table():
    rows = _model().sample(0, rng=np.random.default_rng(0))
    assert {len(values) for values in rows.values()} == {0}
