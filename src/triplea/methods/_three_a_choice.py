"""The choice that the published 3A makes on the private rows themselves: nothing here is private."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from triplea.approximate.mixtures.noisy_points import NoisyPoints
from triplea.errors import MissingExtra
from triplea.schema import Encoded, len_of

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
MOST_DRAWN, MOST_JUDGED = 100_000, 250_000  # rows that a judge is trained on, and rows that it ranks
LEAST_IN_LEAF = 10.0  # by LightGBM's weights: below that it learns a rare class by heart, from real rows too


def require_judge() -> None:
    """Raise MissingExtra where LightGBM, which judges candidates, is not installed."""
    if find_spec("lightgbm") is None:
        raise MissingExtra(
            package="lightgbm", extra="eval", purpose="choosing parameters on the training rows"
        )


@dataclass(kw_only=True, eq=False)
class Contest:
    """Keeps the data set whose classifier ranks the training rows best (mean one-against-rest AUC)."""

    rows: Encoded
    klass: Whole
    rng: np.random.Generator
    winner: NoisyPoints | None = None
    best: float = -np.inf

    def enter(self, model: NoisyPoints) -> float:
        """Judge a data set and keep it if it is the best so far; a missing class outweighs any AUC."""
        score = self._score(model)
        if score > self.best:
            self.winner, self.best = model, score
        return score

    def _score(self, model: NoisyPoints) -> float:
        present = np.unique(self.klass)
        known = np.unique(model.classes)
        missing = len(np.setdiff1d(present, known))
        if len(known) < 2 or len(present) < 2:
            return 0.5 - missing
        from lightgbm import LGBMClassifier

        count = len_of(self.rows)
        drawn = model.sample(max(min(count, MOST_DRAWN), len(model.points)), rng=self.rng)
        judge = LGBMClassifier(
            min_child_weight=LEAST_IN_LEAF, n_jobs=1, verbose=-1, deterministic=True, seed=0
        )
        judge.fit(model.code.encode(drawn), model.classes_of(drawn))
        judged = self.rng.permutation(count)[:MOST_JUDGED]
        vectors = model.code.encode({name: values[judged] for name, values in self.rows.items()})
        chances = np.asarray(judge.predict_proba(vectors))
        return mean_auc(chances, np.asarray(judge.classes_), self.klass[judged]) - missing


def mean_auc(chances: Floats, classes: Whole, klass: Whole) -> float:
    """The mean, over the classes that a classifier knows, of the AUC of that class against the rest."""
    found = [
        _auc(chances[:, number], klass == name)
        for number, name in enumerate(classes.tolist())
        if 0 < (klass == name).sum() < len(klass)
    ]
    return float(np.mean(found)) if found else 0.5


def _auc(scores: Floats, inside: NDArray[np.bool_]) -> float:
    """The chance that a row inside has a higher score than one outside; half for equal scores."""
    ranks, count = rankdata(scores), int(inside.sum())
    return float((ranks[inside].sum() - count * (count + 1) / 2) / (count * (len(inside) - count)))
