"""Mixtures in the ball: responsibilities, and EM from exact and from noisy sums."""

import numpy as np
import pytest

from triplea.approximate.mixtures.ball_mixtures import (
    LEAST_SPREAD,
    MOST_SPREAD,
    BallMixtures,
    NoisySums,
    in_ball,
    maximised,
    spread_out,
)


def points(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    side = rng.random(n) < 0.3
    return np.round(in_ball(np.where(side, 0.5, -0.4)[:, None] + 0.1 * rng.normal(size=(n, 2))) * 512) / 512


def sums_of(mixtures, codes, stddev=(0.0, 0.0, 0.0), rng=None):
    r = mixtures.responsibilities(codes, 0)
    exact = (r.sum(axis=0), r.T @ codes, np.einsum("nk,ni,nj->kij", r, codes, codes))
    noise = [s * rng.normal(size=part.shape) if rng else 0.0 for s, part in zip(stddev, exact, strict=True)]
    count, total, second = (part[None] + extra for part, extra in zip(exact, noise, strict=True))
    return NoisySums(count=count, total=total, second=second, stddev=stddev)


def test_blank_components_share_every_point():
    blank = BallMixtures.blank(2, 4, 2)
    assert blank.responsibilities(points(10), 1) == pytest.approx(np.full((10, 4), 0.25))


def test_one_component_is_the_mean_and_covariance_of_the_points():
    codes = points()
    found = maximised(sums_of(BallMixtures.blank(1, 1, 2), codes))
    assert found.means[0, 0] == pytest.approx(codes.mean(axis=0))
    assert found.covariances[0, 0] == pytest.approx(np.cov(codes.T, bias=True), abs=1e-9)


def test_a_few_rounds_find_two_clusters():
    codes, rng = points(), np.random.default_rng(1)
    mixtures = spread_out(sums_of(BallMixtures.blank(1, 2, 2), codes), rng=rng)
    for _ in range(25):
        mixtures = maximised(sums_of(mixtures, codes, stddev=(3.0, 3.0, 3.0), rng=rng))
    order = np.argsort(mixtures.means[0, :, 0])
    assert mixtures.means[0, order, 0] == pytest.approx([-0.4, 0.5], abs=0.05)
    assert mixtures.shares[0, order] == pytest.approx([0.7, 0.3], abs=0.05)


def test_noise_alone_gives_a_valid_mixture():
    rng = np.random.default_rng(2)
    sums = NoisySums(
        count=1e3 * rng.normal(size=(3, 2)),
        total=1e3 * rng.normal(size=(3, 2, 4)),
        second=1e3 * rng.normal(size=(3, 2, 4, 4)),
        stddev=(1e3, 1e3, 1e3),
    )
    for mixtures in (maximised(sums), spread_out(sums, rng=rng)):
        assert (mixtures.shares > 0).all() and mixtures.shares.sum(axis=1) == pytest.approx(1.0)
        assert (np.linalg.norm(mixtures.means, axis=-1) <= 1.0 + 1e-12).all()
        values = np.linalg.eigvalsh(mixtures.covariances)
        assert values.min() >= LEAST_SPREAD * (1 - 1e-9) and values.max() <= MOST_SPREAD * (1 + 1e-9)
