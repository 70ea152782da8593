"""Pairwise association: Cramer's V, correlation ratio or Pearson's correlation, whichever fits the pair."""

from __future__ import annotations

import numpy as np

from triplea.evaluate.rows import Rows
from triplea.results import Association


def compare_associations(real: Rows, synthetic: Rows) -> Association:
    """Return both matrices and the mean and largest absolute difference over pairs of different columns."""
    a, b = association_matrix(real), association_matrix(synthetic)
    upper = np.triu_indices(len(real.names), k=1)
    gap = np.abs(a - b)[upper]
    return Association(
        columns=real.names,
        real=_nested(a),
        synthetic=_nested(b),
        mean_difference=float(gap.mean()) if gap.size else 0.0,
        maximum_difference=float(gap.max()) if gap.size else 0.0,
    )


def association_matrix(rows: Rows) -> np.ndarray:
    """Return the symmetric matrix of associations; a constant column has association 0, the diagonal is 1."""
    size = len(rows.names)
    matrix = np.zeros((size, size))
    categories = [i for i, field in enumerate(rows.fields) if field.is_category]
    numbers = [i for i, field in enumerate(rows.fields) if not field.is_category]
    onehots = {i: _onehot(rows[rows.names[i]]) for i in categories}
    values = np.column_stack([rows[rows.names[j]] for j in numbers]) if numbers else np.zeros((len(rows), 0))
    matrix[np.ix_(numbers, numbers)] = pearson(values)
    for place, i in enumerate(categories):
        ratio = correlation_ratio(onehots[i], values)
        matrix[i, numbers] = ratio
        matrix[numbers, i] = ratio
        for j in categories[place + 1 :]:
            matrix[i, j] = matrix[j, i] = cramers_v(onehots[i].T @ onehots[j])
    np.fill_diagonal(matrix, 1.0)
    return matrix


def pearson(values: np.ndarray) -> np.ndarray:
    """Return correlations over the rows where both columns are present."""
    present = ~np.isnan(values)
    mask = present.astype(float)
    count = np.maximum(present.sum(axis=0), 1)
    centre = np.where(present, values, 0.0).sum(axis=0) / count
    scale = np.maximum(np.sqrt((np.where(present, values - centre, 0.0) ** 2).sum(axis=0) / count), 1e-300)
    # Centring and scaling first keeps the sums of squares below from cancelling.
    filled = np.where(present, (values - centre) / scale, 0.0)
    both = np.maximum(mask.T @ mask, 1.0)
    mean = filled.T @ mask / both
    square = (filled**2).T @ mask / both - mean**2
    cross = filled.T @ filled / both - mean * mean.T
    bottom = np.sqrt(np.clip(square, 0, None) * np.clip(square.T, 0, None))
    ratio = np.where(bottom > 1e-12, cross / np.maximum(bottom, 1e-12), 0.0)
    result: np.ndarray = np.clip(ratio, -1.0, 1.0)
    return result


def correlation_ratio(onehot: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return eta for every number column: sqrt(variance of the level means / variance)."""
    present = (~np.isnan(values)).astype(float)
    filled = np.where(present > 0, values, 0.0)
    total = np.maximum(present.sum(axis=0), 1.0)
    centre = filled.sum(axis=0) / total
    centred = np.where(present > 0, values - centre, 0.0)
    level_rows = onehot.T @ present
    level_sums = onehot.T @ centred
    between = (level_sums**2 / np.maximum(level_rows, 1.0)).sum(axis=0)
    whole = (centred**2).sum(axis=0)
    # Rounding of the mean leaves a constant column with a little variance.
    varies = whole > 1e-24 * total * centre**2
    result: np.ndarray = np.sqrt(
        np.clip(np.where(varies, between / np.where(varies, whole, 1.0), 0.0), 0.0, 1.0)
    )
    return result


def cramers_v(table: np.ndarray) -> float:
    """Return sqrt(chi2 / (n (min(r, c) - 1))) of a contingency table, without its empty rows and columns."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    short = min(table.shape, default=0) - 1
    if short < 1:
        return 0.0
    total = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    chi2 = float(((table - expected) ** 2 / expected).sum())
    return min(float(np.sqrt(chi2 / (total * short))), 1.0)


def _onehot(codes: np.ndarray) -> np.ndarray:
    """Return one column a level that occurs; a missing value is a level of its own."""
    levels, inverse = np.unique(codes, return_inverse=True)
    onehot = np.zeros((len(codes), len(levels)))
    onehot[np.arange(len(codes)), inverse] = 1.0
    return onehot


def _nested(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(entry), 6) for entry in row) for row in matrix)
