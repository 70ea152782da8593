"""Counts before training, and what a network method needs to start."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows
from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.methods._networks import LEAST_BINS, WIDEST, bins_for, with_bias
from triplea.registry import create_method
from triplea.schema import Column, Schema
from triplea.tables import open_table

BUDGET = Budget(epsilon=1.0, delta=1e-5)


@pytest.fixture(scope="module")
def counted():
    method = create_method("dp-auto-gan")
    charges = calibrate(method.plan(SCHEMA, BUDGET), BUDGET)
    table = open_table(rows(), schema=SCHEMA)
    return method.count(Door(table=table, schema=SCHEMA, budget=BUDGET, charges=charges, seed=0))


def test_shares_add_up_and_are_close(counted):
    assert counted.label == "ill"
    assert counted.rows == pytest.approx(20_000, rel=0.03)
    for name, shares in counted.shares.items():
        assert shares.sum() == pytest.approx(1.0), name
    assert counted.shares["ill"] == pytest.approx([0.8, 0.2], abs=0.01)


@pytest.mark.parametrize(("columns", "bins"), [(3, 16), (500, 8), (5_000, LEAST_BINS)])
def test_many_columns_have_fewer_cells_each(columns, bins):
    wide = Schema(
        columns=tuple(Column(name=f"x{i}", kind="numeric", lower=0, upper=1) for i in range(columns))
    )
    assert bins_for(wide, 16) == bins
    assert bins * columns <= max(WIDEST, LEAST_BINS * columns)


def test_the_last_layer_starts_at_the_shares(counted):
    width = counted.code.layout.width
    layers = with_bias(
        {"d.0": (np.zeros((2, width), np.float32), np.ones(width, np.float32))}, "d.0", counted
    )
    logits = layers["d.0"][1][None, :]
    assert counted.code.shares(logits, "town")[0] == pytest.approx(counted.shares["town"], abs=1e-3)


def test_costs_grow_with_rows_and_steps():
    quick = create_method("dp-auto-gan", params={"critic_steps": 10})
    assert create_method("dp-auto-gan").cost(SCHEMA, 10**6).seconds > quick.cost(SCHEMA, 10**6).seconds
    assert quick.cost(SCHEMA, 10**6).seconds > quick.cost(SCHEMA, 10**3).seconds
