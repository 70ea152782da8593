"""Cells within classes: rows, centres and the spread left within them, from noisy sums."""

import numpy as np
import pytest

from triplea.approximate.gaussians.centred_cells import ClassGaussians, centred_cells, smooth_covariances

TWO_CELLS = np.array([0, 0])
COUNTS, TOTALS = np.array([500.0, 500.0]), np.array([[-1000.0, 0.0], [1000.0, 0.0]])


def one_class(rows=1000.0, mean=(7.0, 7.0)):
    return ClassGaussians(
        rows=np.array([rows]), means=np.array([mean]), covariances=np.array([np.diag([5.0, 1.0])])
    )


def test_the_spread_within_cells_and_between_them_makes_the_class():
    cells = centred_cells(COUNTS, TOTALS, TWO_CELLS, one_class(), stddev=1e-6)
    assert cells.rows.tolist() == [500.0, 500.0]
    assert cells.centres == pytest.approx(np.array([[5.0, 7.0], [9.0, 7.0]]), abs=1e-3)
    assert cells.covariances[0] == pytest.approx(np.diag([1.0, 1.0]), abs=1e-2)


def test_cells_share_the_rows_of_their_class_and_its_mean():
    cells = centred_cells(np.array([300.0, 100.0]), TOTALS, TWO_CELLS, one_class(), stddev=1e-6)
    assert cells.rows.tolist() == [750.0, 250.0]
    assert cells.rows @ cells.centres / 1000.0 == pytest.approx([7.0, 7.0])


def test_what_noise_explains_is_no_cell_of_its_own():
    cells = centred_cells(COUNTS, TOTALS, TWO_CELLS, one_class(), stddev=1e4)
    assert cells.centres == pytest.approx(np.full((2, 2), 7.0))
    assert cells.covariances[0] == pytest.approx(np.diag([5.0, 1.0]))


def test_a_class_of_one_cell_is_that_cell():
    cells = centred_cells(np.array([3.0]), np.array([[9.0, 9.0]]), np.array([0]), one_class(), stddev=1.0)
    assert cells.rows.tolist() == [1000.0] and cells.centres.tolist() == [[7.0, 7.0]]


def test_covariances_in_a_smooth_basis_lose_their_noise_band_by_band():
    rng = np.random.default_rng(0)
    truth = np.diag(np.linspace(4.0, 0.05, 16))
    counts = np.array([4000.0, 6000.0])
    noise = rng.normal(size=(2, 16, 16)) * 200.0
    noisy = truth * counts[:, None, None] + (noise + noise.transpose(0, 2, 1)) / 2
    clean = smooth_covariances(noisy, counts, 200.0)
    before = np.abs(noisy / counts[:, None, None] - truth).mean()
    assert np.abs(clean - truth).mean() < 0.7 * before
    assert np.linalg.eigvalsh(clean).min() > 0
