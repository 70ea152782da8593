"""DP-SYN: one run for all labels, noisy rounds, labels private; the published variant is found out."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.schema import dump_schema, load_schema

QUICK = {"steps": 60, "most_bins": 8, "hidden": 12, "latent": 4}


@pytest.fixture(scope="module")
def made():
    return synthetic("dp-syn", params=QUICK)


def test_the_ledger_holds_one_training_and_every_round(made):
    certificate = made[0].certificate
    labels = [entry.charge.label for entry in certificate.entries]
    assert labels[-5:] == ["training of the autoencoders"] + 4 * ["rounds of expectation-maximisation"]
    total = epsilon_of(certificate.charges, delta=1e-5, neighbours="add-or-remove-one")
    assert 0.99 < total == certificate.epsilon_proved <= 1.0


def test_shares_and_what_a_column_says_about_the_label_survive(made):
    real, fake = rows().to_pandas(), made[1]
    assert abs((fake.ill == "yes").mean() - (real.ill == "yes").mean()) < 0.02
    assert abs(fake.income.isna().mean() - 0.1) < 0.05
    means = fake.groupby("ill").age.mean() - real.groupby("ill").age.mean()
    assert np.abs(means).max() < 6
    assert (fake[fake.ill == "yes"].town == "C").mean() > 0.8


def test_conditions_hold(made):
    some = made[0].model.sample(50, where={"town": "B", "ill": "no"}, seed=1).to_pandas()
    assert set(some.town) == {"B"} and set(some.ill) == {"no"}


def test_no_label_is_needed():
    plain = load_schema({"columns": dump_schema(SCHEMA)["columns"]})
    _, fake = synthetic("dp-syn", schema=plain, params={**QUICK, "rounds": 1})
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.1


def test_the_published_variant_proves_nothing_says_why_and_loses_minorities():
    made, fake = synthetic("dp-syn", variant="published", params=QUICK)
    assert not made.certificate.proved
    reasons = " ".join(made.certificate.reasons)
    assert "Labels are taken as public" in reasons and "raw size" in reasons
    assert fake.income.isna().mean() < 0.01  # a tenth of the real ones are missing


@pytest.mark.parametrize("name", ["hidden", "latent", "components", "rounds"])
def test_bad_parameters_are_refused_before_reading(name):
    with pytest.raises(MethodError, match=name):
        create_method("dp-syn", params={name: 0}).plan(SCHEMA, Budget(epsilon=1.0, delta=1e-5))
