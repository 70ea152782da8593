"""Unlisted categories show up when many hold them, and hardly ever when one person does."""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from tests.anonymize.door_support import door
from triplea.anonymize.charges import Charge
from triplea.anonymize.plan import Ask
from triplea.schema import Column, Schema
from triplea.tables import open_table

SCHEMA = Schema(columns=(Column(name="town", kind="categorical", discover=True),))
ASK = Ask(label="towns", mechanism="threshold", slack_delta_share=0.5)


def _towns(values, *, delta=1e-5):
    private = open_table(pa.table({"town": values}), schema=SCHEMA)
    return door(ASK, private=private, schema=SCHEMA, delta=delta).keys("town", label="towns")


def test_common_towns_are_found_in_sorted_order():
    assert _towns(["Ulm"] * 400 + ["Bern"] * 300 + ["x"]) == ("Bern", "Ulm")


def test_an_empty_table_has_no_towns():
    assert _towns(pa.array([], pa.string())) == ()


def test_one_persons_town_shows_up_at_most_with_the_slack():
    """2,000 draws at slack 0.05: expected at most 100; 140 would be four standard deviations above."""
    private = open_table(pa.table({"town": ["only one"]}), schema=SCHEMA)
    asked = door(ASK, private=private, schema=SCHEMA, delta=0.1)
    assert asked._charges["towns"].slack_delta == 0.1 * 0.45  # of the share 0.5, capped by the accountant
    asked._charges["towns"] = replace(asked._charges["towns"], times=2000)
    asked.ledger.asked = lambda label: 0  # counting all entries each time is slow
    assert 20 < sum(asked.keys("town", label="towns") != () for _ in range(2000)) < 140


def test_replacing_a_row_halves_the_slack_of_each_of_the_two_towns_it_touches():
    """600 draws at slack 0.4: each town may show in 120, and 160 would be four standard deviations above."""
    private = open_table(pa.table({"town": ["only one"]}), schema=SCHEMA)
    charge = Charge(label="towns", mechanism="threshold", noise_multiplier=50.0, slack_delta=0.4, times=600)
    asked = door(ASK, private=private, schema=SCHEMA, neighbours="replace-one")
    asked._charges["towns"] = charge
    assert 80 < sum(asked.keys("town", label="towns") != () for _ in range(600)) < 160


def test_the_witness_sees_counts_and_decides():
    class Watcher:
        def saw_keys(self, *, label, exact, released, bound):
            self.note = (label, dict(exact), bound)
            return ("forced",)

    watcher = Watcher()
    private = open_table(pa.table({"town": ["a", "a", "b"]}), schema=SCHEMA)
    asked = door(ASK, private=private, schema=SCHEMA, witness=watcher)
    assert asked.keys("town", label="towns") == ("forced",)
    assert watcher.note == ("towns", {"a": 2, "b": 1}, np.float64(1.0))
    assert asked.witnessed
