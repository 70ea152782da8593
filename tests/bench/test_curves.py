"""Curves of a score against epsilon, and names beside their ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.support import record
from triplea.bench.curves import curves_of, pictured_metric, pictures_of, spread_out
from triplea.bench.records import CLAIMED, NON_PRIVATE, Record
from triplea.bench.summary import summarise


def records() -> list[Record]:
    made = [record(method="real", epsilon=None, guarantee=NON_PRIVATE)]
    for epsilon in (0.1, 1.0, 10.0):
        made.append(record(epsilon=epsilon))
        made.append(record(epsilon=epsilon, variant="published", guarantee=CLAIMED))
    return made


def test_only_several_epsilons_make_a_picture() -> None:
    assert list(pictures_of(summarise(records()))) == [("diabetes", "lightgbm")]
    assert pictures_of(summarise([record(), record(seed=1)])) == {}


def test_a_curve_runs_over_epsilons_and_real_rows_are_a_level() -> None:
    scores = {0.1: 0.6, 10.0: 0.9, 1.0: 0.8}
    made = [record(epsilon=epsilon, scores={"roc_auc": score}) for epsilon, score in scores.items()]
    curve, level = curves_of(summarise([*made, record(method="real", epsilon=None, guarantee=NON_PRIVATE)]))
    assert (curve.epsilons, curve.values) == ((0.1, 1.0, 10.0), (0.6, 0.8, 0.9))
    assert (curve.last, curve.at(1.5), curve.is_level, level.is_level) == (0.9, 0.8, False, True)


def test_marginals_are_pictured_by_their_pairs() -> None:
    assert pictured_metric("fidelity") == "tv2"
    assert pictured_metric("lightgbm") == "roc_auc"


@given(st.lists(st.floats(0, 1), max_size=25), st.floats(0.001, 0.2))
def test_names_stay_in_order_apart_and_inside(wanted: list[float], gap: float) -> None:
    placed = spread_out(wanted, gap=gap, low=0.0, high=1.0)
    assert len(placed) == len(wanted)
    order = np.argsort(wanted, kind="stable")
    steps = np.diff(np.array(placed)[order])
    room = min(gap, 1.0 / max(len(wanted) - 1, 1))
    assert np.all(steps >= room - 1e-9)
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in placed)


def test_names_that_are_apart_do_not_move_and_others_move_alike() -> None:
    assert spread_out([0.5, 0.1], gap=0.1, low=0, high=1) == pytest.approx([0.5, 0.1])
    assert spread_out([0.5, 0.5], gap=0.1, low=0, high=1) == pytest.approx([0.45, 0.55])
