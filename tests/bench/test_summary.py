"""Means, spreads and the paper's number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.support import record
from triplea.bench.records import CLAIMED, FAILED, TIMEOUT
from triplea.bench.summary import failures, summarise


def test_seeds_are_averaged_and_variants_are_not_mixed() -> None:
    lines = summarise(
        [
            record(scores={"roc_auc": 0.7}),
            record(scores={"roc_auc": 0.9}, seed=1),
            record(scores={"roc_auc": 0.5}, variant="published", guarantee=CLAIMED),
        ]
    )
    assert [(line.setting.name, line.seeds) for line in lines] == [
        ("naive-bayes", 2),
        ("naive-bayes (published)", 1),
    ]
    assert lines[0].value == pytest.approx(0.8)
    assert lines[0].spread == pytest.approx(0.1414, abs=1e-4)
    assert (lines[0].low, lines[0].high) == (0.7, 0.9)
    assert lines[1].spread is None
    assert lines[0].difference is None


def test_the_papers_number_stands_beside_both_variants() -> None:
    given = {"dataset": "adult/3a", "method": "clustmix", "scores": {"roc_auc": 0.9}}
    lines = summarise([record(**given), record(**given, variant="published", guarantee=CLAIMED)])
    assert [line.difference for line in lines] == pytest.approx([0.037, 0.037])


def test_best_is_compared_with_best() -> None:
    given = {"dataset": "credit/dp-merf", "method": "dp-merf", "evaluator": "twelve"}
    lines = summarise(
        [record(**given, scores={"lda.roc_hard": 0.6 + 0.1 * seed}, seed=seed) for seed in (0, 1)]
    )
    found = {line.statistic: (line.value, line.paper.value) for line in lines if line.paper}
    assert found == {"best": pytest.approx((0.7, 0.69)), "mean": pytest.approx((0.65, 0.725))}


def test_single_numbers_are_shown_on_request_only() -> None:
    given = [record(scores={"roc_auc": 0.8, "f1": 0.5})]
    assert [line.metric for line in summarise(given)] == ["roc_auc"]
    assert [line.metric for line in summarise(given, every_metric=True)] == ["roc_auc", "f1"]


def test_parameters_tell_settings_apart() -> None:
    names = [line.setting.name for line in summarise([record(), record(params={"k": 2})])]
    assert names == ["naive-bayes", 'naive-bayes {"k": 2}']


def test_cells_without_a_score_are_counted_by_reason() -> None:
    lost = [replace(record(seed=seed), status=FAILED, reason="r", scores={}) for seed in (0, 1)]
    late = replace(record(seed=2), status=TIMEOUT, reason="late", scores={})
    assert [
        (status, reason, count) for _, status, reason, count in failures([*lost, late, record(seed=3)])
    ] == [
        (FAILED, "r", 2),
        (TIMEOUT, "late", 1),
    ]
    assert [line.seeds for line in summarise([*lost, late, record(seed=3)])] == [1]
