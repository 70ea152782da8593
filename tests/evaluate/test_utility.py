from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.models import CLASSIFIER_SUITES, REGRESSOR_SUITES, Settings
from triplea.evaluate.progress import Steps
from triplea.evaluate.rows import Rows
from triplea.evaluate.task import make_task
from triplea.evaluate.utility import measure_utility, utility_steps
from triplea.results import Utility


@pytest.fixture(scope="module")
def measured(train: Rows, held_out: Rows, synthetic: Rows) -> Utility:
    task = make_task(train, held_out, synthetic, "ill")
    models = [m for m in CLASSIFIER_SUITES["full"] if m.name in ("lightgbm", "lda", "svm")]
    steps = Steps(utility_steps(task, models))
    found = measure_utility(task, models, settings=Settings(), steps=steps, draws=20)
    assert steps.done == steps.total
    return found


def test_every_model_stands_beside_real_training_and_a_real_sample(measured: Utility) -> None:
    for name in ("lightgbm", "lda", "svm"):
        for trained_on in ("synthetic", "real", "real sample"):
            assert 0.7 < measured.score(name, trained_on) <= 1
    sample = next(r for r in measured.results if r.trained_on == "real sample")
    assert sample.rows == 350


def test_the_no_information_floor_has_auc_a_half_and_the_majority_accuracy(measured: Utility) -> None:
    floor = next(r for r in measured.results if r.trained_on == "nothing")
    assert floor.scores["roc_auc"].value == 0.5
    assert floor.scores["accuracy"].value == pytest.approx(measured.majority_share)


def test_mc_gens_first_scenario_trains_on_real_and_tests_on_synthetic(measured: Utility) -> None:
    found = [r for r in measured.results if r.tested_on == "synthetic"]
    assert [r.model for r in found] == ["svm"]
    assert found[0].scores["accuracy"].value > 0.7


def test_means_are_over_dp_merfs_classifiers(measured: Utility) -> None:
    expected = np.mean([measured.score("lightgbm"), measured.score("lda")])
    assert measured.means["synthetic"]["roc_auc"] == pytest.approx(expected)


def test_curves_and_ranking_are_there(measured: Utility) -> None:
    assert {(c.model, c.trained_on, c.kind) for c in measured.curves} >= {("lightgbm", "synthetic", "roc")}
    assert measured.ranking is not None
    assert set(measured.ranking.models) == {"lightgbm", "lda", "svm"}


def test_as_many_synthetic_rows_as_real_ones_need_no_third_fit(train: Rows, held_out: Rows) -> None:
    task = make_task(train, held_out, train, "ill")
    found = measure_utility(task, CLASSIFIER_SUITES["lightgbm"], settings=Settings(), steps=Steps(3), draws=5)
    assert found.score("lightgbm", "real sample") == found.score("lightgbm", "real")
    assert found.ranking is None


def test_one_synthetic_class_scores_a_half(train: Rows, held_out: Rows) -> None:
    flat = Rows(fields=train.fields, values={**train.values, "ill": np.zeros(len(train), int)})
    task = make_task(train, held_out, flat, "ill")
    found = measure_utility(task, CLASSIFIER_SUITES["lightgbm"], settings=Settings(), steps=Steps(3), draws=5)
    assert found.score("lightgbm") == 0.5
    assert found.results[0].note is not None


def test_a_number_target_gets_r2_with_the_mean_as_floor(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    task = make_task(train, held_out, synthetic, "age")
    found = measure_utility(task, REGRESSOR_SUITES["full"], settings=Settings(), steps=Steps(9), draws=5)
    assert found.task == "regression"
    assert found.headline == "r2"
    assert found.score("ridge") > found.score("no_information", "nothing")
    assert abs(found.score("no_information", "nothing")) < 0.05


def test_no_usable_synthetic_target_is_a_defined_result(train: Rows, held_out: Rows) -> None:
    gone = Rows(fields=train.fields, values={**train.values, "ill": np.full(len(train), -1)})
    for target in ("ill", "age"):
        rows = (
            gone
            if target == "ill"
            else Rows(fields=train.fields, values={**train.values, "age": np.full(len(train), np.nan)})
        )
        task = make_task(train, held_out, rows, target)
        models = (CLASSIFIER_SUITES if target == "ill" else REGRESSOR_SUITES)["lightgbm"]
        found = measure_utility(task, models, settings=Settings(), steps=Steps(3), draws=5)
        assert found.results[0].note is not None
        assert "no training rows" in found.results[0].note
