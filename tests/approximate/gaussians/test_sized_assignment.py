"""Assignments with least sizes: a partition, the optimum, and a quick one that is never better."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from triplea.approximate.gaussians import sized_assignment as sized


@st.composite
def problems(draw):
    clusters, least = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    points = clusters * least + draw(st.integers(0, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    ties = draw(st.booleans())
    costs = rng.integers(0, 4, (points, clusters)) if ties else rng.normal(size=(points, clusters))
    return costs + rng.normal(size=clusters) * draw(st.sampled_from([0.0, 3.0])), least


def optimum(costs, least):
    """The same as an assignment problem: `least` seats per cluster, free seats at everybody's best price."""
    points, clusters = costs.shape
    free = np.repeat(costs.min(axis=1)[:, None], points - clusters * least, axis=1)
    seats = np.concatenate([np.repeat(costs, least, axis=1), free], axis=1)
    return seats[linear_sum_assignment(seats)].sum()


@given(problem=problems())
def test_sizes_hold_and_exact_is_the_optimum(problem):
    costs, least = problem
    exact, quick = sized.exact_assignment(costs, least), sized.quick_assignment(costs, least)
    for found in (exact, quick):
        assert len(found) == len(costs)
        assert np.bincount(found, minlength=costs.shape[1]).min() >= least
    assert sized.total_cost(costs, exact) == pytest.approx(optimum(costs, least), abs=1e-9)
    assert sized.total_cost(costs, exact) <= sized.total_cost(costs, quick) + 1e-9


@given(problem=problems())
def test_neither_bids_nor_a_narrow_look_change_what_is_found(problem):
    costs, least = problem
    exact, quick = sized.exact_assignment(costs, least), sized.quick_assignment(costs, least)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sized, "BIDS", 0)
        patch.setattr(sized, "ROOM", 10**9)
        without = sized.exact_assignment(costs, least)
        assert sized.total_cost(costs, without) == pytest.approx(sized.total_cost(costs, exact), abs=1e-9)
        assert np.array_equal(sized.quick_assignment(costs, least), quick)


def test_without_a_need_everybody_gets_the_cheapest():
    costs = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, 5.0]])
    assert sized.sized_assignment(costs, 1).tolist() == [0, 1, 0]


@pytest.mark.parametrize("spent", [{"work": 100.0}, {"deadline": 0.0}])
def test_out_of_work_or_of_time_it_falls_back_to_the_quick_assignment(spent):
    costs = np.random.default_rng(0).random((60, 3)) + np.array([0, 5, 9])
    with pytest.raises(sized.Exhausted):
        sized.exact_assignment(costs, 20, effort=sized.Effort(**spent))
    found = sized.sized_assignment(costs, 20, effort=sized.Effort(**spent))
    assert np.array_equal(found, sized.quick_assignment(costs, 20))


def test_without_a_deadline_nobody_looks_at_the_clock(monkeypatch):
    monkeypatch.delattr(sized.time, "monotonic")
    assert sized.Effort(work=2.0).spend(1.0) and not sized.Effort(work=2.0).spend(3.0)


def test_large_problems_are_solved_quickly_and_keep_the_sizes():
    costs = np.random.default_rng(0).random((40_000, 60))
    assert np.bincount(sized.sized_assignment(costs, 600)).min() >= 600


def test_too_few_points_are_refused():
    with pytest.raises(ValueError, match="5 points cannot fill 2 clusters of 3"):
        sized.exact_assignment(np.zeros((5, 2)), 3)
