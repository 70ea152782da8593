"""DP-MERF+AE: everything priced together, classes kept, conditions; the hidden encoder is only claimed."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.schema import dump_schema, load_schema

pytest.importorskip("jax")
BUDGET = Budget(epsilon=1.0, delta=1e-5)
QUICK = {"steps": 20, "batch": 100, "features": 50, "hidden": [16], "most_bins": 4, "autoencoder_steps": 3}


@pytest.fixture(scope="module")
def made():
    params = {"steps": 500, "batch": 200, "features": 200, "hidden": [32], "most_bins": 8}
    return synthetic("dp-merf-ae", params={**params, "autoencoder_steps": 200})


def test_the_ledger_holds_the_training_and_the_embedding_and_spends_the_budget(made):
    certificate = made[0].certificate
    labels = [entry.charge.label for entry in certificate.entries]
    assert labels[-2:] == ["training of the autoencoder", "class sums of features"]
    total = epsilon_of(certificate.charges, delta=1e-5, neighbours="add-or-remove-one")
    assert 0.98 < total == certificate.epsilon_proved <= 1.0


def test_what_columns_say_about_the_class_survives_the_latent_space(made):
    real, fake = rows().to_pandas(), made[1]
    assert abs((fake.ill == "yes").mean() - (real.ill == "yes").mean()) < 0.02
    means = fake.groupby("ill").age.mean()
    assert means["yes"] - means["no"] > 12
    assert (fake[fake.ill == "yes"].town == "C").mean() > 0.6
    assert abs(fake.income.isna().mean() - 0.1) < 0.06


def test_conditions_hold_and_a_stored_model_draws_the_same(made):
    some = made[0].model.sample(50, where={"town": "B", "age": 30}, seed=1).to_pandas()
    assert set(some.town) == {"B"} and set(some.age) == {30}
    model = made[0].model.model
    again = type(model).from_state(*model.state())
    one, two = (own.sample(30, rng=np.random.default_rng(0)) for own in (model, again))
    assert all(np.array_equal(one[name], two[name], equal_nan=True) for name in one)


def test_without_a_target_there_is_one_class():
    plain = load_schema({"columns": dump_schema(SCHEMA)["columns"]})
    _, fake = synthetic("dp-merf-ae", schema=plain, params=QUICK)
    assert set(fake.ill) <= {"no", "yes"} and len(fake) > 0


def test_a_table_of_one_column_needs_no_autoencoder():
    schema = load_schema({"columns": [{"name": "only", "kind": "categorical", "categories": ["a"]}]})
    table = rows(50).select(["town"]).rename_columns(["only"])
    certificate = synthetic("dp-merf-ae", table=table, schema=schema, params=QUICK)[0].certificate
    asked = {entry.charge.label: entry.was_asked for entry in certificate.entries}
    assert asked["training of the autoencoder"] is False  # planned and charged, and rows were left alone


def test_the_hidden_encoder_proves_nothing_and_says_why():
    made, fake = synthetic("dp-merf-ae", variant="published", params=QUICK)
    assert made.certificate.epsilon_proved == np.inf
    assert "without noise" in made.certificate.reasons[0] and "hidden state" in made.certificate.reasons[0]
    assert set(fake.town) <= {"A", "B", "C"}


@pytest.mark.parametrize(
    ("params", "budget", "message"),
    [
        ({"most_bins": 1}, BUDGET, "most_bins"),
        ({"features": -1}, BUDGET, "'features' must be a whole number"),
        ({"sampling_rate": 0.0}, BUDGET, "sampling_rate"),
        ({}, Budget(epsilon=1.0, delta=0.0), "delta above 0"),
    ],
)
def test_bad_parameters_are_refused_before_reading(params, budget, message):
    with pytest.raises(MethodError, match=message):
        create_method("dp-merf-ae", params=params).plan(SCHEMA, budget)
