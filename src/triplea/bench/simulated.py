"""A SIMULATED wide table of 0/1 columns, with the size and sparsity of DP-auto-GAN's MIMIC-III table.

MIMIC-III is credentialed; nothing in here is made of it but five published figures: 46,520 rows, 1,071
columns, 146 of them without a single 1, and 219, 127 and 64 with at least 1 %, 2.5 % and 5 % of ones.

Structure, all of it known: a patient has one normal number for severity and one for each of 24 families of
diseases. A column belongs to one family, sometimes to a second one; it is 1 where its liability, a weighted
sum of these numbers and of noise with variance 1 in all, exceeds the quantile that gives its prevalence. So
shares of columns and correlations of liabilities are exact parameters, not estimates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import ndtri

from triplea.sample.randomness import public_generator

Floats = NDArray[np.float64]
ROWS, COLUMNS, EMPTY, FAMILIES = 46_520, 1_071, 146, 24
SEED = 20191203
# How many columns have at least such a prevalence; between them the curve is straight in logarithms.
CURVE = ((1, 0.42), (64, 0.05), (127, 0.025), (219, 0.01), (COLUMNS - EMPTY, 5e-5))
SEVERITY, FIRST, SECOND = 0.35, (0.6, 0.9), (0.2, 0.5)  # ranges of loadings
TWO_FAMILIES = 0.3  # chance of a column to belong to a second family


@dataclass(frozen=True, kw_only=True)
class Structure:
    """Prevalences, and loadings of liabilities on severity and on the families (columns x 25)."""

    prevalences: Floats
    loadings: Floats

    @property
    def correlations(self) -> Floats:
        """Correlations of liabilities."""
        products = np.asarray(self.loadings @ self.loadings.T)
        np.fill_diagonal(products, 1.0)
        return products


def comorbidity_structure(columns: int = COLUMNS) -> Structure:
    """The parameters of the simulation; fewer columns are a random choice, for tests."""
    rng = public_generator(SEED)
    ranks = np.arange(1, COLUMNS - EMPTY + 1)
    places, levels = np.transpose(CURVE)
    sparse = np.exp(np.interp(np.log(ranks), np.log(places), np.log(levels)))
    prevalences = np.concatenate([sparse, np.zeros(EMPTY)])
    loadings = np.zeros((COLUMNS, 1 + FAMILIES))
    loadings[:, 0] = rng.uniform(0.0, SEVERITY, COLUMNS)
    every = np.arange(COLUMNS)
    loadings[every, 1 + rng.integers(0, FAMILIES, COLUMNS)] = rng.uniform(*FIRST, COLUMNS)
    second = rng.uniform(*SECOND, COLUMNS) * (rng.random(COLUMNS) < TWO_FAMILIES)
    loadings[every, 1 + rng.integers(0, FAMILIES, COLUMNS)] += second
    loadings /= np.maximum(np.linalg.norm(loadings, axis=1, keepdims=True) / 0.95, 1.0)
    order = rng.permutation(COLUMNS)[:columns]
    return Structure(prevalences=prevalences[order], loadings=loadings[order])


def comorbidities(rows: int = ROWS, columns: int = COLUMNS) -> pa.Table:
    """Draw the table: one int8 column a disease, named d0001 and so on."""
    structure, rng = comorbidity_structure(columns), public_generator(SEED, stream=1)
    factors = rng.standard_normal((rows, 1 + FAMILIES))
    drawn = {}
    for place, (prevalence, loading) in enumerate(
        zip(structure.prevalences, structure.loadings, strict=True), start=1
    ):
        own = np.sqrt(1.0 - loading @ loading)
        liability = factors @ loading + own * rng.standard_normal(rows)
        with np.errstate(divide="ignore"):
            drawn[f"d{place:04d}"] = pa.array((liability > -ndtri(prevalence)).astype(np.int8))
    return pa.table(drawn)


SIMULATED = {"comorbidities": comorbidities}
