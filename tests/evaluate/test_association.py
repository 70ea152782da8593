from __future__ import annotations

import numpy as np
import pytest
from scipy.stats.contingency import association

from triplea.evaluate.association import (
    association_matrix,
    compare_associations,
    correlation_ratio,
    cramers_v,
    pearson,
)
from triplea.evaluate.rows import Field, Rows


def test_cramers_v_agrees_with_scipy() -> None:
    rng = np.random.default_rng(0)
    for shape in ((2, 2), (3, 5), (6, 2)):
        table = rng.integers(1, 40, shape)
        assert cramers_v(table.astype(float)) == pytest.approx(association(table, method="cramer"))


def test_cramers_v_ignores_empty_levels_and_gives_zero_for_a_constant() -> None:
    assert cramers_v(np.array([[5.0, 0, 0], [0, 0, 7.0]])) == pytest.approx(1.0)
    assert cramers_v(np.array([[5.0, 7.0]])) == 0


def test_pearson_agrees_with_numpy_on_the_rows_where_both_are_present() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(1e6, 3, (200, 3))
    values[:, 2] += values[:, 0]
    values[rng.random((200, 3)) < 0.1] = np.nan
    found = pearson(values)
    for i in range(3):
        for j in range(3):
            both = ~np.isnan(values[:, i]) & ~np.isnan(values[:, j])
            assert found[i, j] == pytest.approx(np.corrcoef(values[both, i], values[both, j])[0, 1])


def test_correlation_ratio_is_the_root_of_the_explained_variance() -> None:
    rng = np.random.default_rng(2)
    level = rng.integers(0, 3, 300)
    values = level * 1.5 + rng.normal(0, 1, 300)
    means = np.array([values[level == k].mean() for k in range(3)])[level]
    expected = np.sqrt(means.var() / values.var())
    assert correlation_ratio(np.eye(3)[level], values[:, None])[0] == pytest.approx(expected)


def test_the_matrix_is_symmetric_and_a_constant_column_has_no_association(train: Rows) -> None:
    fields = (*train.fields, Field(name="flat", lower=0, upper=1))
    rows = Rows(fields=fields, values={**train.values, "flat": np.full(len(train), 0.1)})
    matrix = association_matrix(rows)
    assert np.allclose(matrix, matrix.T)
    assert np.allclose(matrix[-1, :-1], 0)
    assert np.abs(matrix).max() <= 1


def test_equal_tables_differ_by_nothing(train: Rows, synthetic: Rows) -> None:
    assert compare_associations(train, train).mean_difference == 0
    found = compare_associations(train, synthetic)
    assert 0 < found.mean_difference <= found.maximum_difference
