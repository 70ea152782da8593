"""Records of utility: what a model trained on the synthetic rows can do on real ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from triplea.results.scores import Score


@dataclass(frozen=True, kw_only=True)
class ModelResult:
    """One model, trained once and tested once.

    `trained_on` is "synthetic", "real", "real sample" (as many real rows as there are synthetic ones) or
    "nothing" (the no-information model). `tested_on` is "real", or "synthetic" in MC-GEN's first scenario.
    """

    model: str
    title: str
    trained_on: str
    tested_on: str = "real"
    papers: tuple[str, ...] = ()
    rows: int
    scores: dict[str, Score]
    seconds: float = 0.0
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Points of a ROC ("roc") or precision-recall ("pr") curve on the real test rows."""

    model: str
    trained_on: str
    kind: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class RankingAgreement:
    """Do classifiers rank alike when trained on synthetic and on real rows?

    `sra` is PATE-GAN's synthetic ranking agreement: the share of pairs of classifiers in the same order.
    """

    metric: str
    models: tuple[str, ...]
    real: tuple[float, ...]
    synthetic: tuple[float, ...]
    sra: float
    spearman: float


@dataclass(frozen=True, kw_only=True)
class Utility:
    """All models, the two floors beside them, and how the models rank."""

    target: str
    task: str
    headline: str
    classes: tuple[str, ...] = ()
    positive: str | None = None
    majority_share: float | None = None
    results: tuple[ModelResult, ...]
    means: dict[str, dict[str, float]] = field(default_factory=dict)
    curves: tuple[Curve, ...] = ()
    ranking: RankingAgreement | None = None

    def score(self, model: str, trained_on: str = "synthetic", metric: str | None = None) -> float:
        """Return one number: NaN if that model was not run."""
        for result in self.results:
            if (result.model, result.trained_on, result.tested_on) == (model, trained_on, "real"):
                found = result.scores.get(metric or self.headline)
                return found.value if found is not None else float("nan")
        return float("nan")
