"""The models that measure utility, with the papers that use them.

The twelve classifiers of DP-MERF are here with LightGBM in XGBoost's place (one boosted-tree library is
enough); settings are the libraries' defaults where DP-MERF's are, and differ where noted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from triplea.errors import UserError
from triplea.evaluate.extras import need

MERF, AUTOGAN, MCGEN, THREE_A = "DP-MERF", "DP-auto-GAN", "MC-GEN", "3A"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What every model is built with."""

    seed: int = 0
    threads: int = 2
    min_child_weight: float = 1e-3

    def __post_init__(self) -> None:
        """Refuse what no model could be built with."""
        for name, value, least in (("seed", self.seed, 0), ("threads", self.threads, 1)):
            if type(value) is not int or value < least:
                raise UserError(f"{name} must be a whole number of at least {least}, got {value!r}")
        weight = self.min_child_weight
        if type(weight) not in (int, float) or not 0 <= weight < math.inf:
            raise UserError(f"min_child_weight must be a finite number of at least 0, got {weight!r}")


@dataclass(frozen=True, kw_only=True)
class Model:
    """A named model. `inputs` is "frame" (pandas categories), "standard" or "public" (see `inputs.Matrix`).

    `max_rows` is where training is cut to a random part, because the model's cost grows faster than the rows.
    """

    name: str
    title: str
    inputs: str
    make: Callable[[Settings], Any]
    papers: tuple[str, ...] = ()
    max_rows: int | None = 100_000


def _sk(path: str, **options: Any) -> Callable[[Settings], Any]:
    """Return a maker of the scikit-learn model at `path`; "seed" and "threads" are filled in later."""

    def make(settings: Settings) -> Any:
        module, _, name = path.rpartition(".")
        filled = {
            key: settings.seed if value == "seed" else settings.threads if value == "threads" else value
            for key, value in options.items()
        }
        return getattr(need(f"sklearn.{module}"), name)(**filled)

    return make


def _lightgbm(kind: str) -> Callable[[Settings], Any]:
    def make(settings: Settings) -> Any:
        return getattr(need("lightgbm"), kind)(
            n_estimators=200,
            learning_rate=0.05,
            num_leaves=31,
            min_child_weight=settings.min_child_weight,
            random_state=settings.seed,
            n_jobs=settings.threads,
            verbose=-1,
        )

    return make


def _merf(
    name: str,
    title: str,
    make: Callable[[Settings], Any],
    *,
    papers: tuple[str, ...] = (MERF,),
    max_rows: int | None = Model.max_rows,
) -> Model:
    """A classifier of DP-MERF: features one-hot, numbers standardised by the training rows."""
    return Model(name=name, title=title, inputs="standard", make=make, papers=papers, max_rows=max_rows)


LIGHTGBM = Model(
    name="lightgbm",
    title="LightGBM",
    inputs="frame",
    make=_lightgbm("LGBMClassifier"),
    papers=(THREE_A, MERF),
    max_rows=None,
)
LOGISTIC = _merf(
    "logistic_regression", "Logistic regression", _sk("linear_model.LogisticRegression", max_iter=2000)
)
FOREST = _merf(
    "random_forest",
    "Random forest",
    _sk("ensemble.RandomForestClassifier", n_estimators=100, random_state="seed", n_jobs="threads"),
    papers=(MERF, AUTOGAN),
)
BOOSTING = _merf(
    "gradient_boosting",
    "Gradient boosting",
    _sk("ensemble.GradientBoostingClassifier", random_state="seed"),
    # Trees do not see a monotone change of scale, so MC-GEN's [-1, 1] scaling gives the same model.
    papers=(MERF, MCGEN),
    max_rows=50_000,
)
# Early stopping, unlike the default: 200 passes would take longer than all other models together.
PERCEPTRON = _merf(
    "mlp",
    "Neural network (MLP)",
    _sk("neural_network.MLPClassifier", early_stopping=True, n_iter_no_change=5, random_state="seed"),
    max_rows=50_000,
)
TWELVE = (
    LOGISTIC,
    _merf("gaussian_naive_bayes", "Gaussian naive Bayes", _sk("naive_bayes.GaussianNB")),
    _merf("bernoulli_naive_bayes", "Bernoulli naive Bayes", _sk("naive_bayes.BernoulliNB", alpha=0.02)),
    _merf("linear_svm", "Linear SVM", _sk("svm.LinearSVC", dual="auto", random_state="seed")),
    _merf("decision_tree", "Decision tree", _sk("tree.DecisionTreeClassifier", random_state="seed")),
    _merf("lda", "Linear discriminant analysis", _sk("discriminant_analysis.LinearDiscriminantAnalysis")),
    _merf("adaboost", "AdaBoost", _sk("ensemble.AdaBoostClassifier", random_state="seed")),
    _merf("bagging", "Bagging", _sk("ensemble.BaggingClassifier", random_state="seed")),
    FOREST,
    BOOSTING,
    PERCEPTRON,
    LIGHTGBM,
)
MC_GEN_ONLY = (
    Model(
        name="svm",
        title="SVM (RBF kernel, features in [-1, 1])",
        inputs="public",
        make=_sk("svm.SVC", random_state="seed"),
        papers=(MCGEN,),
        max_rows=10_000,
    ),
    Model(
        name="logistic_regression_public_scale",
        title="Logistic regression (features in [-1, 1])",
        inputs="public",
        make=_sk("linear_model.LogisticRegression", max_iter=2000),
        papers=(MCGEN,),
    ),
)
REGRESSORS = (
    Model(name="lightgbm", title="LightGBM", inputs="frame", make=_lightgbm("LGBMRegressor"), max_rows=None),
    Model(name="ridge", title="Ridge regression", inputs="standard", make=_sk("linear_model.Ridge")),
    Model(
        name="random_forest",
        title="Random forest",
        inputs="standard",
        make=_sk("ensemble.RandomForestRegressor", n_estimators=100, random_state="seed", n_jobs="threads"),
        max_rows=50_000,
    ),
)

CLASSIFIER_SUITES = {
    "lightgbm": (LIGHTGBM,),
    "quick": (LIGHTGBM, LOGISTIC, FOREST),
    "full": (*TWELVE, *MC_GEN_ONLY),
}
REGRESSOR_SUITES = {"lightgbm": REGRESSORS[:1], "quick": REGRESSORS[:2], "full": REGRESSORS}
