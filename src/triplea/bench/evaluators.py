"""From synthetic rows to numbers: each evaluator returns a flat mapping from a metric's name to its value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from triplea.bench.datasets import Dataset
from triplea.bench.dimension_scores import binary_matrix, dimension_scores
from triplea.errors import UserError
from triplea.evaluate import fidelity
from triplea.evaluate.binning import cells_of
from triplea.evaluate.bootstrap import Bootstrap
from triplea.evaluate.fitting import fit_classifier, fit_regressor, predict_numbers
from triplea.evaluate.label_scores import confusion_matrix
from triplea.evaluate.marginals import choose_marginals, marginal_fidelity
from triplea.evaluate.models import (
    BOOSTING,
    FOREST,
    LIGHTGBM,
    MC_GEN_ONLY,
    REGRESSOR_SUITES,
    TWELVE,
    Model,
    Settings,
)
from triplea.evaluate.run import evaluate
from triplea.evaluate.scoring import classification_scores, regression_scores
from triplea.evaluate.sources import Tables, read_tables
from triplea.evaluate.task import Labelled, Task, make_task
from triplea.sample.randomness import public_generator
from triplea.schema import load_schema

Scores = dict[str, float]
MC_GEN = (*MC_GEN_ONLY, BOOSTING)
FEW_ROWS = 10_000


@dataclass(frozen=True, kw_only=True)
class Material:
    """A data set with synthetic rows, aligned once for all evaluators."""

    dataset: Dataset
    synthetic: Any
    seed: int
    threads: int = 1

    @cached_property
    def tables(self) -> Tables:
        """The three tables over the same columns."""
        schema = load_schema(self.dataset.schema)
        return read_tables(self.dataset.train, self.dataset.test, self.synthetic, schema=schema)

    @cached_property
    def task(self) -> Task:
        """The prediction task, or an error that says what is missing."""
        if self.dataset.target is None:
            raise UserError(f"data set {self.dataset.name!r} has no target: use the evaluator 'fidelity'.")
        tables = self.tables
        return make_task(tables.train, tables.test, tables.synthetic, self.dataset.target)

    @property
    def settings(self) -> Settings:
        """How models are built."""
        weight = float(self.dataset.scoring.get("min_child_weight", Settings().min_child_weight))
        return Settings(seed=self.seed, threads=self.threads, min_child_weight=weight)


def lightgbm(material: Material) -> Scores:
    """LightGBM alone, trained on the synthetic rows and tested on real ones: of classes, or of a number."""
    return _tested(material, LIGHTGBM) if material.task.is_classification else _predicted(material)


def lightgbm_10k(material: Material) -> Scores:
    """LightGBM on 10,000 of the synthetic rows: for images, where all of them take too long."""
    rows = material.synthetic.num_rows
    places = public_generator(material.seed).permutation(rows)[:FEW_ROWS]
    return lightgbm(replace(material, synthetic=material.synthetic.take(np.sort(places))))


def random_forest(material: Material) -> Scores:
    """DP-auto-GAN's random forest of 100 trees."""
    return _tested(material, FOREST)


def twelve(material: Material) -> Scores:
    """DP-MERF's twelve classifiers: every score of each, and the means."""
    found = {model.name: _tested(material, model) for model in TWELVE}
    scores = {f"{name}.{metric}": value for name, each in found.items() for metric, value in each.items()}
    metrics = found[LIGHTGBM.name]
    means = {
        f"mean.{metric}": float(np.mean([each[metric] for each in found.values()])) for metric in metrics
    }
    return {**means, **scores}


def mc_gen_1(material: Material) -> Scores:
    """MC-GEN's first scenario: trained on real rows, tested on synthetic ones; accuracy.

    The real rows are the ones that the release was not made of: the data set's test rows.
    """
    return _accuracies(material, material.task.test, material.task.synthetic)


def mc_gen_2(material: Material) -> Scores:
    """MC-GEN's second scenario: trained on synthetic rows, tested on real ones; accuracy."""
    return _accuracies(material, material.task.synthetic, material.task.test)


def tv(material: Material) -> Scores:
    """Mean total-variation distance of 1-way and 2-way marginals; at most 5,000 pairs at random."""
    tables, rng = material.tables, public_generator(material.seed, stream=2)
    real, ours = cells_of(tables.train), cells_of(tables.synthetic)
    scores = {}
    for ways in (1, 2):
        chosen = choose_marginals(tables.train.names, ways, fidelity.QUICK.pairs, rng)
        found = marginal_fidelity(real, ours, chosen, target=material.dataset.target)
        scores[f"tv{ways}"] = found.mean
        if found.with_target is not None:
            scores[f"tv{ways}_target"] = found.with_target
    return scores


