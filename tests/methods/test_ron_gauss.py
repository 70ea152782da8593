"""RON-Gauss: three forms, correct sensitivities, and the published ones found out."""

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, synthetic
from triplea.anonymize.budget import Budget
from triplea.approximate.gaussians.projected_gaussians import mean_scale, orthonormal_rows, scatter_scale
from triplea.errors import MethodError
from triplea.queries.moments import MomentPart
from triplea.registry import create_method
from triplea.schema import load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)
NUMBERS = [{"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in "abcd"]


def numbers(n=20_000):
    rng = np.random.default_rng(0)
    base = rng.normal(size=n)
    spread = {"a": 0.3 * base, "b": 0.3 * base + 0.05 * rng.normal(size=n), "c": 0.2 * rng.normal(size=n)}
    spread["d"] = 0.25 * base + 0.05 * rng.normal(size=n)
    return pa.table({name: np.clip(values, -1, 1) for name, values in spread.items()})


def flipped(p):
    """Two unit rows whose scatter matrices differ by p in L1: all signs equal, and half of them flipped."""
    one = np.full(p, 1 / np.sqrt(p))
    return one, one * np.where(np.arange(p) < p // 2, -1, 1)


@pytest.mark.parametrize("p", [4, 8, 16, 32, 64])
def test_the_scatter_matrix_moves_more_than_the_published_sensitivity_allows(p):
    one, two = flipped(p)
    moved = np.abs(np.outer(one, one) - np.outer(two, two)).sum()
    assert moved == pytest.approx(p)
    assumed = scatter_scale(p, 1, 1.0)  # with n = 1 and epsilon = 1 the scale is the sensitivity itself
    assert moved > assumed if p > 4 else moved == pytest.approx(assumed)


@pytest.mark.parametrize("p", [4, 8, 16, 32, 64])
def test_the_proved_sensitivity_covers_the_same_rows(p):
    one, two = flipped(p)
    part = MomentPart(cells=1, width=p, radius=1.0, reach=float(np.sqrt(p)))
    upper = np.triu_indices(p)
    moved = (np.outer(one, one) - np.outer(two, two))[upper]
    assert np.abs(moved).sum() <= 2 * part.bound_l1(2)
    assert np.linalg.norm(moved) <= np.sqrt(2) * part.bound_l2(2) + 1e-12


def test_the_mean_moves_twice_what_is_published():
    one = np.full(9, 1 / 3.0)
    assert np.abs(one - -one).sum() == pytest.approx(2 * mean_scale(9, 1, 1.0))


def test_projections_are_orthonormal():
    rows = orthonormal_rows(3, 7, np.random.default_rng(0))
    assert np.allclose(rows @ rows.T, np.eye(3))
    assert orthonormal_rows(0, 7, np.random.default_rng(0)).shape == (0, 7)


@pytest.mark.parametrize("variant", ["provable", "published"])
def test_classification_keeps_what_the_label_says(variant):
    made, fake = synthetic("ron-gauss", variant=variant, epsilon=2.0)
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.03
    assert fake[fake.ill == "yes"].age.mean() > fake[fake.ill == "no"].age.mean() + 10
    assert (made.certificate.epsilon_proved <= 2.0) == (variant == "provable")


@pytest.mark.parametrize("variant", ["provable", "published"])
def test_regression_keeps_the_target_beside_the_projection(variant):
    schema = load_schema({"columns": NUMBERS, "target": "d"})
    _, fake = synthetic(
        "ron-gauss", table=numbers(), schema=schema, variant=variant, params={"dimensions": 3}, epsilon=4.0
    )
    assert fake.corr().loc["a", "d"] > 0.6


def test_unsupervised_rows_keep_their_correlation():
    _, fake = synthetic("ron-gauss", table=numbers(), schema=load_schema({"columns": NUMBERS}))
    assert fake.corr().loc["a", "b"] > 0.7
    assert abs(fake.corr().loc["a", "c"]) < 0.2


@pytest.mark.parametrize("options", [{"delta": 0.0}, {"neighbours": "replace-one"}])
def test_pure_budgets_and_replaced_rows_are_priced(options):
    made, _ = synthetic("ron-gauss", **options)
    assert made.certificate.epsilon_proved <= 1.0


def test_the_published_variant_says_why_it_is_only_claimed():
    made, _ = synthetic("ron-gauss", variant="published")
    assert any("2 sqrt(p)/n" in reason for reason in made.certificate.entries[0].reasons)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"dimensions": 0}, "'dimensions' must be a whole number from 1"),
        ({"mean_share": 1.0}, "'mean_share' must lie strictly between 0 and 1"),
        ({"max_cells": 5}, "more than max_cells=5"),
    ],
)
def test_bad_parameters_are_refused_before_reading(params, message):
    with pytest.raises(MethodError, match=message):
        create_method("ron-gauss", params=params).plan(SCHEMA, BUDGET)


def test_one_feature_has_a_defined_result():
    schema = load_schema({"columns": NUMBERS[:1]})
    _, fake = synthetic("ron-gauss", table=numbers().select(["a"]), schema=schema)
    assert fake.a.between(-1, 1).all()
