"""The published embedding: its noise level, its bandwidth and its rows are those of the authors' code."""

import json

import numpy as np
import pytest

from triplea.approximate.codes.binning import Binning
from triplea.approximate.embeddings.published_merf import (
    PublishedGenerator,
    classic_noise,
    embed,
    median_bandwidth,
    published_embedding,
)


@pytest.mark.parametrize(("releases", "multiplier"), [(1, 4.90), (2, 6.93), (3, 8.49)])
def test_the_noise_is_that_of_classic_renyi_accounting(releases, multiplier):
    assert classic_noise(1.0, 1e-5, releases) == pytest.approx(multiplier, abs=0.01)


def test_the_bandwidth_follows_a_single_far_row():
    near = np.zeros((10, 2))
    near[:, 0] = np.arange(10)
    far = near.copy()
    far[0] = 1e6
    assert median_bandwidth(near) == pytest.approx(3.0)
    assert median_bandwidth(np.zeros((10, 2))) == 1.0
    assert median_bandwidth(far) > median_bandwidth(near)


def test_integer_codes_are_longer_than_the_sensitivity_assumes():
    points = np.array([[0.5, 41.0, 15.0]])
    assert np.linalg.norm(embed(points, np.ones((4, 1)), 1)) > 5 * np.sqrt(2)


def test_undersampling_keeps_a_share_of_the_commonest_class():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], [900, 100])
    found = published_embedding(
        rng.random((1000, 2)), labels, classes=2, numeric=2, features=20, undersampling=0.1,
        noise_multiplier=0.0, rng=rng,
    )  # fmt: skip
    assert found.rows == 180
    assert found.weights.sum() == pytest.approx(1.0)
    assert np.linalg.norm(found.means.sum(axis=0)) <= 1.0


def test_the_state_draws_the_same_rows():
    rng = np.random.default_rng(0)
    sizes = [3, 8, 4, 2]
    layers = {f"weights{i}": rng.normal(size=sizes[i : i + 2]) for i in range(3)}
    layers |= {f"biases{i}": np.zeros(sizes[i + 1]) for i in range(3)}
    unit = Binning(edges=np.array([0.0, 1.0]), nullable=False, countable=False)
    codes = Binning(edges=np.arange(4), nullable=False, countable=True)
    model = PublishedGenerator(
        layers=layers, noise=2, numeric=1, weights=np.array([1.0, 3.0]), names=("a", "c"),
        lowest=np.zeros(2), binnings={"a": unit, "c": codes, "y": codes}, label="y", order=("y", "a", "c"),
    )  # fmt: skip
    description, arrays = model.state()
    again = PublishedGenerator.from_state(json.loads(json.dumps(description)), arrays)
    first, second = (m.sample(100, rng=np.random.default_rng(1)) for m in (model, again))
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert set(first["c"]) <= {0, 1} and first["a"].min() >= 0 and first["a"].max() <= 1
    assert set(model.sample(5, rng=rng, where={"c": 2})["c"]) == {2}
