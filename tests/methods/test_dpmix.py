"""DPMix: random mixtures, provable by a keyed hash."""

import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.releases.run import release


def test_classes_are_kept():
    made, fake = synthetic("dpmix")
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.03
    assert fake[fake.ill == "yes"].age.mean() > fake[fake.ill == "no"].age.mean()
    assert made.certificate.epsilon_proved <= 1.0


def test_the_published_variant_is_claimed_only():
    made = release(
        rows(600), schema=SCHEMA, epsilon=1.0, delta=1e-5, method="dpmix", variant="published",
        params={"sigma_max": 0.3}, seed=0, accept_unproved=True,
    )  # fmt: skip
    assert any("mixtures" in note for note in made.certificate.notes)


@pytest.mark.parametrize("params", [{"sigma_max": -1.0}, {"clusters": 0}, {"codes": "x"}, {"scaling": "x"}])
def test_parameters_are_refused_by_name(params):
    with pytest.raises(MethodError, match=next(iter(params))):
        create_method("dpmix", params=params).plan(SCHEMA, Budget(epsilon=1.0, delta=1e-5))
