"""Sums by responsibility: exact, within their bounds, tight for a swap, cut up as they were put together."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.mixtures.ball_mixtures import BallMixtures
from triplea.approximate.networks.ball_codes import BallCoder
from triplea.queries.mixture_moments import WEIGHTS, MixtureMoments
from triplea.schema import Column, Kind

COLUMNS = [
    Column(name=name, kind=Kind.CATEGORICAL, categories=("a", "b", "c")) for name in ("x", "y", "group")
]
CODE = RowCode({column.name: each_value(column) for column in COLUMNS})


def question(*, weight=1.0, components=2, label="group"):
    rng = np.random.default_rng(0)
    groups = 3 if label else 1
    encoders = [{"encoder.0": (weight * rng.normal(size=(9, 2)), np.zeros(2))} for _ in range(groups)]
    blank = BallMixtures.blank(groups, components, 2)
    means = rng.uniform(-0.5, 0.5, blank.means.shape)
    mixtures = BallMixtures(shares=blank.shares, means=means, covariances=0.1 * blank.covariances)
    return MixtureMoments(coder=BallCoder(code=CODE, label=label, encoders=encoders), mixtures=mixtures)


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    return {column.name: rng.integers(0, 3, n) for column in COLUMNS}


def test_sums_are_those_of_responsibilities_and_codes():
    query, rows = question(), table(500)
    exact = query.sums(query.partial_sums(rows) * query.grid, 0.0)
    groups, codes = query.coder.codes(rows)
    for group in range(3):
        mine = codes[groups == group]
        r = np.floor(query.mixtures.responsibilities(mine, group) * 256) / 256
        assert exact.count[group] == pytest.approx(r.sum(axis=0))
        assert exact.total[group] == pytest.approx(r.T @ mine)
        assert exact.second[group] == pytest.approx(np.einsum("nk,ni,nj->kij", r, mine, mine))


def test_batches_add_up_without_error():
    query, rows = question(), table(1000)
    parts = [{name: values[i::7] for name, values in rows.items()} for i in range(7)]
    assert np.array_equal(query.partial_sums(rows), sum(query.partial_sums(part) for part in parts))


def test_a_row_of_one_group_leaves_the_others_alone():
    query = question()
    rows = {name: np.array([1]) for name in CODE.binnings}
    exact = query.sums(query.partial_sums(rows) * query.grid, 0.0)
    assert exact.count[1].sum() == pytest.approx(1.0, abs=0.01)
    assert not exact.count[[0, 2]].any() and not exact.second[[0, 2]].any()


def test_the_swap_bound_is_reached_but_for_rounding():
    """Two rows at opposite ends of the ball in one component, or in different groups: the two worst cases."""
    assert 4 * WEIGHTS[1] + 2 * WEIGHTS[2] > 2
    query = question(components=1, label=None)
    opposite = np.zeros((9, 2))
    opposite[0, 0], opposite[1, 0] = 200.0, -200.0
    query.coder.encoders = [[(opposite, np.zeros(2))]]
    one, two = ({"x": np.array([i]), "y": np.array([0]), "group": np.array([0])} for i in (0, 1))
    moved = (query.partial_sums(one) - query.partial_sums(two)) * query.grid / query.scale
    assert 2 * np.sqrt(WEIGHTS[1]) * 0.99 < np.linalg.norm(moved) <= query.swap_l2


def test_noise_is_cut_like_the_sums():
    query = question()
    sums = query.sums(np.zeros(query.shape), 2.0 * query.scale)
    assert sums.stddev == pytest.approx([2 * w**-0.5 for w in WEIGHTS])
