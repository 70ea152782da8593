"""Independent columns: right margins, no associations."""

import numpy as np

from tests.methods.counting_support import rows, synthetic


def test_margins_survive_and_associations_do_not():
    real = rows().to_pandas()
    _, fake = synthetic("independent")
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.01
    assert abs(fake.age.mean() - real.age.mean()) < 1
    assert abs(fake.income.isna().mean() - 0.1) < 0.01
    assert np.abs(fake.groupby("ill").age.mean().diff().iloc[-1]) < 2


def test_a_large_budget_gives_nearly_exact_counts():
    real = rows().to_pandas()
    _, fake = synthetic("independent", epsilon=20.0, delta=1e-3, rows=20_000)
    gap = fake.town.value_counts(normalize=True) - real.town.value_counts(normalize=True)
    assert gap.abs().max() < 0.001
