"""DP-MERF: what it asks, what its rows are like, its variants, and what it refuses."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError, MissingExtra
from triplea.methods import dp_merf
from triplea.methods._merf import EMBEDDING
from triplea.registry import create_method
from triplea.schema import dump_schema, load_schema

pytest.importorskip("jax")
BUDGET = Budget(epsilon=1.0, delta=1e-5)
QUICK = {"steps": 400, "batch": 200, "features": 100, "hidden": [32]}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"scale": "bounds"}, [3.73]),
        ({"scale": "quantiles", "bins_share": 0.5}, [5.28] * 2),
        ({"scale": "bounds", "bins_share": 0.1, "sizes_share": 0.45}, [5.28] * 2),
        ({"scale": "quantiles", "bins_share": 1 / 3, "sizes_share": 1 / 3}, [6.46] * 3),
    ],
)
def test_one_two_and_three_releases_have_the_noise_of_exact_accounting(params, expected):
    plan = create_method("dp-merf", params=params).plan(SCHEMA, BUDGET)
    found = [charge.noise_multiplier for charge in calibrate(plan, BUDGET).values()]
    assert found == pytest.approx(expected, abs=0.01)


def test_what_columns_say_about_the_class_is_kept():
    made, fake = synthetic("dp-merf", params=QUICK)
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.02
    ill = fake[fake.ill == "yes"]
    assert abs(ill.age.mean() - 70) < 5 and abs(fake[fake.ill == "no"].age.mean() - 40) < 5
    assert (ill.town == "C").mean() > 0.8
    assert abs(fake.income.isna().mean() - 0.1) < 0.05
    assert 0.99 < made.certificate.epsilon_proved <= 1.0
    assert len(made.certificate.entries) == 2


@pytest.mark.parametrize("neighbours", ["add-or-remove-one", "replace-one"])
def test_one_joint_release_serves_both_kinds_of_neighbours(neighbours):
    made, _ = synthetic("dp-merf", params={**QUICK, "scale": "bounds", "steps": 50}, neighbours=neighbours)
    (entry,) = made.certificate.entries
    ratio = entry.sensitivity
    assert ratio == pytest.approx(1.0) if neighbours == "add-or-remove-one" else np.sqrt(2) <= ratio < 2


def test_a_column_to_focus_on_is_chosen_for_what_it_says_about_the_class():
    method = create_method("dp-merf", params={**QUICK, "focus": 1, "focus_share": 0.5})
    made, fake = synthetic(method)
    labels = [entry.charge.label for entry in made.certificate.entries]
    assert labels == [dp_merf.BINS, dp_merf.FOCUS, EMBEDDING]
    assert 0.99 < made.certificate.epsilon_proved <= 1.0
    assert (fake[fake.ill == "yes"].town == "C").mean() > 0.8


@pytest.mark.parametrize("target", [None, "income"])
def test_without_a_class_or_other_discrete_columns_there_is_nothing_to_focus_on(target):
    columns = [column for column in dump_schema(SCHEMA)["columns"] if column["name"] in ("age", "income")]
    schema = load_schema({"columns": columns, "target": target})
    plan = create_method("dp-merf", params={"focus": 2}).plan(schema, BUDGET)
    assert dp_merf.FOCUS not in [ask.label for ask in plan.asks]


def test_without_a_target_rows_follow_the_columns():
    plain = load_schema({"columns": dump_schema(SCHEMA)["columns"]})
    _, fake = synthetic("dp-merf", schema=plain, params=QUICK)
    assert abs(fake.age.mean() - rows().to_pandas().age.mean()) < 4
    assert abs((fake.town == "C").mean() - 0.2) < 0.06


def test_a_numeric_target_keeps_its_relation_to_the_columns():
    rng = np.random.default_rng(0)
    x = rng.random(20_000)
    kind = rng.choice(["a", "b"], 20_000)
    y = np.clip(0.6 * x + 0.3 * (kind == "b") + rng.normal(0, 0.05, 20_000), 0, 1)
    schema = load_schema(
        {
            "target": "y",
            "columns": [
                {"name": "x", "kind": "numeric", "lower": 0, "upper": 1},
                {"name": "kind", "kind": "categorical", "categories": ["a", "b"]},
                {"name": "y", "kind": "numeric", "lower": 0, "upper": 1},
            ],
        }
    )
    table = pa.table({"x": x, "kind": kind, "y": y})
    params = {"steps": 800, "batch": 300, "features": 200, "turn": 1.0, "hidden": [48, 48]}
    _, fake = synthetic("dp-merf", table=table, schema=schema, params=params)
    assert np.corrcoef(fake.x, fake.y)[0, 1] > 0.4
    assert fake[fake.kind == "b"].y.mean() - fake[fake.kind == "a"].y.mean() > 0.15


def test_numbers_alone_and_a_rare_class_keep_their_means():
    rng = np.random.default_rng(0)
    rare = rng.random(20_000) < 0.04
    numbers = np.clip(rng.normal(np.where(rare, 0.7, 0.3)[:, None], 0.1, (20_000, 2)), 0, 1)
    columns = [{"name": name, "kind": "numeric", "lower": 0, "upper": 1} for name in ("a", "b")]
    schema = load_schema({"target": "rare", "columns": [*columns, {"name": "rare", "kind": "boolean"}]})
    table = pa.table({"a": numbers[:, 0], "b": numbers[:, 1], "rare": rare})
    _, fake = synthetic("dp-merf", table=table, schema=schema, params=QUICK)
    assert abs(fake.rare.mean() - 0.04) < 0.01
    means = fake.groupby("rare")[["a", "b"]].mean()
    assert np.allclose(means, [[0.3, 0.3], [0.7, 0.7]], atol=0.1)


def test_a_class_without_rows_has_weight_zero_and_a_note():
    schema = dump_schema(SCHEMA)
    schema["columns"][-1]["categories"] = ["no", "yes", "never", "nobody", "none"]
    made, fake = synthetic("dp-merf", schema=load_schema(schema), params={**QUICK, "steps": 50}, epsilon=5.0)
    (note,) = [note for note in made.certificate.notes if "no rows after noise" in note]
    assert "of 5 classes have no rows after noise" in note and note.endswith("and get weight zero")
    assert {"never", "nobody", "none"} - set(fake.ill)
    assert (fake.ill.isin(["never", "nobody", "none"])).mean() < 0.01


def test_labels_are_uniform_where_the_schema_says_that_classes_are_balanced():
    schema = load_schema({**dump_schema(SCHEMA), "balanced_classes": True})
    made, fake = synthetic("dp-merf", schema=schema, params={**QUICK, "steps": 50}, rows=1000)
    assert (fake.ill == "yes").sum() == 500
    assert any("balanced" in note for note in made.certificate.notes)


def image_schema(side=6):
    pixels = [{"name": f"p{i}", "kind": "integer", "lower": 0, "upper": 255} for i in range(side * side)]
    label = {"name": "y", "kind": "categorical", "categories": [0, 1]}
    return {"target": "y", "image": {"shape": [side, side]}, "columns": [*pixels, label]}


def test_images_have_a_convolutional_generator():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 4000)
    light = np.zeros((4000, 6, 6))
    light[label == 0, :3] = 200
    light[label == 1, 3:] = 200
    pixels = np.clip(light + rng.normal(0, 20, light.shape), 0, 255).astype(int).reshape(4000, 36)
    table = pa.table({**{f"p{i}": pixels[:, i] for i in range(36)}, "y": label})
    params = {**QUICK, "steps": 200, "batch": 64}
    made, fake = synthetic("dp-merf", table=table, schema=load_schema(image_schema()), params=params)
    assert any("kernel" in name for name in made.model.model.state()[1])
    top = fake[[f"p{i}" for i in range(18)]].mean(axis=1)
    assert top[fake.y == 0].mean() > 120 > 80 > top[fake.y == 1].mean()


def test_an_image_of_another_size_is_refused():
    wrong = load_schema({**image_schema(), "image": {"shape": [5, 5]}})
    with pytest.raises(MethodError, match="image.shape is 5 x 5 = 25 pixels, but 36 columns"):
        create_method("dp-merf").plan(wrong, BUDGET)


def test_the_published_variant_runs_and_names_its_holes():
    made, fake = synthetic(
        create_method("dp-merf", variant="published", params={**QUICK, "steps": 200, "undersampling": 0.5})
    )
    text = " ".join(reason for entry in made.certificate.entries for reason in entry.reasons)
    assert all(word in text for word in ("median heuristic", "undersampling", "integer codes"))
    assert made.certificate.epsilon_proved == np.inf
    assert len(fake) > 0 and set(fake.ill) <= {"no", "yes"}


def test_one_far_row_decides_about_the_published_bandwidth():
    """Replace one of three rows by one a million away: all published directions become almost zero."""
    schema = load_schema({"columns": [{"name": "x", "kind": "numeric", "lower": 0, "upper": 1e6}]})
    found = []
    for last in (0.5, 1e6):
        method = create_method("dp-merf", variant="published", params={**QUICK, "steps": 1})
        synthetic(method, table=pa.table({"x": [0.5, 0.5, last]}), schema=schema)
        found.append(method.bandwidth_)
    assert found == pytest.approx([1.0, 1e6], rel=1e-3)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"scale": "wide"}, "'scale' must be one of auto, bounds, quantiles, got 'wide'"),
        ({"joint_share": 0.96}, "must add up to less than 1"),
        ({"bins_share": 0.6, "sizes_share": 0.5}, "'focus_share' must add up to less than 1, got 1.1"),
        ({"focus": 1, "focus_share": 0.9}, "'focus_share' must add up to less than 1, got 1"),
        ({"focus": -1}, "focus"),
        ({"features": -1}, "'features' must be a whole number"),
        ({"bandwidths": []}, "'bandwidths' must list numbers above 0"),
        ({"bandwidths": [0.0]}, "'bandwidths' must list numbers above 0"),
        ({"undersampling": 0.0}, "'undersampling' must lie above 0"),
        ({"max_cells": 10}, "more than max_cells=10"),
    ],
)
def test_bad_parameters_are_refused_before_reading(params, message):
    with pytest.raises(MethodError, match=message):
        create_method("dp-merf", params=params).plan(SCHEMA, BUDGET)


def test_without_jax_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(dp_merf, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"triplea\[jax\]"):
        create_method("dp-merf").plan(SCHEMA, BUDGET)


def test_planning_does_not_load_jax():
    code = (
        "import sys; from triplea.registry import list_methods; list_methods();"
        "import triplea.methods.dp_merf; sys.exit('jax' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
