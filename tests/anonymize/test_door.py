"""The door prices, refuses or charges, and only then reads."""

from dataclasses import replace

import numpy as np
import pytest

from tests.anonymize.door_support import AGES, SCHEMA, door, table
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.certificate import price
from triplea.anonymize.plan import Ask
from triplea.errors import BudgetExceeded, SchemaError
from triplea.queries import Scores
from triplea.schema import Schema, Unit


class Untouchable:
    """An engine that must not be asked."""

    def __getattr__(self, name):
        raise AssertionError(f"the engine was asked: {name}")


class MostCommonAge(Scores):
    sums = AGES
    size = 10
    proof = "docs/proofs/exponential.md"
    row_bound = 1.0
    swap_bound = 1.0

    def scores(self, units):
        return units.astype(float)


def test_a_measurement_is_close_to_the_truth_and_says_its_noise():
    answer = door().measure(AGES, label="ages")
    assert answer.values.shape == (10,)
    assert np.abs(answer.values - 100).max() < 6 * np.max(answer.stddev)
    assert (answer.values == np.round(answer.values)).all()


def test_an_unplanned_question_is_refused_before_reading():
    with pytest.raises(BudgetExceeded, match="'surprise' is not in the plan.*Nothing was read"):
        door(engine=Untouchable()).measure(AGES, label="surprise")


def test_a_question_cannot_be_asked_twice_for_one_price():
    asked = door()
    asked.measure(AGES, label="ages")
    with pytest.raises(BudgetExceeded, match="planned 1 time.*Nothing was read.*times=2"):
        asked.measure(AGES, label="ages")
    assert len(asked.ledger.entries) == 1


def test_what_was_planned_and_not_asked_is_charged_at_the_end_without_reading():
    asks = [Ask(label="ages", mechanism="gaussian", times=3), Ask(label="pick", mechanism="exponential")]
    asked, silent = door(*asks), door(*asks, engine=Untouchable())
    asked.measure(AGES, label="ages")
    before = asked.ledger.entries[0]
    for one in (asked, silent):
        one.charge_the_rest()
        one.charge_the_rest()  # nothing is left the second time
        assert [entry.charge.label for entry in one.ledger.entries] == ["ages"] * 3 + ["pick"]
        assert price([*one.ledger.entries], one.budget)[0] == pytest.approx(1.0, rel=5e-3)
    assert asked.ledger.entries[0] == before
    assert [entry.was_asked for entry in asked.ledger.entries] == [True, False, False, False]
    with pytest.raises(BudgetExceeded):
        asked.measure(AGES, label="ages")


def test_a_question_of_another_kind_is_refused():
    with pytest.raises(SchemaError, match="planned as 'gaussian'"):
        door(engine=Untouchable()).choose(MostCommonAge(), label="ages")


def test_the_ledger_costs_what_was_asked_for():
    asked = door(Ask(label="ages", mechanism="gaussian", times=3), Ask(label="pick", mechanism="exponential"))
    for _ in range(3):
        asked.measure(AGES, label="ages")
    asked.choose(MostCommonAge(), label="pick")
    spent = epsilon_of(asked.ledger.charges, delta=1e-5, neighbours=asked.budget.neighbours)
    assert 0.99 < spent <= 1.0


def test_a_charge_stays_when_the_reading_fails():
    class Broken:
        def total(self, *_):
            raise OSError("disk")

    asked = door(engine=Broken())
    with pytest.raises(OSError, match="disk"):
        asked.measure(AGES, label="ages")
    assert asked.ledger.asked("ages") == 1


@pytest.mark.parametrize(("relation", "factor"), [("add-or-remove-one", 1.0), ("replace-one", np.sqrt(2))])
def test_noise_follows_the_neighbour_relation(relation, factor):
    entry_of = {}
    for name in ("add-or-remove-one", relation):
        asked = door(neighbours=name)
        asked.measure(AGES, label="ages")
        entry_of[name] = asked.ledger.entries[0]
    assert entry_of[relation].sensitivity == pytest.approx(factor * entry_of["add-or-remove-one"].sensitivity)
    assert entry_of[relation].noise_to == pytest.approx(factor * entry_of["add-or-remove-one"].noise_to)


def test_a_unit_of_many_rows_multiplies_the_noise():
    schema = Schema(columns=SCHEMA.columns, unit=Unit(column="age", max_rows=7))
    asked = door(schema=schema)
    asked.measure(AGES, label="ages")
    assert asked.ledger.entries[0].sensitivity == pytest.approx(7.0)


def test_pure_epsilon_uses_laplace_noise():
    asked = door(Ask(label="ages", mechanism="laplace"), delta=0.0)
    answer = asked.measure(AGES, label="ages")
    assert asked.ledger.entries[0].norm == "L1"
    assert np.max(answer.stddev) == pytest.approx(np.sqrt(2.0))


def test_choosing_prefers_the_better_score():
    ages = np.concatenate([np.full(500, 3), np.arange(10)])
    private = table(510, age=ages)
    picks = [
        door(Ask(label="pick", mechanism="exponential"), private=private).choose(
            MostCommonAge(), label="pick"
        )
        for _ in range(5)
    ]
    assert picks == [3] * 5


def test_quantiles_are_released_within_the_public_range():
    asked = door(Ask(label="median", mechanism="gaussian"), epsilon=5.0)
    low, middle, high = asked.quantiles("age", [0.0, 0.5, 1.0], label="median")
    assert 0 <= low <= middle <= high <= 10
    assert 3 <= middle <= 7


def test_reading_in_the_clear_costs_infinity():
    asked = door(Ask(label="all rows", mechanism="clear"))
    rows = asked.read_in_the_clear(label="all rows", reasons=["for a method without a guarantee"])
    assert len(rows["age"]) == 1000
    spent = epsilon_of(asked.ledger.charges, delta=1e-5, neighbours=asked.budget.neighbours)
    assert np.isinf(spent)


def test_a_claimed_computation_costs_infinity_and_keeps_its_reasons():
    asked = door(Ask(label="the paper", mechanism="claimed"))
    mean = asked.as_claimed(
        lambda rows, rng: rows["age"].mean() + rng.normal(), label="the paper", reasons=["bounds from rows"]
    )
    assert np.isfinite(mean)
    assert asked.ledger.entries[0].reasons == ("bounds from rows",)
    assert np.isinf(epsilon_of(asked.ledger.charges, delta=1e-5, neighbours=asked.budget.neighbours))


def test_a_seeded_door_says_so():
    assert door().seeded
    assert not door().witnessed


def test_noise_beyond_the_grid_is_refused_before_reading():
    asked = door(epsilon=1.0, engine=Untouchable())
    asked._charges["ages"] = replace(asked._charges["ages"], noise_multiplier=1e13)
    with pytest.raises(BudgetExceeded, match="grid steps.*Nothing was read"):
        asked.measure(AGES, label="ages")
    assert asked.ledger.entries == []
