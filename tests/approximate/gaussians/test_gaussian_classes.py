"""The model of classes with Gaussian vectors: sampling, conditioning, storing."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value, equal_width
from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.gaussians.gaussian_classes import GaussianClasses
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.schema import Column

A = Column(name="a", kind="numeric", lower=-10, upper=10, nullable=True)
B = Column(name="b", kind="integer", lower=0, upper=100)
TOWN = Column(name="town", kind="categorical", categories=("x", "y"))


def _model():
    return GaussianClasses(
        order=("town", "a", "label", "b"),
        label="label",
        weights=np.array([3.0, 1.0]),
        code=NumberCode.plain((A, B)),
        gaussians=LatentGaussians(
            offset=np.zeros(2),
            means=np.array([[-0.3, 0.0], [0.3, 0.0]]),
            covariances=np.array([[[0.01, 0.005], [0.005, 0.01]]]),
        ),
        tables={"town": np.array([[1.0, 0.0], [0.5, 0.5]]), "a": np.array([[0.8, 0.2], [1.0, 0.0]])},
        binnings={"town": each_value(TOWN), "a": equal_width(A, 1)},
    )


def test_classes_cells_and_gaps_come_in_their_shares():
    rows = _model().sample(8000, rng=np.random.default_rng(0))
    assert list(rows) == ["town", "a", "label", "b"]
    assert np.bincount(rows["label"]).tolist() == [6000, 2000]
    assert np.isnan(rows["a"]).sum() == 1200
    assert (rows["town"] == 1).sum() == 1000
    assert np.nanmean(rows["a"][rows["label"] == 1]) == pytest.approx(3.0, abs=1e-6)
    assert rows["b"].dtype.kind == "i" and 0 <= rows["b"].min() <= rows["b"].max() <= 100


@pytest.mark.parametrize("n", [20, 400])
def test_a_small_class_is_drawn_evenly_unless_it_has_too_few_rows_for_quantiles(n):
    """Of 20 rows none is moved to quantiles: releases differ in their smallest value as chance has it."""
    lowest = [
        np.min(_model().sample(n, rng=np.random.default_rng(seed), where={"label": 1})["a"])
        for seed in range(12)
    ]
    assert (np.std(lowest) < 0.15) == (n == 400)


def test_conditions_are_exact_and_reweight_the_classes():
    rows = _model().sample(2000, rng=np.random.default_rng(0), where={"town": 1})
    assert set(rows["label"].tolist()) == {1} and set(rows["town"].tolist()) == {1}
    rows = _model().sample(2000, rng=np.random.default_rng(0), where={"a": 4.0})
    assert set(rows["a"].tolist()) == {4.0} and set(rows["label"].tolist()) == {1}
    assert rows["b"].mean() == pytest.approx(50 * (1 + 0.05), abs=0.5)
    rows = _model().sample(100, rng=np.random.default_rng(0), where={"a": float("nan"), "b": 50})
    assert np.isnan(rows["a"]).all() and set(rows["label"].tolist()) == {0}
    rows = _model().sample(100, rng=np.random.default_rng(0), where={"label": 1, "town": 0})
    assert set(rows["label"].tolist()) == {1}


def test_an_impossible_condition_still_gives_rows():
    rows = _model().sample(7, rng=np.random.default_rng(0), where={"label": 0, "town": 1})
    assert set(rows["town"].tolist()) == {1} and len(rows["a"]) == 7


def test_state_round_trips():
    description, arrays = _model().state()
    again = GaussianClasses.from_state(description, arrays)
    first, second = (m.sample(60, rng=np.random.default_rng(5)) for m in (_model(), again))
    assert all(np.array_equal(first[name], second[name], equal_nan=name == "a") for name in first)


def _model_of_parts():
    """The first class is two clouds: three quarters of it at -6, one quarter at +2."""
    return GaussianClasses(
        order=("town", "a", "label", "b"),
        label="label",
        weights=np.array([3.0, 1.0, 1.0]),
        code=NumberCode.plain((A, B)),
        gaussians=LatentGaussians(
            offset=np.zeros(2),
            means=np.array([[-0.6, 0.0], [0.2, 0.0], [0.3, 0.0]]),
            covariances=0.001 * np.eye(2)[None],
        ),
        tables={"town": np.array([[1.0, 0.0], [0.5, 0.5]])},
        binnings={"town": each_value(TOWN)},
        owner=np.array([0, 0, 1]),
    )


def test_a_class_of_parts_keeps_its_shares_and_tables():
    rows = _model_of_parts().sample(5000, rng=np.random.default_rng(0))
    assert np.bincount(rows["label"]).tolist() == [4000, 1000]
    assert (rows["town"] == 1).sum() == 500
    assert np.bincount(rows["label"][rows["a"] > -2.0]).tolist() == [1000, 1000]


def test_conditions_weigh_the_parts_of_a_class():
    rows = _model_of_parts().sample(4000, rng=np.random.default_rng(0), where={"label": 0})
    assert (rows["a"] > -2.0).sum() == 1000 and set(rows["label"].tolist()) == {0}
    rows = _model_of_parts().sample(4000, rng=np.random.default_rng(0), where={"town": 0})
    assert (rows["label"] == 1).sum() == pytest.approx(4000 * 0.5 / 4.5, abs=1)
    rows = _model_of_parts().sample(1000, rng=np.random.default_rng(0), where={"label": 0, "a": 2.0})
    assert set(rows["label"].tolist()) == {0}


def test_parts_round_trip_and_models_stored_without_them_are_read():
    description, arrays = _model_of_parts().state()
    again = GaussianClasses.from_state(description, arrays)
    assert again.owner.tolist() == [0, 0, 1]
    description, arrays = _model().state()
    old = GaussianClasses.from_state(description, {n: a for n, a in arrays.items() if n != "owner"})
    assert old.owner.tolist() == [0, 1]


def test_no_rows_are_an_empty_table():
    rows = _model().sample(0, rng=np.random.default_rng(0))
    assert {len(values) for values in rows.values()} == {0}


def test_slices_make_no_difference_to_the_shares(monkeypatch):
    monkeypatch.setattr("triplea.approximate.gaussians.gaussian_classes.SLICE_ENTRIES", 1)
    rows = _model().sample(5000, rng=np.random.default_rng(0))
    assert np.nanmean(rows["a"][rows["label"] == 0]) == pytest.approx(-3.0, abs=0.05)
    assert len(rows["b"]) == 5000
