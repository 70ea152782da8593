"""From noisy sums of features to what a generator shall match: class sizes and class means, denoised."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from triplea.approximate.embeddings.random_features import Features

Floats = np.ndarray
PRIOR = 8.0


@dataclass(frozen=True, kw_only=True)
class Target:
    """Class sizes, class means of the features (classes x width), and how far each class is signal (0 to 1).

    `noise` is the squared length of the noise in the means, weighted as in the loss: closer than that to the
    means a generator need not come.
    """

    counts: Floats
    means: Floats
    trust: Floats
    noise: float


def read_embedding(
    values: Floats,
    stddev: Floats,
    features: Features,
    *,
    sizes: tuple[Floats, float] | None = None,
    least: float = 1.0,
) -> Target:
    """Estimate sizes and means from the released sums.

    A size is the average, by precision, of the constant, of every block's total and of `sizes`, where class
    sizes were released by themselves (values and standard deviation). Classes below `least` rows get size
    zero. A mean is the class's sum by its size, and then drawn towards the mean of all classes, part by part
    (a block, a number's harmonics, the joint waves), by as much as noise explains their distance.
    """
    counts = np.maximum(_sizes(values, stddev, features, sizes), 0.0)
    counts[counts < least] = 0.0
    size = np.maximum(counts, 1.0)
    overall = values[counts > 0].sum(axis=0) / max(float(counts.sum()), 1.0)
    means = values / size[:, None]
    noise = stddev / size[:, None]
    if len(values) > 1:
        means = overall + (means - overall) * _signal(
            (means - overall) / noise, parts(features), kinds_of(features)
        )
    energy = ((noise * features.weights)[:, 1:] ** 2).sum(axis=1)
    trust = np.where(counts > 0, 1.0 / (1.0 + energy), 0.0)
    shared = float(trust @ energy / trust.sum()) if trust.any() else 0.0
    return Target(counts=counts, means=means, trust=trust, noise=shared)


def _signal(gaps: Floats, groups: list[np.ndarray], kinds: np.ndarray) -> Floats:
    """How far each entry's distance, in standard deviations of its noise, is signal: t^2 / (t^2 + 1).

    t^2 of a part is what its squared distance clearly exceeds the noise by, averaged with that of all entries
    of the same kind as if those were PRIOR entries more: a part of few entries is judged by its peers, a
    large one by itself. So where many columns differ in their means and none in their spread, means are kept
    and spreads are those of all rows.
    """
    squares = gaps**2
    common = np.zeros_like(gaps)
    for kind in np.unique(kinds):
        same = kinds == kind
        common[:, same] = np.maximum(squares[:, same].mean(axis=1, keepdims=True) - 1.0, 0.0)
    kept = np.ones_like(gaps)
    for part in groups:
        size = len(part)
        own = np.maximum(squares[:, part].sum(axis=1, keepdims=True) - size - np.sqrt(2.0 * size), 0.0)
        signal = (PRIOR * common[:, part] + own) / (PRIOR + size)
        kept[:, part] = signal / (signal + 1.0)
    return kept


def kinds_of(features: Features) -> np.ndarray:
    """The kind of every entry: constant, one-hot by weight, cosine or sine of each frequency, of joint waves.

    A block that was given more weight is none of the others' peers: it was chosen because it tells more.
    """
    frequencies = np.unique(features.harmonic)
    harmonic = np.searchsorted(frequencies, features.harmonic)
    waves = np.concatenate([harmonic, np.full(len(features.directions), len(frequencies))])
    weights, kind_of_block = np.unique(features.block_weights, return_inverse=True)
    flags = np.concatenate([[0], 1 + np.repeat(kind_of_block, features.blocks)])
    first = 1 + max(1, len(weights))
    return np.concatenate([flags, first + 2 * waves, first + 1 + 2 * waves]).astype(int)


def parts(features: Features) -> list[np.ndarray]:
    """The entries that belong together: every block, every number's harmonics, all joint waves."""
    ends = 1 + np.cumsum([0, *features.blocks])
    found = [np.arange(ends[i], ends[i + 1]) for i in range(len(features.blocks))]
    cosine, sine = features.flags, features.flags + features.waves
    for number in np.unique(features.harmonic_of):
        of = np.flatnonzero(features.harmonic_of == number)
        found.append(np.concatenate([cosine + of, sine + of]))
    joint = np.arange(len(features.harmonic), features.waves)
    if len(joint):
        found.append(np.concatenate([cosine + joint, sine + joint]))
    return [part for part in found if len(part)]


def _sizes(values: Floats, stddev: Floats, features: Features, sizes: tuple[Floats, float] | None) -> Floats:
    ends = 1 + np.cumsum([0, *features.blocks])
    spread = np.broadcast_to(stddev, values.shape)[0]
    totals, precisions = [values[:, 0]], [1.0 / spread[0] ** 2]
    for first, last in pairwise(ends):
        totals.append(values[:, first:last].sum(axis=1))
        precisions.append(1.0 / (spread[first:last] ** 2).sum())
    if sizes is not None:
        totals.append(sizes[0])
        precisions.append(sizes[1] ** -2.0)
    return np.asarray(np.asarray(precisions) @ np.asarray(totals) / np.sum(precisions))
