"""MC-GEN: what it asks and keeps, the NoIFS switch, and the holes of the published variant."""

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.approximate.gaussians.mdav_gaussians import noisy_groups
from triplea.audit import replay
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.releases.request import prepare
from triplea.releases.run import release, run
from triplea.schema import load_schema
from triplea.tables import open_table

BUDGET = Budget(epsilon=1.0, delta=1e-5)
POINTS = load_schema(
    {"columns": [{"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in ("x", "y")]}
)


def labels(params, budget=BUDGET):
    asks = create_method("mc-gen", params=params).plan(SCHEMA, budget).asks
    return [(ask.label, ask.mechanism.value) for ask in asks]


def test_the_plan_asks_only_what_the_options_need():
    sets, cuts, cells = "second moments by class", "counts along directions", "moments of cells"
    assert [label for label, _ in labels({})] == [sets, cells]
    assert [label for label, _ in labels({"ifs": False})] == [cells]
    assert [label for label, _ in labels({"cluster_share": 0.2})] == [sets, cuts, cells]
    assert [label for label, _ in labels({"groups": [["age"], ["income", "town"]]})] == [cells]
    assert [label for label, _ in labels({"cluster_share": 0.2, "partition": "random", "ifs": False})] == [
        cells
    ]
    assert {kind for _, kind in labels({}, Budget(epsilon=1.0, delta=0.0))} == {"laplace"}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"ifs": False},
        {"cluster_share": 0.25},
        {"cluster_share": 0.25, "partition": "random"},
        {"groups": [["age", "town"]]},
    ],
)
def test_what_the_label_says_about_columns_is_kept(params):
    made, fake = synthetic("mc-gen", params=params)
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.03
    ill, well = fake[fake.ill == "yes"], fake[fake.ill == "no"]
    assert ill.age.mean() > 60 > 50 > well.age.mean()
    assert (ill.town == "C").mean() > 0.9 and (well.town == "C").mean() < 0.1
    assert abs(fake.income.isna().mean() - 0.1) < 0.05
    assert fake.age.dtype.kind == "i" and made.certificate.epsilon_proved <= 1.0


@pytest.mark.parametrize("options", [{"delta": 0.0}, {"neighbours": "replace-one"}])
def test_pure_budgets_and_replaced_rows_are_priced(options):
    made, fake = synthetic("mc-gen", epsilon=3.0, params={"cluster_share": 0.5}, **options)
    assert made.certificate.epsilon_proved <= 3.0
    assert fake[fake.ill == "yes"].age.mean() > fake[fake.ill == "no"].age.mean() + 10


def test_several_classes_and_a_class_smaller_than_a_cluster_are_kept():
    rng = np.random.default_rng(0)
    y = np.array(["a"] * 4000 + ["b"] * 800 + ["c"] * 30 + ["d"] * 2)
    x = np.clip(rng.normal(np.where(y == "a", -0.5, 0.5), 0.1), -1, 1)
    schema = load_schema(
        {
            "target": "y",
            "columns": [
                {"name": "x", "kind": "numeric", "lower": -1, "upper": 1},
                {"name": "y", "kind": "categorical", "categories": ["a", "b", "c", "d", "unseen"]},
            ],
        }
    )
    for variant in ("provable", "published"):
        _, fake = synthetic(
            "mc-gen",
            table=pa.table({"x": x, "y": y}),
            schema=schema,
            variant=variant,
            params={"cluster_share": 0.2},
        )
        assert fake[fake.y == "a"].x.mean() < -0.2 < 0.2 < fake[fake.y == "b"].x.mean()


@pytest.mark.parametrize("target", [None, "income"])
def test_without_classes_columns_keep_their_correlation(target):
    rng = np.random.default_rng(0)
    base = rng.normal(size=20_000)
    table = pa.table(
        {
            "a": np.clip(0.3 * base, -1, 1),
            "b": np.clip(0.3 * base + 0.1 * rng.normal(size=20_000), -1, 1),
            "income": np.clip(0.2 * base, -1, 1),
        }
    )
    columns = [{"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in table.column_names]
    schema = load_schema({"columns": columns, **({"target": target} if target else {})})
    _, fake = synthetic("mc-gen", table=table, schema=schema, params={"ifs": False})
    assert fake.corr().loc["a", "b"] > 0.85


@pytest.mark.parametrize("variant", ["provable", "published"])
def test_one_feature_and_constant_columns_have_a_defined_result(variant):
    flat = {"name": "x", "kind": "integer", "lower": 3, "upper": 3}
    one = load_schema({"columns": [flat]})
    _, fake = synthetic("mc-gen", table=pa.table({"x": [3] * 50}), schema=one, variant=variant)
    assert set(fake.x) == {3}
    pair = load_schema({"columns": [flat, {"name": "z", "kind": "numeric", "lower": 0, "upper": 1}]})
    table = pa.table({"x": [3] * 500, "z": np.full(500, 0.5)})
    _, fake = synthetic("mc-gen", table=table, schema=pair, variant=variant)
    assert set(fake.x) == {3} and fake.z.between(0, 1).all()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"cluster_share": 0.0}, "'cluster_share' must lie above 0 and at most 1, got 0.0"),
        ({"cluster_share": 50}, "'cluster_share' must lie above 0 and at most 1, got 50"),
        ({"partition": "mdav"}, "'partition' must be one of released, random, got 'mdav'"),
        ({"groups": [["age", "aeg"]]}, "'groups' names 'aeg', which is no feature"),
        ({"groups": [["age"], ["age"]]}, "'groups' names 'age' twice"),
        ({"sets_share": 0.9, "cuts_share": 0.2}, "must add up to less than 1, got 1.1"),
        ({"max_cells": 5}, "more than max_cells=5"),
    ],
)
def test_bad_parameters_are_refused_before_reading(params, message):
    with pytest.raises(MethodError, match=message):
        create_method("mc-gen", params=params).plan(SCHEMA, BUDGET)


