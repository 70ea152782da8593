"""One covariance for many numbers, and the directions in which classes differ."""

import numpy as np
import pytest

from tests.methods.numbers_support import fitted, schema_of, table_of
from triplea.methods._mosaic_wide import few_spreads, shrunk_gaps, telling_basis


def test_the_difference_of_two_classes_survives():
    rng = np.random.default_rng(0)
    label = rng.random(6000) < 0.3
    rows = 0.3 * rng.standard_normal((6000, 60)) + 0.2
    rows[label, :20] += 0.3
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=-2.0, upper=2.0), wide_from=30)
    frame = made.rows.to_pandas()
    gap = frame[frame.y].mean() - frame[~frame.y].mean()
    assert gap.iloc[:20].mean() == pytest.approx(0.3, abs=0.12)
    assert abs(gap.iloc[20:60].mean()) < 0.08


def test_a_class_that_is_wider_in_one_direction_stays_so():
    rng = np.random.default_rng(3)
    label = rng.random(8000) < 0.4
    line = np.sin(np.arange(60) / 6.0)
    size = rng.standard_normal(8000) * np.where(label, 0.6, 0.15)
    rows = 0.1 * rng.standard_normal((8000, 60)) + size[:, None] * line
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=-2.0, upper=2.0), wide_from=30)
    frame = made.rows.to_pandas()
    along = frame.drop(columns="y").to_numpy(float) @ line / (line @ line)
    wide, narrow = along[frame.y].std(), along[~frame.y].std()
    assert wide > 2.0 * narrow


def test_spreads_of_a_class_leave_those_of_all_rows_only_where_noise_cannot_explain_it():
    common, wide = np.eye(4), np.diag([9.0, 1.0, 1.0, 1.0])
    counts = np.array([900.0, 100.0])
    scatter = np.array([900.0 * common, 100.0 * wide])
    believed = few_spreads(scatter, counts, stddev=1.0)
    assert believed[1][0, 0] == pytest.approx(9.0, rel=0.05)
    assert believed[0][0, 0] == pytest.approx(1.0, rel=0.05)
    doubted = few_spreads(scatter, counts, stddev=1000.0)
    assert doubted[0] == pytest.approx(doubted[1])


def test_gaps_of_pure_noise_vanish_and_strong_ones_stay():
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, 300))
    variances = np.ones(2)
    small = np.linalg.norm(shrunk_gaps(noise, np.ones(300), variances), axis=1)
    assert (small < 0.35 * np.linalg.norm(noise, axis=1)).all()
    assert shrunk_gaps(100 * noise, np.ones(300), variances) == pytest.approx(100 * noise, rel=0.01)


def test_the_telling_basis_is_orthonormal():
    rng = np.random.default_rng(2)
    directions = np.linalg.qr(rng.normal(size=(50, 50)))[0]
    for classes in (1, 2, 6):
        basis = telling_basis(rng.normal(size=(classes, 50)), np.full(classes, 1 / classes), directions, 4)
        assert basis.T @ basis == pytest.approx(np.eye(basis.shape[1]), abs=1e-9)
