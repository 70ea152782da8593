"""One number a method and data set, or epsilon."""

from __future__ import annotations

from tests.bench.support import record
from triplea.bench.overview import overviews
from triplea.bench.records import CLAIMED, NON_PRIVATE
from triplea.bench.summary import summarise


def test_an_overview_keeps_guarantees_apart_and_shows_gaps() -> None:
    records = [
        record(method="real", epsilon=None, guarantee=NON_PRIVATE),
        record(variant="published", guarantee=CLAIMED),
        record(),
        record(seed=1, scores={"roc_auc": 0.9}),
        record(dataset="adult"),
    ]
    (table,) = overviews(summarise(records))
    assert table.headers == ("method", "guarantee", "epsilon", "diabetes", "adult")
    assert table.rows == (
        ("naive-bayes", "Proved", "1", "0.8500 ± 0.0707", "0.8000"),
        ("naive-bayes (published)", "Claimed by a paper, not proved", "1", "0.8000", "-"),
        ("real", "NON-PRIVATE", "-", "0.8000", "-"),
    )


def test_the_epsilons_of_one_data_set_stand_beside_each_other_the_best_method_first() -> None:
    records = [
        record(method="real", epsilon=None, guarantee=NON_PRIVATE, scores={"roc_auc": 0.9}),
        record(epsilon=0.1, scores={"roc_auc": 0.6}),
        record(scores={"roc_auc": 0.7}),
        record(method="mosaic", scores={"roc_auc": 0.75}),
    ]
    (table,) = overviews(summarise(records))
    assert table.headers == ("method", "guarantee", "epsilon 0.1", "epsilon 1")
    assert table.rows == (
        ("mosaic", "Proved", "-", "0.7500"),
        ("naive-bayes", "Proved", "0.6000", "0.7000"),
        ("real", "NON-PRIVATE", "0.9000", "0.9000"),
    )


def test_one_data_set_at_one_epsilon_needs_no_overview() -> None:
    assert list(overviews(summarise([record()]))) == []
