"""DP-EM as DP-SYN's code has it: noise that follows the raw size of a component, and K chosen on the rows.

For the published variant only. What is claimed for it does not hold: docs/methods/dp-syn.md has the reasons.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from triplea.approximate.mixtures.ball_mixtures import LEAST_SPREAD, BallMixtures, in_ball

Floats = NDArray[np.float64]
ROUNDS = 10
PRIOR_SHARE, PRIOR_ROWS, PRIOR_SPREAD = 2.0, 1.01, 0.1


def published_mixture(
    codes: Floats, *, most: int, epsilon: float, delta: float, generator: np.random.Generator
) -> BallMixtures:
    """Fit one group's mixture: K by Calinski and Harabasz, then ten noisy rounds."""
    components = best_components(codes, most, generator)
    rounds = ROUNDS * (2 * components + 1)
    per_part, slack = epsilon / rounds, delta / (ROUNDS * (components + 1))
    factor = float(np.sqrt(2.0 * np.log(1.25 / slack))) / per_part
    mixture = _start(codes, components, generator)
    for _ in range(ROUNDS if len(codes) else 0):
        shares = mixture.responsibilities(codes, 0)
        mixture = _noisy_step(codes, shares, per_part, factor, generator)
    return mixture


def noise_of_means(rows: Floats, factor: float) -> Floats:
    """The standard deviation of the noise on a component's mean: a function of its raw size."""
    return factor * 2.0 / (rows + PRIOR_ROWS)


def _noisy_step(
    codes: Floats, shares: Floats, per_part: float, factor: float, generator: np.random.Generator
) -> BallMixtures:
    count, latent = shares.sum(axis=0), codes.shape[1]
    weights = (count + PRIOR_SHARE - 1.0) / (len(codes) + len(count) * (PRIOR_SHARE - 1.0))
    weights = weights + generator.laplace(scale=2.0 / (len(codes) * per_part), size=len(count))
    means = shares.T @ codes / (count + PRIOR_ROWS)[:, None]
    centred = codes[None] - means[:, None]
    scatter = np.einsum("nk,kni,knj->kij", shares, centred, centred) + PRIOR_SPREAD * np.eye(latent)
    below = count + 2.0 * latent + 3.0
    means = means + noise_of_means(count, factor)[:, None] * generator.standard_normal(means.shape)
    noise = generator.standard_normal(scatter.shape)
    noise = np.triu(noise) + np.swapaxes(np.triu(noise, 1), 1, 2)
    covariances = scatter / below[:, None, None] + (factor / below)[:, None, None] * noise
    values, vectors = np.linalg.eigh(covariances)
    covariances = (vectors * np.maximum(values, LEAST_SPREAD)[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    weights = np.maximum(weights, 1e-3)
    return BallMixtures(
        shares=(weights / weights.sum())[None], means=in_ball(means)[None], covariances=covariances[None]
    )


def _start(codes: Floats, components: int, generator: np.random.Generator) -> BallMixtures:
    """Means around the mean of the codes, which is read without noise."""
    blank = BallMixtures.blank(1, components, codes.shape[1])
    centre = codes.mean(axis=0) if len(codes) else np.zeros(codes.shape[1])
    means = in_ball(centre + 0.3 * generator.standard_normal(blank.means.shape))
    return BallMixtures(shares=blank.shares, means=means, covariances=PRIOR_SPREAD * blank.covariances)


def best_components(codes: Floats, most: int, generator: np.random.Generator) -> int:
    """The number of clusters from 2 on with the best ratio of spread between to spread within."""
    choices = range(2, min(most, len(codes) - 1) + 1)
    scores = {k: calinski_harabasz(codes, _clusters(codes, k, generator), k) for k in choices}
    return max(scores, key=lambda k: scores[k], default=1)


def calinski_harabasz(codes: Floats, cluster: np.ndarray, k: int) -> float:
    """(between / (k - 1)) / (within / (n - k))."""
    sizes = np.bincount(cluster, minlength=k)
    centres = _centres(codes, cluster, k)
    between = float((sizes * ((centres - codes.mean(axis=0)) ** 2).sum(axis=1)).sum())
    within = float(((codes - centres[cluster]) ** 2).sum())
    return (between / (k - 1)) / max(within / (len(codes) - k), 1e-12)


def _clusters(codes: Floats, k: int, generator: np.random.Generator, rounds: int = 15) -> np.ndarray:
    centres = codes[generator.choice(len(codes), size=k, replace=False)]
    for _ in range(rounds):
        distance = (centres**2).sum(axis=1) - 2.0 * codes @ centres.T
        cluster = distance.argmin(axis=1)
        centres = _centres(codes, cluster, k)
    return np.asarray(cluster)


def _centres(codes: Floats, cluster: np.ndarray, k: int) -> Floats:
    sums = np.stack([np.bincount(cluster, weights=entry, minlength=k) for entry in codes.T], axis=1)
    return np.asarray(sums / np.maximum(np.bincount(cluster, minlength=k), 1)[:, None])
