"""Agreement of rankings: is the best model on synthetic rows the best on real ones?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triplea.results import ModelResult, RankingAgreement


def synthetic_ranking_agreement(real: np.ndarray, synthetic: np.ndarray) -> float:
    """Return PATE-GAN's SRA: the share of ordered pairs i != j with (R_i - R_j)(S_i - S_j) > 0."""
    count = len(real)
    if count < 2:
        return float("nan")
    agree = (real[:, None] - real[None, :]) * (synthetic[:, None] - synthetic[None, :]) > 0
    return float(agree.sum() / (count * (count - 1)))


def spearman(real: np.ndarray, synthetic: np.ndarray) -> float:
    """Return Spearman's rank correlation, ties at their mean rank; 0 if one side is all ties."""
    from scipy.stats import rankdata

    a, b = rankdata(real), rankdata(synthetic)
    a, b = a - a.mean(), b - b.mean()
    bottom = float(np.sqrt((a**2).sum() * (b**2).sum()))
    return float((a * b).sum() / bottom) if bottom > 0 else 0.0


def ranking_agreement(results: Sequence[ModelResult], metric: str) -> RankingAgreement | None:
    """Compare how models rank by `metric`, trained on synthetic and on real rows; None for fewer than two."""
    found: dict[str, dict[str, float]] = {"real": {}, "synthetic": {}}
    for result in results:
        if result.tested_on == "real" and result.trained_on in found and metric in result.scores:
            found[result.trained_on][result.model] = result.scores[metric].value
    models = tuple(name for name in found["real"] if name in found["synthetic"])
    if len(models) < 2:
        return None
    real = np.array([found["real"][name] for name in models])
    synthetic = np.array([found["synthetic"][name] for name in models])
    return RankingAgreement(
        metric=metric,
        models=models,
        real=tuple(real.tolist()),
        synthetic=tuple(synthetic.tolist()),
        sra=synthetic_ranking_agreement(real, synthetic),
        spearman=spearman(real, synthetic),
    )
