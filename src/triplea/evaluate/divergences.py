"""Distances between two distributions over the same cells."""

from __future__ import annotations

import numpy as np


def total_variation(p: np.ndarray, q: np.ndarray) -> float:
    """Return half the L1 distance: 0 for equal, 1 for disjoint distributions."""
    return float(0.5 * np.abs(p - q).sum())


def jensen_shannon(p: np.ndarray, q: np.ndarray) -> float:
    """Return KL(P||M)/2 + KL(Q||M)/2 with the midpoint M = (P+Q)/2, natural logarithm: at most log 2."""
    middle = 0.5 * (p + q)
    return max(0.5 * _kl(p, middle) + 0.5 * _kl(q, middle), 0.0)


def smoothed_kl(p: np.ndarray, q: np.ndarray) -> float:
    """Return DP-auto-GAN's mu-smoothed KL of the real P from the synthetic Q, mu = exp(-1/(1 - max P)).

    The sum of (P + mu) log((P + mu)/(Q + mu)) over the support of P. The mu makes a lost minority cost about
    the same in every column. Logarithms keep it exact when mu underflows. For a constant real column mu is 0
    and the value is -log Q of the one value, infinite if the synthetic column lacks it.
    """
    support = p > 0
    rest = 1.0 - float(p.max())
    log_mu = -1.0 / rest if rest > 1e-15 else -np.inf
    with np.errstate(divide="ignore"):
        log_p = np.logaddexp(np.log(p[support]), log_mu)
        log_q = np.logaddexp(np.log(q[support]), log_mu)
    return float(np.sum(np.exp(log_p) * (log_p - log_q)))


def _kl(p: np.ndarray, q: np.ndarray) -> float:
    support = p > 0
    return float(np.sum(p[support] * np.log(p[support] / q[support])))
