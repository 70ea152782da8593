"""Smooth patterns on a grid."""

import numpy as np
import pytest

from triplea.approximate.codes.cosine_basis import cosine_basis


def test_patterns_are_orthonormal_and_start_with_the_constant():
    basis = cosine_basis(5, 7, patterns=20)
    assert basis.shape == (35, 20)
    assert basis.T @ basis == pytest.approx(np.eye(20), abs=1e-12)
    assert np.ptp(basis[:, 0]) == pytest.approx(0.0, abs=1e-12)


def test_all_patterns_span_all_images():
    basis = cosine_basis(3, 2, patterns=99)
    assert basis @ basis.T == pytest.approx(np.eye(6), abs=1e-12)


def test_a_smooth_image_needs_few_patterns():
    across, down = np.meshgrid(np.linspace(-1, 1, 28), np.linspace(-1, 1, 28))
    image = np.exp(-2 * (across**2 + down**2)).ravel()
    basis = cosine_basis(28, 28, patterns=40)
    assert np.linalg.norm(image - basis @ (basis.T @ image)) < 0.02 * np.linalg.norm(image)
