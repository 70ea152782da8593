"""RON-Gauss as coded by its authors: unit rows, and a defined result for empty and zero ones."""

import numpy as np

from triplea.approximate.gaussians.projected_gaussians import orthonormal_rows, ron_gauss_as_printed


def test_classes_without_rows_and_zero_rows_are_allowed():
    vectors, klass = np.vstack([np.zeros((1, 3)), np.eye(3)]), np.array([0, 0, 2, 2])
    model, rows = ron_gauss_as_printed(
        vectors,
        klass,
        classes=3,
        projection=orthonormal_rows(2, 3, np.random.default_rng(0)),
        epsilon_mean=1.0,
        epsilon_scatter=1.0,
        noise=np.random.default_rng(1),
    )
    (cells,) = model["sets"]
    assert rows == 4 and cells.means.shape == (3, 1, 3)
    assert np.isfinite(cells.covariances).all() and not cells.means[1].any()
