"""Several targets: each is taught, paid for, and learned about at the door only."""

import dataclasses

import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.audit import replay
from triplea.methods._mosaic_targets import FURTHER, tutored_targets
from triplea.methods.mosaic import Mosaic

TWO = dataclasses.replace(SCHEMA, targets=("ill", "town"))


def test_listed_targets_of_few_classes_get_a_tutor():
    assert tutored_targets(SCHEMA) == ()
    assert tutored_targets(TWO) == ("town",)
    assert tutored_targets(dataclasses.replace(SCHEMA, targets=("age",))) == ()


def test_the_plan_pays_for_every_further_target():
    budget = Budget(epsilon=1.0, delta=1e-5)
    assert [ask.label for ask in Mosaic().plan(SCHEMA, budget).asks].count(FURTHER) == 0
    asks = {ask.label: ask.share for ask in Mosaic().plan(TWO, budget).asks}
    assert asks[FURTHER] == pytest.approx(0.3)


def test_both_targets_follow_from_the_features():
    made, fake = synthetic("mosaic", schema=TWO, params={"components": 20, "steps": 60})
    old = fake[fake.age > 70]
    assert (old.town == "C").mean() > 0.8
    assert (old.ill == "yes").mean() > 0.8
    assert made.certificate.epsilon_proved <= 1.0
    drawn = made.model.sample(500, where={"town": "C"}, seed=1).to_pandas()
    assert set(drawn.town) == {"C"}
    assert (drawn.ill == "yes").mean() > 0.8


@pytest.mark.parametrize("count", [0, 40])
def test_several_targets_pass_record_and_replay(count):
    table = rows(n=max(count, 1), seed=2)
    near = table.slice(1)
    options = {"schema": TWO, "epsilon": 1.0, "delta": 1e-5, "method": "mosaic"}
    report = replay(table, near, **options, params={"components": 5, "steps": 5})
    assert report.ok, str(report)
