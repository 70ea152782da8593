"""Dense layers as arrays."""

import numpy as np

from triplea.approximate.networks.dense import arrays_of, dense_layers, layer_names, layers_of, leaky, softmax


def test_layers_have_the_widths_asked_for_and_bounded_weights():
    layers = dense_layers("net", (9, 4, 2), rng=np.random.default_rng(0))
    assert [weights.shape for weights, _ in layers.values()] == [(9, 4), (4, 2)]
    assert np.abs(layers["net.0"][0]).max() <= 1 / 3
    assert layer_names(layers, "net") == ("net.0", "net.1")


def test_layers_survive_storage():
    layers = dense_layers("net", (3, 4, 2), rng=np.random.default_rng(0))
    again = layers_of(arrays_of(layers), list(layers))
    for name in layers:
        assert all(np.array_equal(one, two) for one, two in zip(layers[name], again[name], strict=True))


def test_activations():
    assert leaky(np.array([-1.0, 2.0])).tolist() == [-0.2, 2.0]
    shares = softmax(np.array([[1000.0, 1000.0], [0.0, -1000.0]]))
    assert np.allclose(shares, [[0.5, 0.5], [1.0, 0.0]])
