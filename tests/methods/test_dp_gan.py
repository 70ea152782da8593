"""DP-GAN: one training run in the ledger, classes by noisy counts; the published variant proves nothing."""

import pytest

from tests.methods.counting_support import rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.registry import create_method

QUICK = {"steps": 100, "most_bins": 8}


@pytest.fixture(scope="module")
def made():
    return synthetic("dp-gan", params=QUICK)


def test_the_ledger_holds_all_critic_steps_and_spends_the_budget(made):
    certificate = made[0].certificate
    assert certificate.entries[-1].question == "descend"
    assert certificate.entries[-1].charge.steps == 100
    assert 0.99 < certificate.epsilon_proved <= 1.0


def test_classes_have_the_counted_shares(made):
    real, fake = rows().to_pandas(), made[1]
    assert abs((fake.ill == "yes").mean() - (real.ill == "yes").mean()) < 0.02
    assert set(fake.town) == {"A", "B", "C"}


def test_a_class_can_be_asked_for(made):
    some = made[0].model.sample(50, where={"ill": "yes"}, seed=1).to_pandas()
    assert set(some.ill) == {"yes"}


def test_the_published_noise_does_not_grow_with_the_number_of_steps():
    few, many = (create_method("dp-gan", params={"steps": steps}) for steps in (10, 10_000))
    budget = Budget(epsilon=1.0, delta=1e-5)
    assert few.claimed_noise(budget) == many.claimed_noise(budget)


def test_the_published_variant_proves_nothing_and_says_why():
    made, fake = synthetic("dp-gan", variant="published", params=QUICK)
    assert not made.certificate.proved
    assert "not composed" in made.certificate.reasons[0]
    assert set(fake.town) <= {"A", "B", "C"}
