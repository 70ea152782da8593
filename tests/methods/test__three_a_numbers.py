"""The provable 3A on tables of numbers."""

import numpy as np
import pyarrow as pa
import pytest

from triplea.anonymize.budget import Budget
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.methods import _three_a_numbers as numbers
from triplea.releases.run import release
from triplea.schema import load_schema

WIDTH = 20


def schema_of(width, more=None):
    columns = [{"name": f"x{i}", "kind": "numeric", "lower": -10, "upper": 10} for i in range(width)]
    label = {"name": "y", "kind": "categorical", "categories": ["a", "b"]}
    return load_schema({"target": "y", "columns": [*columns, label], **(more or {})})


def two_classes(rows=6000, width=WIDTH, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(rows) < 0.3
    side = rng.choice([-2.0, 2.0], rows)  # two clusters in every class
    x = rng.normal(size=(rows, width)) * 0.5 + np.where(y, 2.0, 0.0)[:, None]
    x[:, 0] += side
    return pa.table({**{f"x{i}": x[:, i] for i in range(width)}, "y": np.where(y, "b", "a")})


def fake_rows(schema, table, **options):
    made = release(table, schema=schema, epsilon=2.0, delta=1e-5, method="clustmix", seed=0, **options)
    return made, pa.concat_tables(made.tables()).to_pandas()


def test_it_suits_tables_of_numbers_without_gaps_only():
    assert numbers.suits_numbers(schema_of(WIDTH))
    assert not numbers.suits_numbers(schema_of(WIDTH - 1))
    gaps = [{"name": f"x{i}", "kind": "numeric", "lower": 0, "upper": 1, "nullable": True} for i in range(30)]
    assert not numbers.suits_numbers(load_schema({"columns": gaps}))


def test_means_of_classes_and_clusters_within_them_are_kept():
    made, fake = fake_rows(schema_of(WIDTH), two_classes())
    means = fake.groupby("y")[["x3", "x4"]].mean()
    assert means.loc["b"].mean() == pytest.approx(2.0, abs=0.3)
    assert means.loc["a"].mean() == pytest.approx(0.0, abs=0.3)
    assert 1.5 < fake[fake.y == "a"].x0.std() < 3.5  # 2.06, with tails that the curved code widens
    assert len(made.model.model.weights) > 2  # more cells than classes


def test_wide_tables_and_images_are_seen_in_smooth_patterns():
    assert numbers.patterns_of(schema_of(WIDTH)) is None
    assert numbers.patterns_of(schema_of(300)).shape == (300, numbers.WIDE_PATTERNS)
    image = schema_of(100, {"image": {"shape": [10, 10]}})
    assert numbers.patterns_of(image).shape == (100, 100)
    assert numbers.image_shape(schema_of(100, {"image": {"height": 5, "width": 20}})) == (5, 20)
    for odd in ({"shape": "10"}, {"shape": [10, 11]}, {"height": 10}, "square"):
        assert numbers.image_shape(schema_of(100, {"image": odd})) is None
    _, fake = fake_rows(image, two_classes(width=100))
    gap = fake[fake.y == "b"].drop(columns="y").mean() - fake[fake.y == "a"].drop(columns="y").mean()
    assert 1.0 < gap.mean() < 2.3  # 2, less what clipping takes


def test_the_questions():
    budget = Budget(epsilon=1.0, delta=1e-5)
    narrow = [ask.label for ask in numbers.number_asks(schema_of(WIDTH), budget, NoisyCells())]
    assert narrow == [numbers.SCALES, numbers.SUMS, numbers.SPREAD, numbers.CELLS]
    wide = [ask.label for ask in numbers.number_asks(schema_of(300), budget, NoisyCells())]
    assert wide == [numbers.CENTRE, numbers.LENGTHS, numbers.SUMS, numbers.SPREAD, numbers.CELLS]
