"""What methods with counts and one training run have in common; a test file names the method."""

import pytest

from tests.methods.counting_support import rows, synthetic

QUICK = {"steps": 100, "most_bins": 8}


class OneRun:
    """One training run in the ledger, rows in the schema; the published variant proves nothing."""

    name: str

    @pytest.fixture(scope="class")
    @classmethod
    def made(cls):
        return synthetic(cls.name, params=QUICK)

    def test_the_ledger_holds_the_training_and_spends_the_budget(self, made):
        certificate = made[0].certificate
        assert certificate.entries[-1].question == "descend"
        assert certificate.entries[-1].charge.steps == 100
        assert 0.99 < certificate.epsilon_proved <= 1.0

    def test_shares_of_single_columns_are_near(self, made):
        real, fake = rows().to_pandas(), made[1]
        assert abs((fake.ill == "yes").mean() - (real.ill == "yes").mean()) < 0.12
        assert abs(fake.income.isna().mean() - 0.1) < 0.1
        assert set(fake.town) == {"A", "B", "C"}

    def test_conditions_hold(self, made):
        some = made[0].model.sample(50, where={"town": "B"}, seed=1).to_pandas()
        assert set(some.town) == {"B"}

    def test_the_published_variant_proves_nothing_and_says_why(self):
        made, fake = synthetic(self.name, variant="published", params=QUICK)
        assert not made.certificate.proved
        assert "clipped" in made.certificate.reasons[0]
        assert set(fake.town) <= {"A", "B", "C"}
