"""The plan is the ledger as it will be, from public knowledge alone."""

import json

import pytest

import triplea
from tests.methods.counting_support import SCHEMA
from triplea.errors import BudgetError


def test_the_planned_ledger_is_the_one_that_is_spent(release):
    planned = triplea.plan(schema=SCHEMA, epsilon=1.0, delta=1e-5)
    spent = [entry.charge.to_json() for entry in release.certificate.entries]
    asked = [{**entry, "times": 1} for entry in planned.ledger for _ in range(entry.get("times", 1))]
    assert asked == [{**entry, "times": 1} for entry in spent]
    assert planned.epsilon_planned == pytest.approx(release.certificate.epsilon_proved)


def test_it_is_json():
    planned = triplea.plan(schema=SCHEMA, epsilon=1.0, delta=1e-5, rows=5)
    assert json.loads(json.dumps(planned.to_json()))["rows"] == 5


def test_what_cannot_work_is_refused():
    with pytest.raises(BudgetError, match="epsilon"):
        triplea.plan(schema=SCHEMA, epsilon=0, delta=1e-5)