def test_the_published_variant_is_only_claimed_and_says_why():
    with pytest.raises(MethodError, match="no proved guarantee"):
        release(rows(100), schema=SCHEMA, epsilon=1.0, delta=1e-5, method="mc-gen", variant="published")
    made, _ = synthetic("mc-gen", variant="published", params={"cluster_share": 0.5})
    assert made.certificate.epsilon_proved == float("inf")
    assert any("MDAV" in reason for reason in made.certificate.entries[0].reasons)


def corners(mover):
    points = [[0.1, 0.1]] * 49 + [[0.1, 0.9]] * 50 + [[0.9, 0.1]] * 50 + [[0.9, 0.9]] * 50 + [mover]
    x, y = (2 * np.array(points) - 1).T
    return pa.table({"x": x, "y": y})


def means_of(table, variant, params, seed=0):
    request = prepare(
        schema=POINTS, epsilon=500.0, delta=1e-5, method="mc-gen", variant=variant, rows=10, params=params
    )
    made = run(request, open_table(table, schema=POINTS), seed=seed)
    return made.model.model.sets[0].means[0]


def test_one_row_regroups_the_published_variant():
    """With next to no noise, the means of neighbours differ by 3.2 in total; 0.04 is assumed."""
    one, two = (
        means_of(corners(mover), "published", {"cluster_share": 0.5, "ifs": False})
        for mover in ([0.0, 0.1], [0.1, 0.0])
    )
    assert min(np.abs(one - two).sum(), np.abs(one - two[::-1]).sum()) > 3.0


def test_the_provable_variant_stays_in_bounds_on_the_same_neighbours():
    report = replay(
        corners([0.0, 0.1]),
        corners([0.1, 0.0]),
        schema=POINTS,
        epsilon=1.0,
        delta=1e-5,
        method="mc-gen",
        neighbours="replace-one",
        params={"cluster_share": 0.5, "ifs": False},
    )
    assert report.ok, str(report)
    assert report.used <= 1.0


def test_no_column_is_copied_from_the_table():
    """The authors' code leaves the last feature of every row as it is; here no number returns."""
    rng = np.random.default_rng(0)
    table = pa.table({"x": rng.uniform(-1, 1, 600), "y": rng.uniform(-1, 1, 600)})
    for variant in ("provable", "published"):
        _, fake = synthetic("mc-gen", table=table, schema=POINTS, variant=variant, rows=600)
        for name in ("x", "y"):
            inside = fake[name][fake[name].abs() < 1]
            assert not set(inside) & set(table[name].to_pylist())


def test_published_noise_has_the_printed_scales():
    """Mean: 2d / (|c| 0.4 epsilon); covariance: d(d+1) / (|c| 0.6 epsilon)."""
    vectors, klass = np.zeros((10, 2)), np.zeros(10, dtype=np.int64)
    drawn = np.array(
        [
            noisy_groups(
                vectors, klass, klass, np.arange(2), classes=1, epsilon=1.0, noise=np.random.default_rng(seed)
            ).means[0, 0]
            for seed in range(4000)
        ]
    )
    assert np.abs(drawn).mean() == pytest.approx(2 * 2 / (10 * 0.4), rel=0.05)


def test_phishing_reaches_the_goal(data_folder):
    """epsilon = 1, delta = 1e-5: logistic regression on synthetic rows gets 88 % of real ones right."""
    linear = pytest.importorskip("sklearn.linear_model")
    import pyarrow.parquet as pq

    schema = load_schema(data_folder / "schemas" / "phishing.json")
    whole = pq.ParquetFile(data_folder / "phishing.parquet").read()
    order = np.random.default_rng(0).permutation(whole.num_rows)
    train, test = whole.take(order[:8844]), whole.take(order[8844:]).to_pandas()
    _, fake = synthetic("mc-gen", table=train, schema=schema)
    features = list(schema.features)
    model = linear.LogisticRegression(max_iter=500)
    model.fit(fake[features].astype(float), fake.result.astype(int))
    assert model.score(test[features].astype(float), test.result.astype(int)) >= 0.88
