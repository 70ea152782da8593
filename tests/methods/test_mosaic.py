"""The flagship picks the half that suits the schema, and stands above its floor."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.methods._mosaic_numbers import NumberMosaic
from triplea.methods._mosaic_tables import TableMosaic
from triplea.methods.mosaic import Mosaic
from triplea.registry import AUTO
from triplea.schema import load_schema

NUMBERS = load_schema(
    {
        "target": "y",
        "columns": [
            *({"name": f"x{i}", "kind": "numeric", "lower": -1, "upper": 1} for i in range(24)),
            {"name": "y", "kind": "categorical", "categories": [0, 1]},
        ],
    }
)


def test_it_is_the_default():
    assert AUTO == "mosaic"


def test_the_schema_alone_decides_which_half_works():
    assert isinstance(Mosaic().half(SCHEMA), TableMosaic)
    assert isinstance(Mosaic().half(NUMBERS), NumberMosaic)


def test_parameters_reach_the_half():
    assert Mosaic(components=7).half(SCHEMA).components == 7
    assert Mosaic(wide_from=9).half(NUMBERS).wide_from == 9


def test_its_plan_and_cost_are_the_halfs():
    budget = Budget(epsilon=1.0, delta=1e-5)
    for schema in (SCHEMA, NUMBERS):
        assert Mosaic().plan(schema, budget) == Mosaic().half(schema).plan(schema, budget)
        assert Mosaic().cost(schema, 1000) == Mosaic().half(schema).cost(schema, 1000)


def test_associations_between_features_survive():
    """In the made-up table town C means ill, and the ill are old: so town and age are associated."""
    real = rows().to_pandas()
    _, fake = synthetic("mosaic")
    _, floor = synthetic("independent")

    def gap(frame):
        return frame[frame.town == "C"].age.mean() - frame[frame.town == "A"].age.mean()

    assert gap(fake) == pytest.approx(gap(real), rel=0.2)
    assert abs(gap(floor)) < 0.2 * gap(real)


def test_the_label_follows_the_features():
    real = rows().to_pandas()
    _, fake = synthetic("mosaic")
    assert (fake.ill == "yes").mean() == pytest.approx(0.2, abs=0.01)
    means = fake.groupby("ill").age.mean()
    assert np.abs(means - real.groupby("ill").age.mean()).max() < 3


def test_permuted_labels_teach_nothing():
    table = rows()
    shuffled = np.random.default_rng(1).permutation(table["ill"].to_numpy())
    permuted = table.set_column(table.column_names.index("ill"), "ill", [shuffled])
    _, fake = synthetic("mosaic", table=permuted)
    assert abs(fake.groupby("ill").age.mean().diff().iloc[-1]) < 2.5
