"""A covariance for every class, and no difference where there is none."""

import numpy as np
import pytest

from tests.methods.numbers_support import fitted, schema_of, table_of, two_classes


def test_a_rare_class_that_differs_is_found():
    rows, label = two_classes(40_000, 12, shift=3.0, stretch=0.5)
    made, _ = fitted(table_of(rows, label), schema_of(12))
    frame = made.rows.to_pandas()
    rare = frame[frame.y]
    assert len(rare) == pytest.approx(label.sum(), rel=0.2)
    assert rare[["x0", "x1", "x2", "x3"]].mean().to_numpy() == pytest.approx(np.full(4, 3.0), abs=0.6)
    assert frame[~frame.y].x0.std() == pytest.approx(1.0, abs=0.15)


def test_permuted_labels_give_equal_classes():
    """What noise and clipping do to a class must not look like a difference between the classes."""
    rows, label = two_classes(40_000, 12, shift=3.0, stretch=3.0)
    spread, shifts = [], []
    for seed in range(6):
        permuted = np.random.default_rng(seed).permutation(label)
        _, method = fitted(table_of(rows, permuted), schema_of(12), seed=seed)
        gaussians = method.model_.gaussians
        common, rare = (np.trace(matrix) for matrix in gaussians.covariances)
        spread.append(rare / common - 1.0)
        shifts.append(np.linalg.norm(gaussians.means[1] - gaussians.means[0]))
    assert np.median(np.abs(spread)) < 1e-9 and abs(np.mean(spread)) < 0.05
    assert np.median(shifts) < 1e-9


def test_correlations_survive():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((20_000, 8))
    rows[:, 1] = 0.8 * rows[:, 0] + 0.6 * rows[:, 1]
    made, _ = fitted(table_of(rows, rng.random(20_000) < 0.5), schema_of(8))
    assert made.rows.to_pandas()[["x0", "x1"]].corr().iloc[0, 1] == pytest.approx(0.8, abs=0.12)


def test_columns_with_other_bounds_have_scales_of_their_own():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((20_000, 8)) * np.array([0.01, 1, 1, 1, 1, 1, 1, 3])
    schema = schema_of(8)
    from dataclasses import replace

    schema = schema.replace_column(replace(schema.column("x0"), lower=-1.0, upper=1.0))
    made, _ = fitted(table_of(rows, rng.random(20_000) < 0.5), schema)
    spread = made.rows.to_pandas()[["x0", "x7"]].std().to_numpy()
    assert spread == pytest.approx([0.01, 3.0], rel=0.3)
