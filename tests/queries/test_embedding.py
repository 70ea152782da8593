"""Class sums of features: exact, short by construction, and the same for a row alone and among others."""

import numpy as np
import pytest

from tests.contracts.examples import embeddings
from tests.support.tables import mixed_schema, mixed_table
from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.coordinates import MixedCoordinates, whole_range
from triplea.approximate.embeddings.random_features import draw_features
from triplea.queries.embedding import CIRCLE, UNIT_BITS, Embedding
from triplea.registry import create_method
from triplea.schema import load_schema

SCHEMA = mixed_schema()
ROWS = SCHEMA.encode(mixed_table(200))
ONE = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "x", "kind": "numeric", "lower": 0, "upper": 1},
            {"name": "c", "kind": "categorical", "categories": ["a", "b"]},
            {"name": "y", "kind": "boolean"},
        ],
    }
)


def small(*, joint=0, label="y", **shares):
    cells = {"x": whole_range(ONE, "x"), "c": each_value(ONE.column("c"))}
    coordinates = MixedCoordinates(binnings=cells, discrete=["c"])
    features = draw_features(
        coordinates, harmonics=(1.0, 3.0), joint=joint, bandwidths=(1.0,), turn=1.0,
        rng=np.random.default_rng(0), **{"joint_share": 0.3, "count_share": 0.1, **shares},
    )  # fmt: skip
    classes = each_value(ONE.column(label)) if label else None
    return Embedding(coordinates=coordinates, features=features, label=label, classes=classes)


def rows_of(x, c, y):
    return {"x": np.asarray(x, float), "c": np.asarray(c), "y": np.asarray(y)}


def scaled(query, units):
    return np.ravel(units * np.asarray(query.grid) / np.asarray(query.scale))


def test_points_of_the_circle_are_never_longer_than_one():
    lengths = (CIRCLE.astype(np.int64) ** 2).sum(axis=0)
    assert lengths.max() <= 4**UNIT_BITS
    assert lengths.min() >= (2**UNIT_BITS - 2) ** 2


def test_the_sums_are_counts_cosines_and_sines_of_the_rows():
    query = small(joint=4)
    x, c, y = np.array([0.0, 0.25, 1.0]), np.array([0, 1, 1]), np.array([1, 0, 1])
    values = query.partial_sums(rows_of(x, c, y)) * query.grid
    assert values[1, :3] == pytest.approx([2, 1, 1])
    assert values[0, :3] == pytest.approx([1, 0, 1])
    flags, waves = query.features.flags, query.features.waves
    assert values[1, flags] == pytest.approx(np.cos(0) + np.cos(np.pi), abs=1e-3)
    assert values[0, flags + 1] == pytest.approx(np.cos(0.75 * np.pi), abs=1e-3)
    assert values[0, flags + waves] == pytest.approx(np.sin(0.25 * np.pi), abs=1e-3)
    features = query.features
    angle = (0.25 * features.directions[:, 0] / 2**16 + features.angles[0][1] / 2**32) * 2 * np.pi
    assert values[0, flags + 2 : flags + waves] == pytest.approx(np.cos(angle), abs=1e-3)


@pytest.mark.parametrize("which", range(3))
def test_a_row_adds_the_same_alone_and_among_others(which):
    query = embeddings(SCHEMA)[which]
    whole = query.partial_sums(ROWS)
    alone = sum(query.partial_sums({name: v[i : i + 1] for name, v in ROWS.items()}) for i in range(200))
    assert np.array_equal(whole, alone)


def test_the_bounds_are_reached():
    query = small(joint=4)
    row = scaled(query, query.partial_sums(rows_of([0.3], [0], [0])))
    assert np.linalg.norm(row) == pytest.approx(query.row_l2, rel=1e-3)
    other = scaled(query, query.partial_sums(rows_of([0.3], [0], [1])))
    assert np.linalg.norm(row - other) == pytest.approx(np.sqrt(2) * query.row_l2, rel=1e-3)
    ends = small()
    low, high = (scaled(ends, ends.partial_sums(rows_of([x], [c], [0]))) for x, c in ((0.0, 0), (1.0, 1)))
    assert np.linalg.norm(low - high) == pytest.approx(ends.swap_l2, rel=1e-3)


def test_replacing_a_row_costs_less_than_twice_adding_one():
    query = small(joint=4)
    assert np.sqrt(2) * query.row_l2 <= query.swap_l2 < 2 * query.row_l2


def test_weights_share_one_unit_of_length():
    assert small(joint=4).row_l2 == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("params", "multiplier", "releases"),
    [
        ({"scale": "bounds"}, 3.73, 1),
        ({"scale": "quantiles", "bins_share": 0.5}, 5.28, 2),
    ],
)
def test_the_noise_is_that_of_exact_gaussian_accounting(params, multiplier, releases):
    """At (1, 1e-5) one release has noise 3.73, two equal ones 5.28, three 6.46 (classic RDP: 4.90 and up)."""
    pytest.importorskip("jax")
    budget = Budget(epsilon=1.0, delta=1e-5)
    plan = create_method("dp-merf", params=params).plan(ONE, budget)
    found = [charge.noise_multiplier for charge in calibrate(plan, budget).values()]
    assert len(found) == releases
    assert found == pytest.approx([multiplier] * releases, abs=0.01)