def diversity(material: Material) -> Scores:
    """DP-auto-GAN's divergences of every categorical column, and their sums over the columns."""
    tables = material.tables
    real, ours = cells_of(tables.train), cells_of(tables.synthetic)
    scores, names = {}, [field.name for field in tables.train.fields if field.is_category]
    for name in names:
        found = fidelity.column_fidelity(tables.train, name, real, ours)
        scores[f"jsd.{name}"], scores[f"kl_mu.{name}"] = found.jensen_shannon, found.smoothed_kl
    for measure in ("jsd", "kl_mu"):
        scores[f"{measure}.total"] = math.fsum(scores[f"{measure}.{name}"] for name in names)
    return scores


def dimension_wise(material: Material) -> Scores:
    """DP-auto-GAN's dimension-wise probability and prediction, for tables of 0/1 columns."""
    tables = (material.dataset.train, material.dataset.test, material.synthetic)
    train, test, ours = (binary_matrix(table, material.dataset.train.column_names) for table in tables)
    return dimension_scores(train, test, ours).summary()


def quick(material: Material) -> Scores:
    """The suite of `triplea evaluate --suite quick`, flattened."""
    dataset, settings = material.dataset, material.settings
    found = evaluate(
        material.synthetic,
        train=dataset.train,
        test=dataset.test,
        schema=dataset.schema,
        seed=material.seed,
        threads=material.threads,
        min_child_weight=settings.min_child_weight,
    )
    scores: Scores = {}
    for result in found.utility.results if found.utility else ():
        if result.trained_on == "synthetic" and result.tested_on == "real":
            scores |= {f"{result.model}.{metric}": score.value for metric, score in result.scores.items()}
    scores |= {f"tv{part.ways}": part.mean for part in found.fidelity.marginals}
    scores["nist"] = found.fidelity.nist_score.value
    if found.risk is not None:
        scores |= {f"membership.{attack.attack}": attack.auc.value for attack in found.risk.membership}
        scores |= {f"risk.{attack.attack}": attack.risk.value for attack in found.risk.attacks}
    return scores


EVALUATORS: Mapping[str, Callable[[Material], Scores]] = {
    "lightgbm": lightgbm,
    "lightgbm-10k": lightgbm_10k,
    "twelve": twelve,
    "random-forest": random_forest,
    "mc-gen-1": mc_gen_1,
    "mc-gen-2": mc_gen_2,
    "fidelity": tv,
    "diversity": diversity,
    "dimension-wise": dimension_wise,
    "quick": quick,
}


def measure(evaluator: str, material: Material) -> Scores:
    """Run an evaluator; a number that is not finite is left out, because JSON has no word for it."""
    found = EVALUATORS[evaluator](material)
    return {name: float(value) for name, value in found.items() if math.isfinite(value)}


def _tested(material: Material, model: Model) -> Scores:
    task = material.task
    part = task.synthetic
    fitted = fit_classifier(model, part.features, part.target, len(task.classes), settings=material.settings)
    scores, predicted = fitted.predict(task.test.features)
    # One draw: a cell's spread is measured over seeds, not by a bootstrap.
    bootstrap = Bootstrap.of(len(task.test), seed=material.seed, draws=1)
    found = classification_scores(task.test.target, scores, predicted, bootstrap)
    return {**{name: score.value for name, score in found.items()}, "majority_share": task.majority_share}


def _predicted(material: Material) -> Scores:
    task, (model,) = material.task, REGRESSOR_SUITES["lightgbm"]
    part = task.synthetic
    fitted = fit_regressor(model, part.features, part.target, settings=material.settings)
    bootstrap = Bootstrap.of(len(task.test), seed=material.seed, draws=1)
    found = regression_scores(task.test.target, predict_numbers(fitted, task.test.features), bootstrap)
    return {name: score.value for name, score in found.items()}


def _accuracies(material: Material, train: Labelled, test: Labelled) -> Scores:
    if not len(test):
        raise UserError("no synthetic row has a class of the real rows: there is nothing to test on.")
    classes, found = len(material.task.classes), {}
    for model in MC_GEN:
        fitted = fit_classifier(model, train.features, train.target, classes, settings=material.settings)
        _, predicted = fitted.predict(test.features)
        right = np.trace(confusion_matrix(test.target, predicted, classes))
        found[f"{_SHORT[model.name]}.accuracy"] = float(right) / len(test)
    return found


_SHORT = {"svm": "svm", "logistic_regression_public_scale": "lr", "gradient_boosting": "gb"}
