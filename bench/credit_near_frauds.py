"""Why Credit's AUC is what it is: a fifth of the frauds look almost honest, and noise hides how they differ.

Quarters of the training rows are held out in turn. The moments of the other frauds, with and without noise
of the recipe's size, say where the near frauds should be: at the foot of the perpendicular from the honest
mean to the long axis of all frauds. Printed: the cosine between that and where they are, and the AUC of the
held-out near frauds against honest rows, scored by it. Honest rows are so many that their moments are taken
as exact.

    python bench/credit_near_frauds.py --draws 25
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from triplea.approximate.gaussians.spectra import symmetric
from triplea.bench.datasets import load_dataset
from triplea.methods._mosaic_narrow import SECOND, SECOND_RADIUS, SHARES, SUM_RADIUS, SUMS
from triplea.queries.class_numbers import COUNT_WEIGHT, clipped

FOLDS, HONEST = 4, 4000
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, kw_only=True)
class Frauds:
    """Frauds to learn from and held-out ones, about the honest mean, with honest rows beside them."""

    seen: np.ndarray
    unseen: np.ndarray
    honest: np.ndarray
    covariance: np.ndarray


def folds() -> Iterator[Frauds]:
    """Scale by the quantiles of the rows that are not held out, as the recipe does by a noisy histogram."""
    dataset = load_dataset("credit")
    frame = dataset.train.to_pandas()
    target = dataset.schema["target"]
    label = frame[target].astype(float).to_numpy() > 0
    matrix = frame.drop(columns=target).to_numpy(float)
    rng = np.random.default_rng(0)
    fold = np.empty(len(label), dtype=int)
    for value in (False, True):
        fold[label == value] = rng.permutation((label == value).sum()) % FOLDS
    for number in range(FOLDS):
        kept = fold != number
        low, first, middle, third, high = np.quantile(matrix[kept], QUANTILES, axis=0)
        scaled = np.arcsinh((matrix - middle) / np.maximum((third - first) / 1.349, (high - low) / 13.16))
        root = np.sqrt(scaled.shape[1])
        scaled -= clipped(scaled[kept & ~label], SUM_RADIUS * root).mean(axis=0)
        common = clipped(scaled[kept & ~label], SECOND_RADIUS * root)
        yield Frauds(
            seen=scaled[kept & label],
            unseen=scaled[~kept & label],
            honest=scaled[~kept & ~label][:HONEST],
            covariance=common.T @ common / len(common),
        )


def foot(frauds: Frauds, mu: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """The near frauds' place by moments, the long axis, and half their mean along it; mu = 0: no noise."""
    rows, width = frauds.seen.shape
    root = np.sqrt(width)
    noise = [0.0 if mu == 0 else 1.0 / (mu * np.sqrt(SHARES[label]) * rows) for label in (SUMS, SECOND)]
    reach = SUM_RADIUS * root * np.hypot(1.0, COUNT_WEIGHT)
    mean = clipped(frauds.seen, SUM_RADIUS * root).mean(axis=0) + noise[0] * reach * rng.standard_normal(
        width
    )
    about = clipped(frauds.seen - mean, SECOND_RADIUS * root)
    drawn = symmetric(rng.standard_normal((width, width)))
    scatter = about.T @ about / rows + noise[1] * SECOND_RADIUS**2 * width * drawn
    axis = np.linalg.eigh(scatter - frauds.covariance)[1][:, -1]
    axis *= np.sign(axis @ mean)
    along = float(axis @ mean)
    return mean - along * axis, axis, along / 2.0


def gaussian_mu(epsilon: float, delta: float) -> float:
    """The mu of a Gaussian mechanism with this epsilon and delta."""

    def excess(mu: float) -> float:
        first, second = norm.cdf(-epsilon / mu + mu / 2), norm.cdf(-epsilon / mu - mu / 2)
        return float(first - np.exp(epsilon) * second - delta)

    return float(brentq(excess, 0.01, 10.0))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draws", type=int, default=25, help="draws of the noise for every fold")
    given = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {"truth": [], "no noise": [], "epsilon = 1": []}
    shares = []
    for frauds in folds():
        everyone = np.concatenate([frauds.seen, frauds.unseen])
        clear, axis, half = foot(frauds, 0.0, np.random.default_rng(0))
        near = everyone[everyone @ axis < half]
        shares.append((len(near) / len(everyone), float(np.linalg.norm(near.mean(axis=0)))))
        held = np.concatenate([frauds.honest, frauds.unseen[frauds.unseen @ axis < half]])
        label = np.arange(len(held)) >= len(frauds.honest)
        # a quarter fewer frauds than in a release: mu makes up for it, so that noise weighs as much as there
        mu = gaussian_mu(1.0, 1.0 / 213_605) * len(everyone) / len(frauds.seen)
        noisy = [foot(frauds, mu, np.random.default_rng(draw))[0] for draw in range(given.draws)]
        truth = near.mean(axis=0)
        for name, places in (("truth", [truth]), ("no noise", [clear]), ("epsilon = 1", noisy)):
            for place in places:
                cosine = float(place @ truth / np.linalg.norm(place) / np.linalg.norm(truth))
                found[name].append((cosine, float(roc_auc_score(label, held @ place))))
    print("share of near frauds {:.3f}, their mean's distance {:.2f}".format(*np.mean(shares, axis=0)))
    for name, pairs in found.items():
        print("{}: cosine {:.3f}, AUC of near frauds {:.4f}".format(name, *np.mean(pairs, axis=0)))


if __name__ == "__main__":
    main()
