"""ClustMix: what it keeps, the hole of the published variant, and why the provable one has none."""

import re

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.anonymize.mixing import MixtureNoise, mu_of
from triplea.audit import replay
from triplea.audit.movers import mover_pair
from triplea.errors import MethodError
from triplea.registry import create_method
from triplea.releases.preflight import plan
from triplea.releases.run import release
from triplea.schema import load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)
MIX_OF_99 = {"sigma_max": 0.0534, "alpha": 1.0}  # Eq. 8 with two features, one class, epsilon 1: l_min = 99


def test_what_the_label_says_about_columns_is_kept():
    made, fake = synthetic("clustmix")
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.03
    ill, well = fake[fake.ill == "yes"], fake[fake.ill == "no"]
    assert ill.age.mean() > 60 > 50 > well.age.mean()
    assert (ill.town == "C").mean() > 0.9 and (well.town == "C").mean() < 0.1
    assert made.certificate.epsilon_proved <= 1.0
    assert any("l_min" in note for note in made.certificate.notes)


def test_adaptation_leaves_a_valid_table():
    _, fake = synthetic("clustmix", params={"alpha": 0.5, "steps": 5, "clusters": 2})
    assert set(fake.town.dropna()) <= {"A", "B", "C"}


def test_learning_from_rows_is_one_more_question():
    params = {"alpha": 0.5, "steps": 7, "learn_from": "rows"}
    *_, ask = create_method("clustmix", params=params).plan(SCHEMA, BUDGET).asks
    assert (ask.mechanism.value, ask.steps) == ("sampled-gaussian", 7)
    published = create_method("clustmix", variant="published", params=params)
    assert [ask.mechanism.value for ask in published.plan(SCHEMA, BUDGET).asks] == ["claimed"]


@pytest.mark.parametrize("more", [{}, {"learn_from": "rows"}])
def test_of_several_alphas_one_is_chosen_under_the_budget(more):
    params = {"alpha": [1.0, 0.5], "steps": 5, "clusters": 2, **more}
    if more:
        with pytest.raises(MethodError, match="alpha"):
            create_method("clustmix", params=params).plan(SCHEMA, BUDGET)
        return
    made, _ = synthetic("clustmix", params=params)
    assert [charge.mechanism.value for charge in made.certificate.charges][-1] == "exponential"
    assert made.certificate.epsilon_proved <= 1.0


# The counter-example: one replaced row turns left and right clusters into bottom and top ones.


def released_points(table, schema, seed):
    """What the published variant hands out: its points, one row each."""
    method = create_method("clustmix", variant="published", params=MIX_OF_99)
    made = release(
        table, schema=schema, epsilon=1.0, delta=1e-5, method=method, variant="published", rows=2,
        seed=seed, accept_unproved=True,
    )  # fmt: skip
    return pa.concat_tables(made.tables()).to_pandas()[["x", "y"]].to_numpy()


def is_left_and_right(points):
    """The attack: are two points further apart across than up?"""
    across, up = np.ptp(points, axis=0)
    return across > up


def test_published_centroids_move_far_beyond_the_claimed_bound():
    schema, table, neighbour = mover_pair()
    noise = MixtureNoise(features=2, classes=1, mu=mu_of(1.0, 1e-5))
    assert noise.least_size(MIX_OF_99["sigma_max"]) == 99
    one, two = (np.sort(released_points(t, schema, seed=0), axis=0) for t in (table, neighbour))
    allowed = np.sqrt(2) / 99
    assert np.linalg.norm(one - two) > 10 * allowed + 4 * float(noise.stddev(99))


def test_an_attack_tells_the_published_pair_apart_almost_always():
    schema, table, neighbour = mover_pair()
    first = [is_left_and_right(released_points(table, schema, seed)) for seed in range(8)]
    second = [is_left_and_right(released_points(neighbour, schema, seed)) for seed in range(8)]
    assert (
        abs(np.mean(first) - np.mean(second)) > 0.9
    )  # at epsilon = 1, delta = 1e-5 it could be 0.46 at most


def test_the_provable_variant_passes_record_and_replay_on_the_pair():
    schema, table, neighbour = mover_pair()
    report = replay(
        table, neighbour, schema=schema, epsilon=1.0, delta=1e-5, method="clustmix", neighbours="replace-one"
    )
    assert report.ok, str(report)


