"""DP-CGAN: one training run in the ledger, classes by noisy counts; the published variant proves nothing."""

import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.schema import dump_schema, load_schema

QUICK = {"steps": 60, "most_bins": 8, "noise": 16, "hidden": 32}


@pytest.fixture(scope="module")
def made():
    return synthetic("dp-cgan", params=QUICK)


def test_the_ledger_holds_the_training_and_spends_the_budget(made):
    certificate = made[0].certificate
    assert certificate.entries[-1].charge.label == "training of the discriminator"
    assert 0.99 < certificate.epsilon_proved <= 1.0


def test_classes_have_the_counted_shares(made):
    real, fake = rows().to_pandas(), made[1]
    assert abs((fake.ill == "yes").mean() - (real.ill == "yes").mean()) < 0.02
    assert set(fake.town) <= {"A", "B", "C"}


def test_three_classes_work_and_each_can_be_asked_for():
    by_town = load_schema({**dump_schema(SCHEMA), "target": "town"})
    made, fake = synthetic("dp-cgan", schema=by_town, table=rows(2_000), params={**QUICK, "steps": 3})
    assert set(fake.town) == {"A", "B", "C"}
    some = made.model.sample(20, where={"town": "C"}, seed=1).to_pandas()
    assert set(some.town) == {"C"}


def test_a_table_without_a_label_works():
    plain = load_schema({key: value for key, value in dump_schema(SCHEMA).items() if key != "target"})
    _, fake = synthetic("dp-cgan", schema=plain, table=rows(2_000), params={**QUICK, "steps": 3})
    assert set(fake.ill) == {"no", "yes"}


def test_the_published_variant_proves_nothing_and_says_why():
    made, fake = synthetic("dp-cgan", variant="published", params=QUICK)
    assert not made.certificate.proved
    assert any("labels of the batch" in reason for reason in made.certificate.reasons)
    assert isinstance(made.rows, pa.Table) and set(fake.town) <= {"A", "B", "C"}
