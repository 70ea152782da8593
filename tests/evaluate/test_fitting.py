from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from triplea.evaluate.fitting import fit_classifier, fit_regressor, predict_numbers
from triplea.evaluate.models import CLASSIFIER_SUITES, REGRESSOR_SUITES, Model, Settings
from triplea.evaluate.rows import Rows

QUICK = {model.name: model for model in CLASSIFIER_SUITES["full"]}
SOME = ("lightgbm", "logistic_regression", "linear_svm", "svm")


@pytest.mark.parametrize("model", [QUICK[name] for name in SOME], ids=SOME)
def test_classifiers_learn_the_toy_table(model: Model, train: Rows, held_out: Rows) -> None:
    fitted = fit_classifier(model, train.without("ill"), train["ill"], 2, settings=Settings())
    scores, labels = fitted.predict(held_out.without("ill"))
    assert scores.shape == (len(held_out), 2)
    assert (labels == held_out["ill"]).mean() > 0.7


@pytest.mark.parametrize("model", [QUICK[name] for name in SOME], ids=SOME)
def test_columns_may_have_any_name_and_the_scores_are_the_same(model: Model, train: Rows) -> None:
    features, odd = train.without("ill"), ('a"b,c', "{[x]}: y", "größe\n年龄")
    renamed = Rows(
        fields=tuple(replace(field, name=name) for field, name in zip(features.fields, odd, strict=True)),
        values=dict(zip(odd, (features[name] for name in features.names), strict=True)),
    )
    scores = [
        fit_classifier(model, rows, train["ill"], 2, settings=Settings()).predict(rows)[0]
        for rows in (features, renamed)
    ]
    assert np.array_equal(*scores)


@pytest.mark.parametrize("model", [QUICK[name] for name in SOME], ids=SOME)
def test_a_class_that_training_never_saw_ranks_last(model: Model, train: Rows, held_out: Rows) -> None:
    fitted = fit_classifier(model, train.without("ill"), train["ill"] * 2, 3, settings=Settings())
    scores, labels = fitted.predict(held_out.without("ill"))
    assert (scores[:, 1] <= scores[:, [0, 2]].min(axis=1)).all()
    assert set(np.unique(labels)) == {0, 2}


def test_one_class_gives_a_constant_and_says_so(train: Rows) -> None:
    fitted = fit_classifier(
        QUICK["lightgbm"], train.without("ill"), np.ones(len(train), int), 2, settings=Settings()
    )
    scores, labels = fitted.predict(train.without("ill"))
    assert (scores == [0, 1]).all()
    assert (labels == 1).all()
    assert fitted.note is not None


def test_rows_that_a_model_cannot_be_fitted_on_give_the_most_common_class(train: Rows) -> None:
    labels = np.zeros(20, int)
    labels[0] = 1
    fitted = fit_classifier(
        QUICK["mlp"], train.without("ill").take(np.arange(20)), labels, 2, settings=Settings()
    )
    scores, predicted = fitted.predict(train.without("ill"))
    assert (scores == 0.5).all()
    assert (predicted == 0).all()
    assert fitted.note == "could not be fitted on these rows: all scores are equal"


def test_a_costly_model_is_trained_on_part_of_the_rows(train: Rows) -> None:
    model = replace(QUICK["svm"], max_rows=50)
    assert fit_classifier(model, train.without("ill"), train["ill"], 2, settings=Settings()).rows == 50


def test_regressors_predict_numbers(train: Rows, held_out: Rows) -> None:
    for model in REGRESSOR_SUITES["quick"]:
        fitted = fit_regressor(model, train.without("age"), train["age"], settings=Settings())
        assert predict_numbers(fitted, held_out.without("age")).shape == (len(held_out),)
