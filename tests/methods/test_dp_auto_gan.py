"""DP-auto-GAN: both phases priced together, mixed columns, conditions; the published variant is found out."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.budget import Budget
from triplea.bench.datasets import load_dataset
from triplea.errors import MethodError, UserError
from triplea.registry import create_method
from triplea.schema import dump_schema, load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)
QUICK = {"autoencoder_steps": 60, "critic_steps": 120, "most_bins": 8}


@pytest.fixture(scope="module")
def made():
    return synthetic("dp-auto-gan", params=QUICK)


def test_the_ledger_holds_both_trainings_and_spends_the_budget(made):
    certificate = made[0].certificate
    labels = [entry.charge.label for entry in certificate.entries]
    assert labels[-2:] == ["training of the autoencoder", "training of the critic"]
    total = epsilon_of(certificate.charges, delta=1e-5, neighbours="add-or-remove-one")
    assert 0.99 < total == certificate.epsilon_proved <= 1.0
    assert any("floating-point noise" in note for note in certificate.notes)


def test_shares_and_what_a_column_says_about_the_label_survive(made):
    real, fake = rows().to_pandas(), made[1]
    assert abs((fake.ill == "yes").mean() - (real.ill == "yes").mean()) < 0.02
    assert abs(fake.income.isna().mean() - 0.1) < 0.05
    means = fake.groupby("ill").age.mean() - real.groupby("ill").age.mean()
    assert np.abs(means).max() < 5
    assert (fake[fake.ill == "yes"].town == "C").mean() > 0.8


def test_conditions_hold(made):
    some = made[0].model.sample(50, where={"town": "B", "age": 30}, seed=1).to_pandas()
    assert set(some.town) == {"B"} and set(some.age) == {30}


def test_no_label_is_needed():
    plain = load_schema({"columns": dump_schema(SCHEMA)["columns"]})
    _, fake = synthetic("dp-auto-gan", schema=plain, params=QUICK)
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.03


def test_the_published_variant_proves_nothing_and_says_why():
    made, fake = synthetic("dp-auto-gan", variant="published", params=QUICK)
    assert not made.certificate.proved
    assert "hidden state" in made.certificate.reasons[0]
    assert set(fake.town) <= {"A", "B", "C"}


def test_bad_parameters_are_refused_before_reading():
    with pytest.raises(MethodError, match="preset"):
        create_method("dp-auto-gan", params={"preset": "cars"}).plan(SCHEMA, BUDGET)
    with pytest.raises(MethodError, match="most_bins"):
        create_method("dp-auto-gan", params={"most_bins": 1}).plan(SCHEMA, BUDGET)
    with pytest.raises(MethodError, match="delta above 0"):
        create_method("dp-auto-gan").plan(SCHEMA, Budget(epsilon=1.0, delta=0.0))


@pytest.mark.parametrize("preset", ["auto", "adult", "binary"])
def test_presets_plan_two_training_runs(preset):
    asks = create_method("dp-auto-gan", params={"preset": preset}).plan(SCHEMA, BUDGET).asks
    assert [ask.steps for ask in asks[-2:]] == {
        "auto": [300, 600],
        "adult": [10_000, 15_000],
        "binary": [15_000, 7_000],
    }[preset]


def test_the_binary_preset_takes_a_wide_table_of_zeros_and_ones():
    """A smoke test on the open MIMIC-III demo, 100 patients: whether it runs, not how well."""
    try:
        demo = load_dataset("mimic3_demo")
    except UserError:
        pytest.skip("mimic3_demo.parquet is not here")
    params = {"preset": "binary", "autoencoder_steps": 3, "critic_steps": 4}
    schema = load_schema(demo.schema)
    made, fake = synthetic("dp-auto-gan", table=demo.train, schema=schema, params=params, rows=40)
    assert fake.shape == (40, len(schema.names))
    assert set(np.unique(fake.drop(columns="gender"))) <= {0, 1}
    assert made.certificate.proved
