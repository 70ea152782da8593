"""A covariance for every class, and no difference where there is none."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ks_2samp

from tests.methods.numbers_support import fitted, schema_of, table_of, two_classes
from triplea.methods._mosaic_narrow import SIZES


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
    schema = schema.replace_column(replace(schema.column("x0"), lower=-1.0, upper=1.0))
    made, _ = fitted(table_of(rows, rng.random(20_000) < 0.5), schema)
    spread = made.rows.to_pandas()[["x0", "x7"]].std().to_numpy()
    assert spread == pytest.approx([0.01, 3.0], rel=0.3)


def _skewed(n, *, rare):
    """Columns of exponential shape, with bounds of their own."""
    rng = np.random.default_rng(0)
    label = rng.random(n) < rare
    rows = rng.exponential(1.0, (n, 6)) + 2.0 * label[:, None]
    schema = schema_of(6)
    for place in range(6):
        column = schema.column(f"x{place}")
        schema = schema.replace_column(replace(column, lower=-1.0, upper=20.0 + place))
    return table_of(rows, label), schema


def test_columns_keep_their_shape_where_one_class_is_nearly_all_of_the_table():
    table, schema = _skewed(60_000, rare=0.02)
    made, method = fitted(table, schema)
    assert method.model_.code.knots is not None
    real, drawn = table.to_pandas(), made.rows.to_pandas()
    assert max(ks_2samp(real[f"x{i}"], drawn[f"x{i}"]).statistic for i in range(6)) < 0.03
    assert drawn[drawn.y].x0.mean() - drawn[~drawn.y].x0.mean() == pytest.approx(2.0, abs=0.7)


@pytest.mark.parametrize(("rows", "rare"), [(60_000, 0.3), (1_000, 0.02)])
def test_columns_are_not_bent_where_classes_are_mixed_or_noise_hides_the_shape(rows, rare):
    _, method = fitted(*_skewed(rows, rare=rare))
    assert method.model_.code.knots is None


def test_without_classes_their_sizes_are_not_asked_for():
    table, schema = _skewed(2_000, rare=0.02)
    listed = [column for column in schema.columns if column.name != "y"]
    alone = replace(schema, columns=tuple(listed), target=None)
    made, _ = fitted(table.drop_columns(["y"]), alone)
    asked = [entry.charge.label for entry in made.certificate.entries]
    assert SIZES not in asked and len(asked) == 4
