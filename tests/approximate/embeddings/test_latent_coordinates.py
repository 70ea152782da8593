"""Latent coordinates: the same point for a row alone and among others, and valid rows from any point."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value, equal_width
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.embeddings.latent_coordinates import LatentCoordinates, squash, unsquash
from triplea.approximate.embeddings.random_features import draw_features
from triplea.approximate.networks.dense import dense_layers
from triplea.errors import MethodError
from triplea.queries.embedding import Embedding
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "columns": [
            {"name": "x", "kind": "numeric", "lower": 0, "upper": 1, "nullable": True},
            {"name": "town", "kind": "categorical", "categories": ["a", "b", "c"]},
        ]
    }
)


def latent(seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    code = RowCode({"x": equal_width(SCHEMA.column("x"), 7), "town": each_value(SCHEMA.column("town"))})
    width = code.layout.width
    layers = dense_layers("encoder", (width, 9, 3), rng=rng) | dense_layers("decoder", (3, 9, width), rng=rng)
    scaled = {name: (scale * weights, scale * biases) for name, (weights, biases) in layers.items()}
    return LatentCoordinates(code=code, layers=scaled)


def rows(n=5000, seed=1):
    rng = np.random.default_rng(seed)
    x = np.where(rng.random(n) < 0.1, np.nan, rng.random(n))
    return {"x": x, "town": rng.integers(0, 3, n).astype(np.int32)}


@pytest.mark.parametrize("scale", [1.0, 40.0, np.nan])
def test_a_point_depends_on_its_row_alone(scale):
    coordinates, table = latent(scale=scale), rows()
    together, _ = coordinates.encode(table)
    assert np.isfinite(together).all() and together.min() >= 0 and together.max() <= 1
    for index in (0, 17, 4999):
        alone, _ = coordinates.encode({name: column[index : index + 1] for name, column in table.items()})
        np.testing.assert_array_equal(alone[0], together[index])


def test_whole_numbers_come_close_to_the_network():
    coordinates, table = latent(), rows(50)
    values = coordinates.code.encode(table)
    for weights, biases in coordinates.encoder.values():
        values = values @ weights + biases
        values = np.maximum(values, 0.2 * values)
    np.testing.assert_allclose(coordinates.encode(table)[0], squash(values), atol=1e-3)


def test_squash_has_an_inverse():
    values = np.array([-30.0, -1.0, 0.0, 0.5, 200.0])
    np.testing.assert_allclose(unsquash(squash(values)), values, rtol=1e-6)


def test_any_point_decodes_to_values_of_the_schema():
    points = np.random.default_rng(0).random((200, 3))
    made = latent(scale=5.0).decode(points, np.zeros((200, 0)), np.random.default_rng(1))
    assert np.nanmin(made["x"]) >= 0 and np.nanmax(made["x"]) <= 1
    assert set(made["town"]) <= {0, 1, 2}


def test_chances_tell_which_points_give_a_value():
    coordinates = latent(scale=5.0)
    points = np.random.default_rng(0).random((4, 3))
    logs = coordinates.log_chances(np.repeat(points, 2000, axis=0), [], {"town": 2})[::2000]
    drawn = coordinates.decode(np.repeat(points, 2000, axis=0), np.zeros(0), np.random.default_rng(1))
    shares = (drawn["town"].reshape(4, 2000) == 2).mean(axis=1)
    np.testing.assert_allclose(np.exp(logs), shares, atol=0.05)


def test_an_embedding_of_codes_moves_at_most_its_sensitivity():
    coordinates, table = latent(), rows(300)
    features = draw_features(
        coordinates, harmonics=[1.0, 2.0], joint=20, bandwidths=[0.3], turn=0.0, joint_share=0.5,
        count_share=0.1, rng=np.random.default_rng(0),
    )  # fmt: skip
    query = Embedding(coordinates=coordinates, features=features)
    less = {name: column[1:] for name, column in table.items()}
    moved = (query.partial_sums(table) - query.partial_sums(less)) * query.grid / query.scale
    assert 0.9 * query.row_l2 < np.linalg.norm(moved) <= query.row_l2 * (1 + 1e-9)


def test_too_wide_a_code_is_refused():
    coordinates = latent()
    wide = {"encoder.0": (np.zeros((2**18 + 1, 1), np.float32), np.zeros(1, np.float32))}
    with pytest.raises(MethodError, match="lower 'most_bins'"):
        LatentCoordinates(code=coordinates.code, layers=wide)


def test_state_brings_the_same_points_back():
    coordinates, table = latent(), rows(20)
    again = LatentCoordinates.from_state(coordinates.state(), coordinates.arrays())
    np.testing.assert_array_equal(again.encode(table)[0], coordinates.encode(table)[0])
    assert again.columns == coordinates.columns and again.anchors == {}
