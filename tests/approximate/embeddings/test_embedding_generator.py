"""A generator as a model: valid rows, conditions, and storage without pickle."""

import json

import numpy as np
import pytest

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.embedding_generator import EmbeddingGenerator
from triplea.approximate.embeddings.generator_network import Shape, initial

UNIT = Binning(edges=np.array([0.0, 1.0]), atoms=np.array([0.5]), nullable=True, countable=False)
CODES = Binning(edges=np.arange(4), nullable=False, countable=True)
CODE = MixedCoordinates(binnings={"a": UNIT, "c": CODES}, discrete=["c"])
CLASSES = Binning(edges=np.arange(4), nullable=False, countable=True)


@pytest.fixture
def model():
    shape = Shape(noise=3, classes=3, hidden=(8,), numbers=1, blocks=CODE.blocks)
    parameters = initial(shape, rng=np.random.default_rng(0))
    parameters["logits.classes"] = np.log([[0.5, 0.3, 0.2, 0.98, 0.01, 0.01]] * 3).astype(np.float32)
    return EmbeddingGenerator(
        shape=shape, parameters=parameters, coordinates=CODE, weights=np.array([3.0, 1.0, 0.0]),
        label="y", classes=CLASSES, order=("y", "a", "c"),
    )  # fmt: skip


def test_labels_have_their_shares_and_an_empty_class_never_occurs(model):
    rows = model.sample(1000, rng=np.random.default_rng(0))
    assert list(rows) == ["y", "a", "c"]
    assert np.bincount(rows["y"], minlength=3).tolist() == [750, 250, 0]


def test_conditions_hold_and_the_rest_follows(model):
    rng = np.random.default_rng(0)
    rows = model.sample(200, rng=rng, where={"y": 2, "c": 1})
    assert set(rows["y"]) == {2} and set(rows["c"]) == {1}
    rows = model.sample(200, rng=rng, where={"a": 0.123})
    assert set(rows["a"]) == {0.123}
    rows = model.sample(50, rng=rng, where={"a": float("nan")})
    assert np.isnan(rows["a"]).all()
    assert all(len(column) == 0 for column in model.sample(0, rng=rng, where={"c": 2}).values())


def test_the_state_is_json_and_arrays_and_draws_the_same(model):
    description, arrays = model.state()
    again = EmbeddingGenerator.from_state(json.loads(json.dumps(description)), arrays)
    first, second = (m.sample(300, rng=np.random.default_rng(4)) for m in (model, again))
    assert all(np.array_equal(first[name], second[name], equal_nan=True) for name in first)
