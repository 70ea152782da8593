"""One task: a release and its evaluators, or the reason why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.support import cell
from triplea.bench import worker
from triplea.bench.records import FAILED, NON_PRIVATE, OK, PROVED, Record, read_records

pytest.importorskip("lightgbm")


def run(*cells: object) -> list[Record]:
    kept: list[Record] = []
    worker.run_cells(cells, grid="g", keep=kept.append)  # type: ignore[arg-type]
    return kept


def test_one_release_serves_all_evaluators(small_data: Path) -> None:
    first, second = run(cell(), cell(evaluator="fidelity"))
    assert first.status == second.status == OK
    assert first.guarantee == PROVED
    assert first.epsilon_proved == pytest.approx(1.0, abs=1e-3)
    assert first.rows["train"] == 576
    assert {"load", "release", "evaluate"} <= set(first.seconds)
    assert first.peak_mib is not None and first.peak_mib > 10
    assert first.versions["lightgbm"]
    assert set(second.scores) == {"tv1", "tv1_target", "tv2", "tv2_target"}


def test_scores_may_have_more_threads(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setenv("TRIPLEA_BENCH_THREADS", "3")
    monkeypatch.setattr(worker, "measure", lambda name, material: seen.append(material.threads) or {})
    run(cell())
    assert seen == [3]


def test_a_seed_repeats_and_another_one_does_not(small_data: Path) -> None:
    scores = [run(cell(evaluator="fidelity", seed=seed))[0].scores for seed in (1, 1, 2)]
    assert scores[0] == scores[1] != scores[2]


def test_delta_can_be_one_over_the_training_rows(small_data: Path) -> None:
    assert run(cell(delta="1/n", evaluator="fidelity"))[0].delta == pytest.approx(1 / 576)


def test_real_rows_are_marked_as_not_private(small_data: Path) -> None:
    (found,) = run(cell(method="real", epsilon=None, delta=None, evaluator="fidelity"))
    assert (found.guarantee, found.epsilon_proved) == (NON_PRIVATE, None)
    assert found.scores["tv2"] == 0.0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"method": "dp-nothing"}, "MethodError: there is no method 'dp-nothing'"),
        ({"variant": "published"}, "MethodError: method 'naive-bayes' has no variant 'published'"),
        ({"dataset": "adult/nothing"}, "UserError: there is no data set 'adult/nothing'"),
        ({"params": {"nonsense": 1}}, "MethodError: method 'naive-bayes' has no parameter 'nonsense'"),
    ],
)
def test_a_mistake_is_recorded_with_its_text(
    small_data: Path, change: dict[str, object], reason: str
) -> None:
    found = run(cell(**change), cell(evaluator="fidelity", **change))
    assert [record.status for record in found] == [FAILED, FAILED]
    assert found[0].reason is not None and found[0].reason.startswith(reason)
    assert found[0].scores == {}


def test_a_fault_of_ours_is_recorded_by_class_and_place_and_the_next_evaluator_runs(
    small_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = worker.measure

    def broken(evaluator: str, material: worker.Material) -> dict[str, float]:
        if evaluator == "lightgbm":
            raise ZeroDivisionError("secret 42")
        return real(evaluator, material)

    monkeypatch.setattr(worker, "measure", broken)
    first, second = run(cell(), cell(evaluator="fidelity"))
    assert first.reason is not None and first.reason.startswith("ZeroDivisionError in ")
    assert "secret" not in first.reason
    assert second.status == OK


def test_the_command_reads_a_task_and_writes_lines(small_data: Path, tmp_path: Path) -> None:
    task, results = tmp_path / "task.json", tmp_path / "results.jsonl"
    task.write_text(json.dumps({"grid": "g", "cells": [cell(evaluator="fidelity").to_json()]}))
    worker.main(str(task), str(results))
    assert [record.cell for record in read_records(results)] == [cell(evaluator="fidelity")]
