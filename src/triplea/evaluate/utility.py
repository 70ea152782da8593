"""Utility: train on synthetic, test on real; train on real beside it; two floors below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from triplea.evaluate import ranking_scores
from triplea.evaluate.bootstrap import DRAWS, Bootstrap
from triplea.evaluate.fitting import Fitted, fit_classifier, fit_regressor, predict_numbers
from triplea.evaluate.models import MCGEN, MERF, Model, Settings
from triplea.evaluate.progress import Steps
from triplea.evaluate.ranking import ranking_agreement
from triplea.evaluate.scoring import accuracy_score, classification_scores, regression_scores
from triplea.evaluate.task import Labelled, Task
from triplea.results import Curve, ModelResult, Score, Utility


def utility_steps(task: Task, models: Sequence[Model]) -> int:
    """Return how many steps `measure_utility` takes."""
    return len(models) * (2 + _needs_sample(task)) + 1


def measure_utility(
    task: Task, models: Sequence[Model], *, settings: Settings, steps: Steps, draws: int = DRAWS
) -> Utility:
    """Run every model on synthetic rows, on real rows and on a real sample of the synthetic rows' size."""
    runner = _Runner(task, settings, steps, draws)
    for model in models:
        runner.run(model)
    with steps.step("no-information model", stage="utility"):
        runner.results.append(_no_information(task, runner.bootstrap))
    results = tuple(runner.results)
    headline = "roc_auc" if task.is_classification else "r2"
    return Utility(
        target=task.target,
        task="classification" if task.is_classification else "regression",
        headline=headline,
        classes=task.classes,
        positive=task.positive,
        majority_share=task.majority_share if task.is_classification else None,
        results=results,
        means=_means(results),
        curves=tuple(runner.curves),
        ranking=ranking_agreement(results, headline),
    )


class _Runner:
    """Fits and scores model after model; keeps results and curves."""

    def __init__(self, task: Task, settings: Settings, steps: Steps, draws: int) -> None:
        self.task, self.settings, self.steps = task, settings, steps
        self.bootstrap = Bootstrap.of(len(task.test), seed=settings.seed, draws=draws)
        rng = np.random.default_rng([settings.seed, 1])
        self.parts = {"synthetic": task.synthetic, "real": task.train}
        if _needs_sample(task):
            self.parts["real sample"] = task.train.sample(len(task.synthetic), rng)
        self.results: list[ModelResult] = []
        self.curves: list[Curve] = []

    def run(self, model: Model) -> None:
        for trained_on, part in self.parts.items():
            with self.steps.step(f"{model.title}, trained on {trained_on} rows", stage="utility"):
                self.results.append(self._one(model, trained_on, part))
        if "real sample" not in self.parts:
            # There are as many synthetic rows as real ones, or more: the real sample is the real table.
            real = next(
                r
                for r in self.results
                if (r.model, r.trained_on, r.tested_on) == (model.name, "real", "real")
            )
            self.results.append(replace(real, trained_on="real sample", seconds=0.0))

    def _one(self, model: Model, trained_on: str, part: Labelled) -> ModelResult:
        begin = perf_counter()
        if self.task.is_classification:
            rows, scores, note = self._classify(model, trained_on, part)
        else:
            rows, scores, note = self._regress(model, part)
        if rows < len(part):
            note = "; ".join(text for text in (note, f"trained on {rows} of {len(part)} rows") if text)
        return ModelResult(
            model=model.name,
            title=model.title,
            trained_on=trained_on,
            papers=model.papers,
            rows=rows,
            scores=scores,
            seconds=perf_counter() - begin,
            note=note,
        )

    def _classify(
        self, model: Model, trained_on: str, part: Labelled
    ) -> tuple[int, dict[str, Score], str | None]:
        task = self.task
        fitted = fit_classifier(model, part.features, part.target, len(task.classes), settings=self.settings)
        scores, predicted = fitted.predict(task.test.features)
        found = classification_scores(task.test.target, scores, predicted, self.bootstrap)
        if task.positive is not None:
            self._keep_curves(model.name, trained_on, scores[:, 1])
        if MCGEN in model.papers and trained_on == "real":
            self._first_scenario(model, fitted)
        return fitted.rows, found, fitted.note

    def _regress(self, model: Model, part: Labelled) -> tuple[int, dict[str, Score], str | None]:
        test = self.task.test
        if not len(part):
            flat = np.full(len(test), float(np.mean(self.task.train.target)))
            return 0, regression_scores(test.target, flat, self.bootstrap), "no training rows"
        fitted = fit_regressor(model, part.features, part.target, settings=self.settings)
        predicted = predict_numbers(fitted, test.features)
        return fitted[2], regression_scores(test.target, predicted, self.bootstrap), None

    def _first_scenario(self, model: Model, fitted: Fitted) -> None:
        """MC-GEN's first scenario: train on real rows, test on the synthetic ones; accuracy."""
        synthetic = self.task.synthetic
        if not len(synthetic):
            return
        _, predicted = fitted.predict(synthetic.features)
        scores = accuracy_score(synthetic.target, predicted, len(self.task.classes), self.bootstrap)
        self.results.append(
            ModelResult(
                model=model.name,
                title=model.title,
                trained_on="real",
                tested_on="synthetic",
                papers=(MCGEN,),
                rows=fitted.rows,
                scores=scores,
                note="MC-GEN scenario 1",
            )
        )

    def _keep_curves(self, model: str, trained_on: str, scores: np.ndarray) -> None:
        positive = self.task.test.target == 1
        makers = {"roc": ranking_scores.roc_curve, "pr": ranking_scores.precision_recall_curve}
        for kind, maker in makers.items():
            x, y = maker(positive, scores)
            self.curves.append(
                Curve(model=model, trained_on=trained_on, kind=kind, x=_rounded(x), y=_rounded(y))
            )


def _needs_sample(task: Task) -> bool:
    return len(task.synthetic) < len(task.train)


def _no_information(task: Task, bootstrap: Bootstrap) -> ModelResult:
    """The floor: the real training rows' class shares (or mean), whatever the features say."""
    test = task.test
    if task.is_classification:
        shares = np.bincount(task.train.target, minlength=len(task.classes)) / len(task.train)
        scores = np.tile(shares, (len(test), 1))
        labels = np.full(len(test), task.majority, dtype=np.int64)
        found = classification_scores(test.target, scores, labels, bootstrap)
    else:
        found = regression_scores(test.target, np.full(len(test), float(task.train.target.mean())), bootstrap)
    return ModelResult(
        model="no_information",
        title="No information",
        trained_on="nothing",
        rows=len(task.train),
        scores=found,
    )


def _means(results: Sequence[ModelResult]) -> dict[str, dict[str, float]]:
    """Mean of every score over DP-MERF's classifiers, by what they were trained on; needs two or more."""
    means: dict[str, dict[str, float]] = {}
    for trained_on in ("synthetic", "real", "real sample"):
        chosen = [
            r for r in results if MERF in r.papers and r.trained_on == trained_on and r.tested_on == "real"
        ]
        if len(chosen) > 1:
            means[trained_on] = {
                metric: float(np.mean([result.scores[metric].value for result in chosen]))
                for metric in chosen[0].scores
            }
    return means


def _rounded(values: np.ndarray) -> tuple[float, ...]:
    return tuple(round(float(value), 5) for value in values)
