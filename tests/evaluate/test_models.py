from __future__ import annotations

import pytest

from triplea.evaluate.models import (
    CLASSIFIER_SUITES,
    MCGEN,
    MERF,
    REGRESSOR_SUITES,
    TWELVE,
    Model,
    Settings,
)


def test_dp_merf_has_twelve_classifiers_with_lightgbm_in_xgboosts_place() -> None:
    assert len({model.name for model in TWELVE}) == 12
    assert all(MERF in model.papers for model in TWELVE)
    assert "lightgbm" in {model.name for model in TWELVE}


def test_mc_gen_has_svm_logistic_regression_and_gradient_boosting() -> None:
    found = {model.name for model in CLASSIFIER_SUITES["full"] if MCGEN in model.papers}
    assert found == {"svm", "logistic_regression_public_scale", "gradient_boosting"}


def test_lightgbm_has_the_settings_of_the_benchmark() -> None:
    made = CLASSIFIER_SUITES["lightgbm"][0].make(Settings(seed=7, threads=1, min_child_weight=5.0))
    shown = made.get_params()
    assert (shown["n_estimators"], shown["learning_rate"], shown["num_leaves"]) == (200, 0.05, 31)
    assert (shown["min_child_weight"], shown["random_state"], shown["n_jobs"]) == (5.0, 7, 1)


@pytest.mark.parametrize(
    "model", [*CLASSIFIER_SUITES["full"], *REGRESSOR_SUITES["full"]], ids=lambda m: m.name
)
def test_every_model_can_be_made_with_a_seed(model: Model) -> None:
    made = model.make(Settings(seed=3))
    if "random_state" in made.get_params():
        assert made.get_params()["random_state"] in (3, None)
