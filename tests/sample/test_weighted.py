"""Small classes get more rows, and weights give every class its share back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.binning import each_value
from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.errors import UserError
from triplea.sample.weighted import check_weights, draw_weighted, even_counts
from triplea.schema import Column, Schema

SCHEMA = Schema(
    columns=(
        Column(name="ill", kind="categorical", categories=("no", "yes"), nullable=True),
        Column(name="town", kind="categorical", categories=("A", "B")),
        Column(name="age", kind="numeric", lower=0.0, upper=99.0),
    ),
    target="ill",
)
ILL, TOWN = (
    {"ill": np.array([[0.99, 0.01, 0.0], [0.0, 1.0, 0.0]])},
    {"town": np.array([[0.9, 0.1], [0.2, 0.8]])},
)
MODEL = ProductMixture(
    weights=np.array([0.995, 0.005]),
    tables={**ILL, **TOWN},
    binnings={name: each_value(SCHEMA.column(name)) for name in ("ill", "town")},
)


def _drawn(n=20_000, **options):
    return draw_weighted(MODEL, "ill", n, rng=np.random.default_rng(0), **options)


def test_classes_get_rows_by_the_square_roots_of_their_shares():
    rows, weights = _drawn()
    few, many = np.sort(np.bincount(rows["ill"]))
    assert few / many == pytest.approx(np.sqrt(0.015 / 0.985), rel=0.1)
    assert len(weights) == 20_000
    assert weights.sum() == pytest.approx(20_000)


def test_weighted_shares_are_those_of_plain_rows():
    rows, weights = _drawn()
    plain = MODEL.sample(20_000, rng=np.random.default_rng(0))
    for ill in (0, 1):
        assert weights[rows["ill"] == ill].sum() == pytest.approx((plain["ill"] == ill).sum())
    # Towns are drawn anew, so they agree up to chance: 5 standard deviations, a false alarm in a million.
    share = np.average(rows["town"], weights=weights)
    assert share == pytest.approx(0.995 * 0.1 + 0.005 * 0.8, abs=5 * 0.3 / np.sqrt(10_000))


def test_small_classes_are_drawn_as_the_model_draws_them():
    rows, _ = _drawn()
    found = rows["town"][rows["ill"] == 1].mean()
    truth = (0.995 * 0.01 * 0.1 + 0.005 * 0.8) / (0.995 * 0.01 + 0.005)
    assert found == pytest.approx(truth, abs=5 * 0.5 / np.sqrt((rows["ill"] == 1).sum()))


def test_classes_are_not_in_blocks():
    rows, _ = _drawn(2000)
    halves = np.split(rows["ill"], 2)
    assert abs(halves[0].mean() - halves[1].mean()) < 0.1


def test_conditions_on_other_columns_hold():
    rows, weights = _drawn(500, where={"town": 1})
    assert set(rows["town"]) == {1}
    assert weights.sum() == pytest.approx(500)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_rows_and_none(n):
    rows, weights = _drawn(n)
    assert len(rows["town"]) == len(weights) == n


@given(st.lists(st.integers(1, 10**6), max_size=30))
def test_counts_are_shared_out_whole(counts):
    wanted = even_counts(np.array(counts, dtype=np.int64))
    assert wanted.sum() == sum(counts)
    assert (wanted >= 1).all()
    order = np.argsort(counts, kind="stable")
    assert (np.diff(wanted[order]) >= -1).all()  # larger classes stay larger, up to a rounding


@pytest.mark.parametrize(
    ("weights", "schema", "condition", "words"),
    [
        ("town", SCHEMA, None, "'town'"),
        ("", SCHEMA, None, "''"),
        (5, SCHEMA, None, "got 5"),
        ("w", Schema(columns=SCHEMA.columns), None, "the schema has none"),
        ("w", Schema(columns=SCHEMA.columns, target="age"), None, "'age', which is no list"),
        ("w", SCHEMA, {"ill": 1}, "fixes already"),
    ],
)
def test_what_cannot_be_is_refused(weights, schema, condition, words):
    with pytest.raises(UserError, match=words):
        check_weights(weights, schema, condition)
