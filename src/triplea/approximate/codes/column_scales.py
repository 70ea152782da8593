"""Centres, spreads and normal scores of columns from noisy fine histograms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from triplea.approximate.codes.normal_scores import SCORES, climbing
from triplea.approximate.codes.number_code import NumberCode, half_range, middle
from triplea.schema import Column

Floats = NDArray[np.float64]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
NORMAL_QUARTILES = 1.349  # distance of the quartiles of a standard normal
NORMAL_TAILS = 3.290  # distance of its 5 % and 95 % points


def masses(histograms: Floats, stddev: float) -> Floats:
    """Turn noisy histograms (one per line, 2^k cells) into distributions.

    Top-down: mass is split between two halves of a part by their counts where the part as a whole rises above
    the noise of its sum, halves within the noise get nothing, and a part below the noise is spread evenly.
    """
    cells = histograms.shape[1]
    levels = [histograms]
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1].reshape(len(histograms), -1, 2).sum(axis=2))
    mass = np.ones((len(histograms), 1))
    even = np.zeros(mass.shape, dtype=bool)
    for halves in levels[-2::-1]:
        pairs = halves.reshape(len(histograms), -1, 2)
        noise = stddev * np.sqrt(cells / halves.shape[1])
        even |= pairs.sum(axis=2) < 3.0 * noise
        clear = np.where(pairs > 2.0 * noise, pairs, 0.0)
        nothing = even | (clear.sum(axis=2) <= 0.0)
        clear[nothing] = 1.0
        mass = (mass[:, :, None] * clear / clear.sum(axis=2, keepdims=True)).reshape(len(histograms), -1)
        even = np.repeat(even, 2, axis=1)
    return mass


def edges_in_range(column: Column, cells: int) -> Floats:
    """The edges of equal cells of a column's public range, as places in [-1, 1]."""
    if column.size is None:
        return np.linspace(-1.0, 1.0, cells + 1)
    codes = np.linspace(0.0, float(column.size), cells + 1) - 0.5  # a code stands in the middle of its cell
    return np.asarray((codes - middle(column)) / half_range(column))


def scaled_code(columns: tuple[Column, ...], shapes: Floats, *, bend: bool = False) -> NumberCode:
    """The arsinh code with the centres and spreads of these distributions; bent to their shapes if wanted."""
    scales = [centre_and_spread(column, mass) for column, mass in zip(columns, shapes, strict=True)]
    centres, spreads = np.array(scales).T
    plain = NumberCode(columns=columns, centres=centres, spreads=spreads, curved=True)
    if not bend:
        return plain
    knots = [
        score_knots(column, mass, centre=centre, spread=spread)
        for column, mass, (centre, spread) in zip(columns, shapes, scales, strict=True)
    ]
    return replace(plain, knots=np.array(knots))


def centre_and_spread(column: Column, mass: Floats) -> tuple[float, float]:
    """The median, and a spread that is 1 for a standard normal, as places in the public range.

    The spread goes by the quartiles; where these nearly coincide (one value in most rows), by the tails.
    """
    if half_range(column) == 0.0:
        return 0.0, 1.0
    low, first, centre, third, high = quantiles(column, mass, np.array(QUANTILES))
    spread = max((third - first) / NORMAL_QUARTILES, (high - low) / NORMAL_TAILS / 4.0, 2.0 / len(mass))
    return float(np.clip(centre, -1.0, 1.0)), float(spread)


def score_knots(column: Column, mass: Floats, *, centre: float, spread: float) -> Floats:
    """The arsinh entries of a column that are to have the normal scores `SCORES`."""
    wanted = quantiles(column, mass, norm.cdf(SCORES))
    return climbing(np.arcsinh((wanted - centre) / spread))


def quantiles(column: Column, mass: Floats, shares: Floats) -> Floats:
    """The places in the public range below which these shares of the rows lie."""
    if half_range(column) == 0.0:
        return np.zeros(len(shares))
    below = np.concatenate([[0.0], np.cumsum(mass)]) + np.arange(len(mass) + 1) * 1e-12
    return np.interp(shares, below, edges_in_range(column, len(mass)))