def test_the_same_attack_on_the_provable_variant_stays_within_epsilon():
    schema, table, neighbour = mover_pair()

    def share(source, runs=30):
        hits = 0
        for seed in range(runs):
            made = release(
                source, schema=schema, epsilon=1.0, delta=1e-5, method="clustmix",
                neighbours="replace-one", rows=400, seed=seed,
            )  # fmt: skip
            points = pa.concat_tables(made.tables()).to_pandas()[["x", "y"]].to_numpy()
            halves = [points[points[:, axis] > 0.5].mean(axis=0) for axis in (0, 1)]
            hits += halves[0][0] > halves[1][1]
        return hits / runs

    one, two = share(table), share(neighbour)
    slack = 3 * np.sqrt(0.25 / 30)
    assert one <= np.e * two + 1e-5 + slack * (1 + np.e) and two <= np.e * one + 1e-5 + slack * (1 + np.e)


# Bad input


def test_no_target_one_class_constant_columns_and_few_rows_all_work():
    columns = [
        {"name": "x", "kind": "numeric", "lower": 0, "upper": 1},
        {"name": "same", "kind": "numeric", "lower": 3, "upper": 3},
        {"name": "kind", "kind": "categorical", "categories": ["only"]},
    ]
    table = pa.table({"x": [0.1, 0.9] * 20, "same": [3.0] * 40, "kind": ["only"] * 40})
    for target in ({}, {"target": "kind"}):
        made = release(
            table, schema={**target, "columns": columns}, epsilon=1.0, delta=1e-5, method="clustmix", seed=0
        )
        assert made.certificate.epsilon_proved <= 1.0
    made = release(
        table, schema={"columns": columns}, epsilon=5.0, delta=1e-5, method="clustmix", variant="published",
        params={"sigma_max": 0.5, "alpha": 1.0}, seed=0, accept_unproved=True,
    )  # fmt: skip
    assert made.certificate.notes


def test_a_budget_under_which_no_mixture_fits_is_refused_before_reading():
    published = create_method("clustmix", variant="published", params={"alpha": 1.0, "sigma_max": 0.1})
    with pytest.raises(MethodError, match=r"l_min = inf rows .*delta above 0"):
        published.plan(SCHEMA, Budget(epsilon=1.0, delta=0.0))


@pytest.mark.parametrize("count", [0, 1, 20])
def test_too_few_rows_are_no_error_and_the_certificate_says_so(count):
    made = release(
        rows(20).slice(0, count), schema=SCHEMA, epsilon=0.5, delta=1e-5, method="clustmix",
        variant="published", params={"alpha": 1.0, "sigma_max": 0.1}, rows=7, seed=0, accept_unproved=True,
    )  # fmt: skip
    assert len(pa.concat_tables(made.tables())) == 7
    assert any("no class has l_min" in note for note in made.certificate.notes)


def test_the_plan_says_how_many_rows_a_mixture_needs():
    options = {"schema": SCHEMA, "epsilon": 1.0, "delta": 1e-5, "method": "clustmix"}
    published = plan(**options, variant="published", params={"alpha": 1.0, "sigma_max": [0.1, 0.2]})
    assert re.search(r"needs l_min rows of one class: \d+ \(sigma_max 0.1\), \d+", published.outline[-1])
    assert not any("l_min" in line for line in plan(**options).outline)


def test_a_class_below_l_min_is_missing_and_the_certificate_says_so():
    schema = load_schema({"target": "y", "columns": [
        {"name": "y", "kind": "categorical", "categories": ["a", "b"]},
        {"name": "x", "kind": "numeric", "lower": 0, "upper": 1},
    ]})  # fmt: skip
    table = pa.table({"y": ["a"] * 200 + ["b"] * 5, "x": np.linspace(0, 1, 205)})
    made = release(
        table, schema=schema, epsilon=1.0, delta=1e-5, method="clustmix", variant="published",
        params={"alpha": 1.0, "sigma_max": 0.2}, seed=0, accept_unproved=True,
    )  # fmt: skip
    assert any("too few rows" in note for note in made.certificate.notes)


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({"alpha": 1.5}, "alpha"),
        ({"ridge": 0.0}, "ridge"),
        ({"depth": -1}, "depth"),
        ({"sigma_max": [0.1, 0.2]}, "sigma_max"),
        ({"sigma_max": "x"}, "sigma_max"),
        ({"learn_from": "x"}, "learn_from"),
        ({"alpha": 0.5, "learn_from": "rows", "ridge": 1e-6}, "ridge"),
        ({"clusters": 0}, "clusters"),
        ({"rounds": 0}, "rounds"),
        ({"slices": -1}, "slices"),
        ({"codes": "x"}, "codes"),
        ({"tail": 0.0}, "tail"),
        ({"spread": 2.0}, "spread"),
    ],
)
def test_parameters_are_refused_by_name(params, named):
    with pytest.raises(MethodError, match=named):
        create_method("clustmix", params=params).plan(SCHEMA, BUDGET)
