"""The stored generator: rows in the schema's terms, conditions that hold, and storage without loss."""

import numpy as np
import pytest

from tests.approximate.codes.test_row_code import BINNINGS
from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.latent_rows import LatentRows, resample


def model(**options):
    layers = dense_layers("net", (3, 8, 10), rng=np.random.default_rng(0))
    layers["net.1"] = (4 * layers["net.1"][0], layers["net.1"][1])
    return LatentRows(layers=layers, noise=3, binnings=BINNINGS, **options)


def test_rows_have_every_column_and_stay_in_bounds():
    rows = model().sample(500, rng=np.random.default_rng(1))
    assert list(rows) == list(BINNINGS)
    assert all(len(part) == 500 for part in rows.values())
    assert rows["age"].min() >= 0 and rows["age"].max() <= 100
    assert set(np.unique(rows["town"])) <= {0, 1, 2, 3}
    assert len(model().sample(0, rng=np.random.default_rng(1))["age"]) == 0


def test_conditions_hold_and_change_the_other_columns_as_they_should():
    made, rng = model(), np.random.default_rng(2)
    rows = made.sample(4000, rng=rng, where={"sex": 1, "age": 33.0})
    assert set(rows["sex"]) == {1} and set(rows["age"]) == {33.0}
    free = made.sample(200_000, rng=rng)
    near = (free["sex"] == 1) & (free["age"] >= 20) & (free["age"] < 40)
    wanted = np.bincount(free["town"][near], minlength=4) / near.sum()
    assert np.bincount(rows["town"], minlength=4) / 4000 == pytest.approx(wanted, abs=0.04)


def test_a_stored_model_draws_the_same_rows():
    made = model()
    again = LatentRows.from_state(*made.state())
    one, two = (each.sample(100, rng=np.random.default_rng(5)) for each in (made, again))
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_the_likeliest_cells_are_the_same_for_the_same_noise():
    made = model(drawn=False)
    assert all(
        np.array_equal(one, two)
        for one, two in zip(
            made.cells(50, np.random.default_rng(1)).values(),
            made.cells(50, np.random.default_rng(1)).values(),
            strict=True,
        )
    )


def test_resampling_takes_every_row_as_often_as_its_weight_says():
    chosen = resample(np.array([0.0, 1.0, 3.0]), 400, np.random.default_rng(0))
    assert np.bincount(chosen, minlength=3).tolist() == [0, 100, 300]
    assert len(resample(np.zeros(3), 5, np.random.default_rng(0))) == 5
    assert len(resample(np.ones(3), 0, np.random.default_rng(0))) == 0
