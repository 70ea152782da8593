"""Stored rows: each once before any twice, conditions hold, and nothing is lost in a file."""

import numpy as np

from tests.approximate.codes.test_row_code import BINNINGS
from triplea.approximate.networks.stored_cells import StoredCells

RNG = np.random.default_rng


def model(rows=40):
    rng = RNG(0)
    cells = {name: rng.integers(0, binning.cells, rows) for name, binning in BINNINGS.items()}
    return StoredCells(cells=cells, binnings=BINNINGS)


def test_as_many_rows_as_are_stored_come_without_repetition():
    made = model()
    rows = made.sample(40, rng=RNG(1))
    assert np.array_equal(np.sort(rows["town"]), np.sort(made.cells["town"]))
    assert len(made.sample(95, rng=RNG(1))["town"]) == 95
    assert len(made.sample(0, rng=RNG(1))["town"]) == 0


def test_conditions_hold_also_where_no_row_fits():
    made = model(3)
    for town in range(4):
        assert set(made.sample(7, rng=RNG(2), where={"town": town})["town"]) == {town}


def test_a_stored_model_draws_the_same_rows():
    made = model()
    again = StoredCells.from_state(*made.state())
    one, two = (each.sample(30, rng=RNG(3)) for each in (made, again))
    assert all(np.array_equal(one[name], two[name], equal_nan=True) for name in one)
