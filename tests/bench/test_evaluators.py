"""Evaluators give flat numbers, the same as the evaluation they are made of."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from triplea.bench.datasets import Dataset, load_dataset
from triplea.bench.evaluators import EVALUATORS, Material, measure
from triplea.errors import UserError
from triplea.evaluate import evaluate

pytest.importorskip("lightgbm")


@pytest.fixture
def dataset(small_data: Path) -> Dataset:
    return load_dataset("diabetes")


@pytest.fixture
def material(dataset: Dataset) -> Material:
    return Material(dataset=dataset, synthetic=dataset.train, seed=0)


def test_real_rows_predict_well_and_differ_from_themselves_nowhere(material: Material) -> None:
    found = measure("lightgbm", material)
    assert found["roc_auc"] > 0.9
    assert measure("fidelity", material)["tv2"] == 0.0


def test_a_number_is_predicted_too_and_agrees_with_the_whole_evaluation(dataset: Dataset) -> None:
    about = replace(dataset, target="glucose", schema={**dataset.schema, "target": "glucose"})
    found = measure("lightgbm", Material(dataset=about, synthetic=about.train, seed=0))
    whole = evaluate(about.train, train=about.train, test=about.test, schema=about.schema, threads=1)
    assert whole.utility is not None
    assert found["r2"] == pytest.approx(whole.utility.score("lightgbm"))


def test_the_fast_path_agrees_with_the_whole_evaluation(dataset: Dataset, material: Material) -> None:
    whole = evaluate(dataset.train, train=dataset.train, test=dataset.test, schema=dataset.schema, threads=1)
    assert whole.utility is not None
    assert measure("lightgbm", material)["roc_auc"] == pytest.approx(whole.utility.score("lightgbm"))
    flat = measure("quick", material)
    assert flat["lightgbm.roc_auc"] == pytest.approx(whole.utility.score("lightgbm"))
    assert flat["tv1"] == pytest.approx(whole.fidelity.marginal(1).mean)
    assert "nist" in flat


def test_ten_thousand_rows_are_drawn_from_a_long_table_and_all_taken_from_a_short_one(
    dataset: Dataset, material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measure("lightgbm-10k", material) == measure("lightgbm", material)
    monkeypatch.setattr("triplea.bench.evaluators.FEW_ROWS", 100)
    few = measure("lightgbm-10k", material)
    assert few == measure("lightgbm-10k", material)
    other = replace(material, seed=1)
    assert few["roc_auc"] != measure("lightgbm-10k", other)["roc_auc"]
    assert few["roc_auc"] != measure("lightgbm", material)["roc_auc"]


def test_twelve_classifiers_and_their_mean(material: Material) -> None:
    found = measure("twelve", material)
    singles = [value for name, value in found.items() if name.endswith(".roc_hard") and "mean" not in name]
    assert len(singles) == 12
    assert found["mean.roc_hard"] == pytest.approx(sum(singles) / 12)


@pytest.mark.parametrize("evaluator", ["mc-gen-1", "mc-gen-2", "random-forest"])
def test_accuracies_lie_between_a_coin_and_perfection(material: Material, evaluator: str) -> None:
    found = measure(evaluator, material)
    assert all(0.5 < value <= 1 for name, value in found.items() if name.endswith("accuracy"))


def test_diversity_sums_over_categorical_columns(material: Material) -> None:
    found = measure("diversity", material)
    assert found == {"jsd.outcome": 0.0, "kl_mu.outcome": 0.0, "jsd.total": 0.0, "kl_mu.total": 0.0}


def test_one_class_only_is_a_number_and_no_crash(dataset: Dataset) -> None:
    place = dataset.train.column_names.index("outcome")
    flat = dataset.train.set_column(place, "outcome", pa.array([0] * dataset.train.num_rows, pa.int16()))
    found = measure("lightgbm", Material(dataset=dataset, synthetic=flat, seed=0))
    assert found["roc_auc"] == 0.5
    assert all(math.isfinite(value) for value in found.values())


def test_a_data_set_without_a_target_is_named(dataset: Dataset) -> None:
    blind = replace(dataset, target=None)
    with pytest.raises(UserError, match="'diabetes' has no target: use the evaluator 'fidelity'"):
        measure("lightgbm", Material(dataset=blind, synthetic=dataset.train, seed=0))


def test_the_options_of_a_data_set_reach_the_model(dataset: Dataset) -> None:
    heavy = replace(dataset, scoring={"min_child_weight": 10.0})
    assert Material(dataset=heavy, synthetic=dataset.train, seed=0).settings.min_child_weight == 10.0


def test_every_evaluator_says_what_it_does() -> None:
    assert all(function.__doc__ for function in EVALUATORS.values())
