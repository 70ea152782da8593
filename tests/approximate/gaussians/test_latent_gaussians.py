"""Drawing from Gaussians and conditioning them."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from triplea.approximate.gaussians.latent_gaussians import LatentGaussians

COV = np.array([[[2.0, 0.8], [0.8, 1.0]], [[1.0, -0.5], [-0.5, 1.0]]])
MODEL = LatentGaussians(
    offset=np.array([1.0, -1.0]), means=np.array([[0.0, 0.0], [3.0, 1.0]]), covariances=COV
)


def test_draws_have_exactly_the_moments_of_the_model():
    drawn = MODEL.draw(1, 50, np.random.default_rng(0))
    assert drawn.mean(axis=0) == pytest.approx([4.0, 0.0])
    assert np.cov(drawn.T) == pytest.approx(COV[1])


def test_a_single_row_can_be_drawn():
    assert MODEL.draw(0, 1, np.random.default_rng(0)).shape == (1, 2)


def test_a_class_lies_apart_from_the_mean_of_all_with_and_without_a_basis():
    weights = np.array([3.0, 1.0])
    assert MODEL.apart(1, weights) == pytest.approx([2.25, 0.75])
    basis = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    model = LatentGaussians(offset=np.ones(3), means=MODEL.means, covariances=COV, basis=basis)
    assert model.apart(0, weights) == pytest.approx([-0.75, -0.25, -1.0])


def test_conditioning_agrees_with_the_textbook():
    given, density = MODEL.given({0: 2.0})
    for number in (0, 1):
        mean, cov = MODEL.means[number] + MODEL.offset, COV[number]
        wanted = mean[1] + cov[0, 1] / cov[0, 0] * (2.0 - mean[0])
        assert given.means[number, 1] + given.offset[1] == pytest.approx(wanted)
        assert given.covariances[number, 1, 1] == pytest.approx(cov[1, 1] - cov[0, 1] ** 2 / cov[0, 0])
    exact = [
        multivariate_normal.logpdf(2.0, (MODEL.means + MODEL.offset)[c, 0], COV[c, 0, 0]) for c in (0, 1)
    ]
    assert density[1] - density[0] == pytest.approx(exact[1] - exact[0])


def test_conditioning_works_through_a_basis_with_a_shared_covariance():
    basis = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    model = LatentGaussians(offset=np.zeros(3), means=MODEL.means, covariances=COV[:1], basis=basis)
    given, _ = model.given({2: 1.5})
    drawn = given.draw(1, 40, np.random.default_rng(0))
    assert drawn[:, 2] == pytest.approx(np.full(40, 1.5), abs=1e-3)


def test_gaussians_of_a_family_share_a_covariance():
    means = np.array([[0.0, 0.0], [3.0, 1.0], [-1.0, 2.0]])
    families = np.array([1, 0, 1])
    model = LatentGaussians(offset=np.ones(2), means=means, covariances=COV, families=families)
    apart = LatentGaussians(offset=np.ones(2), means=means, covariances=COV[families])
    assert np.cov(model.draw(2, 60, np.random.default_rng(0)).T) == pytest.approx(COV[1])
    given, density = model.given({1: 0.5})
    same, again = apart.given({1: 0.5})
    assert density == pytest.approx(again) and given.means == pytest.approx(same.means)
    assert given.covariances[families] == pytest.approx(same.covariances)
    stored = LatentGaussians.from_arrays(model.arrays())
    assert stored.families is not None and stored.families.tolist() == [1, 0, 1]


def test_arrays_round_trip():
    again = LatentGaussians.from_arrays(MODEL.arrays())
    assert again.basis is None
    assert np.array_equal(
        again.draw(0, 9, np.random.default_rng(1)), MODEL.draw(0, 9, np.random.default_rng(1))
    )
