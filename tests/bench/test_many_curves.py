"""Pictures of more curves than one picture can hold."""

from __future__ import annotations

import pytest

from tests.bench.support import record
from triplea.bench.curves import curves_of
from triplea.bench.many_curves import by_score, draw_each, draw_sides
from triplea.bench.records import CLAIMED, NON_PRIVATE, Record
from triplea.bench.summary import Line, summarise

METHODS = ("naive-bayes", "mosaic", "dp-merf")


def lines(metric: str = "roc_auc", evaluator: str = "lightgbm") -> list[Line]:
    made: list[Record] = [
        record(method=name, epsilon=None, guarantee=NON_PRIVATE, evaluator=evaluator, scores={metric: level})
        for name, level in (("real", 0.95 if metric == "roc_auc" else 0.0), ("ads-gan", 0.85))
    ]
    for place, method in enumerate(METHODS):
        for epsilon in (0.1, 1.0, 10.0):
            given = {"method": method, "epsilon": epsilon, "evaluator": evaluator}
            made.append(record(**given, scores={metric: 0.7 + place / 10}))
            made.append(record(**given, variant="published", guarantee=CLAIMED, scores={metric: 0.65}))
    return summarise(made)


def test_every_name_stands_beside_its_curve_and_levels_say_what_they_are() -> None:
    pytest.importorskip("matplotlib")
    svg = draw_sides(lines(), title="T")
    assert svg == draw_sides(lines(), title="T")
    for text in (
        "Proved",
        "Only claimed by a paper",
        "mosaic",
        "ads-gan (NON-PRIVATE)",
        "T; real rows: 0.950",
    ):
        assert f">{text}<" in svg
    assert svg.count(">dp-merf<") == 2
    assert "higher is better" in svg


def test_every_method_has_its_panel() -> None:
    pytest.importorskip("matplotlib")
    svg = draw_each(lines(), title="T")
    assert all(f">{method}<" in svg for method in METHODS)


def test_a_distance_of_nothing_is_left_out_of_a_logarithmic_picture() -> None:
    pytest.importorskip("matplotlib")
    svg = draw_sides(lines("tv2", "fidelity"), title="T")
    assert "real rows" not in svg
    assert "lower is better" in svg


def test_the_best_proved_method_comes_first() -> None:
    curves = [curve for curve in curves_of(lines()) if not curve.is_level]
    assert by_score(curves, "roc_auc") == ["dp-merf", "mosaic", "naive-bayes"]
    assert by_score(curves, "tv2") == ["naive-bayes", "mosaic", "dp-merf"]
