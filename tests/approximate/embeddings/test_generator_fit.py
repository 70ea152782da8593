"""The public half: a generator from a target, told about as it trains."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.embedding_target import Target
from triplea.approximate.embeddings.generator_fit import GeneratorOptions, fit_generator
from triplea.approximate.embeddings.random_features import draw_features
from triplea.schema import load_schema

pytest.importorskip("jax")
SCHEMA = load_schema({"columns": [{"name": "town", "kind": "categorical", "categories": ["a", "b"]}]})
OPTIONS = GeneratorOptions(noise=2, hidden=(4,), steps=100, batch=32, learning_rate=0.01)


def fitted(trust, **options):
    coordinates = MixedCoordinates(binnings={"town": each_value(SCHEMA.column("town"))}, discrete=["town"])
    rng = np.random.default_rng(0)
    features = draw_features(
        coordinates,
        harmonics=[],
        joint=0,
        bandwidths=[1.0],
        turn=0.0,
        joint_share=0.3,
        count_share=0.1,
        rng=rng,
    )
    target = Target(
        counts=np.array([100.0]), means=np.array([[1.0, 0.9, 0.1]]), trust=np.array([trust]), noise=0.0
    )
    return fit_generator(
        target, features, coordinates, options=OPTIONS, weights=np.ones(1), label=None, classes=None,
        order=("town",), rng=rng, **options,
    )  # fmt: skip


def test_the_generator_has_the_means_of_the_target_and_says_how_far_it_is():
    said = []
    model, losses = fitted(1.0, say=said.append)
    drawn = model.sample(4000, rng=np.random.default_rng(1))["town"]
    assert abs((drawn == 0).mean() - 0.9) < 0.05
    assert len(said) == len(losses) and said[0].startswith("training the generator, step 50 of 100, loss ")


def test_without_any_signal_nothing_is_trained():
    said = []
    model, losses = fitted(0.0, say=said.append)
    assert losses == [] and said == []
    assert len(model.sample(5, rng=np.random.default_rng(1))["town"]) == 5
