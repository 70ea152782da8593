"""PATE-GAN: a fixed number of votes, teachers behind the door, and nothing read after the last vote."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.registry import create_method
from triplea.tables import open_table

QUICK = {"rounds": 3, "questions": 64, "turns": 3, "hidden": 16, "noise": 8, "most_bins": 8}
BUDGET = Budget(epsilon=1.0, delta=1e-5)


class Forgetful(Door):
    """A door whose table is exchanged for another one after so many votes."""

    def vote(self, votes, *, label):
        answer = super().vote(votes, label=label)
        if self.ledger.asked(label) == self.after:
            self._table = self.other
        return answer


def fitted(after, other):
    method = create_method("pate-gan", params=QUICK)
    table = open_table(rows(3_000), schema=SCHEMA)
    charges = calibrate(method.plan(SCHEMA, BUDGET), BUDGET)
    door = Forgetful(table=table, schema=SCHEMA, budget=BUDGET, charges=charges, seed=0)
    door.after, door.other = after, open_table(other, schema=SCHEMA)
    model = method.fit(door, rng=np.random.default_rng(0)).model_
    return model.state()[1]


def same(one, two):
    return all(np.array_equal(one[name], two[name]) for name in one)


def test_another_table_after_the_last_vote_changes_nothing():
    whole, swapped = fitted(0, rows(3_000)), fitted(3, rows(500, seed=9))
    assert same(whole, swapped)
    assert not same(whole, fitted(1, rows(500, seed=9)))


@pytest.fixture(scope="module")
def made():
    return synthetic("pate-gan", params=QUICK)


def test_the_ledger_holds_every_round_and_spends_the_budget(made):
    certificate = made[0].certificate
    assert [entry.question for entry in certificate.entries][-3:] == ["vote"] * 3
    assert certificate.entries[-1].sensitivity == 8.0
    assert 0.99 < certificate.epsilon_proved <= 1.0


def test_classes_have_the_counted_shares_and_can_be_asked_for(made):
    assert abs((made[1].ill == "yes").mean() - 0.2) < 0.02
    assert set(made[0].model.sample(20, where={"ill": "yes"}, seed=1).to_pandas().ill) == {"yes"}


def test_the_published_variant_proves_nothing_and_says_why():
    made, fake = synthetic("pate-gan", table=rows(3_000), variant="published", params=QUICK)
    assert not made.certificate.proved
    assert "last part" in made.certificate.reasons[0]
    assert set(fake.town) <= {"A", "B", "C"}
