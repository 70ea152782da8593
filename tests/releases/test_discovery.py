"""Categories and bounds that the owner does not list are found under the budget."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

import triplea
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.releases.discovery import discovery_asks, stand_in
from triplea.schema import load_schema

SCHEMA = {
    "columns": [
        {"name": "town", "kind": "categorical", "discover": True},
        {"name": "size", "kind": "numeric", "discover": True},
        {"name": "floor", "kind": "integer", "discover": True},
    ]
}


def _table(n=5000):
    rng = np.random.default_rng(0)
    return pa.table(
        {
            "town": rng.choice(["Ulm", "Bern"], n),
            "size": rng.uniform(20.0, 150.0, n),
            "floor": rng.integers(-2, 12, n),
        }
    )


def test_what_was_found_becomes_the_schema():
    made = triplea.release(_table(), schema=SCHEMA, epsilon=2.0, delta=1e-5, seed=0)
    assert made.schema.column("town").categories == ("Bern", "Ulm", "other")
    assert made.schema.column("size").lower <= 20.0 < 130 < made.schema.column("size").upper <= 256.0
    assert made.schema.column("floor").lower <= -2
    assert len(made.certificate.entries) == 6
    assert made.certificate.epsilon_proved <= 2.0
    sizes = np.array(made.rows["size"].to_pylist())
    assert 60 < np.median(sizes) < 110


def test_a_stand_in_is_complete():
    assert stand_in(load_schema(SCHEMA)).undiscovered == ()


def test_categories_cannot_be_found_without_a_delta():
    with pytest.raises(MethodError, match="'town': discovering categories needs delta > 0"):
        discovery_asks(load_schema(SCHEMA), Budget(epsilon=1.0, delta=0.0))


def test_an_empty_table_is_answered_as_well():
    made = triplea.release(_table(0), schema=SCHEMA, epsilon=1.0, delta=1e-5, seed=0, rows=10)
    assert made.rows.num_rows == 10
    assert made.schema.column("town").categories == ("other",)


def test_missing_whole_numbers_and_dates_do_not_widen_the_bounds_that_are_found():
    count, day = ([None if i % 3 == 0 else value for i in range(3000)] for value in (40, date(2001, 5, 5)))
    columns = [
        {"name": "count", "kind": "integer", "discover": True, "nullable": True},
        {"name": "day", "kind": "date", "discover": True, "nullable": True},
    ]
    made = triplea.release(
        pa.table({"count": count, "day": day}), schema={"columns": columns}, epsilon=4.0, delta=1e-5,
        method="independent", rows=5, seed=2,
    )  # fmt: skip
    assert made.schema.column("count").upper == 64
    assert made.schema.column("day").upper == 2**14  # days since 1970
