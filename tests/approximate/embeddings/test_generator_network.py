"""The generator's network gives the same in NumPy and JAX, for tables and for images."""

import numpy as np
import pytest

from triplea.approximate.embeddings.generator_network import Shape, forward, initial

TABLE = Shape(noise=3, classes=2, hidden=(8, 8), numbers=4, blocks=(3, 2))
IMAGE = Shape(noise=3, classes=2, hidden=(8,), numbers=30, blocks=(), image=(6, 5))


def inputs(shape, n=7):
    rng = np.random.default_rng(1)
    noise = rng.uniform(-1, 1, (n, shape.draws)).astype(np.float32)
    return noise, np.eye(shape.classes, dtype=np.float32)[rng.integers(0, shape.classes, n)]


@pytest.mark.parametrize("shape", [TABLE, IMAGE])
def test_numpy_and_jax_agree(shape):
    jnp = pytest.importorskip("jax.numpy")
    parameters = initial(shape, rng=np.random.default_rng(0))
    noise, classes = inputs(shape)
    ours = forward(np, shape, parameters, noise, classes)
    theirs = forward(jnp, shape, {k: jnp.asarray(v) for k, v in parameters.items()}, noise, classes)
    for first, second in zip(ours, theirs, strict=True):
        assert first.shape == second.shape
        assert np.allclose(first, second, atol=1e-4)


@pytest.mark.parametrize("shape", [TABLE, IMAGE])
def test_numbers_lie_in_the_unit_range_whatever_the_parameters(shape):
    rng = np.random.default_rng(0)
    parameters = {k: 1e3 * v for k, v in initial(shape, rng=rng).items()}
    numbers, logits = forward(np, shape, parameters, *inputs(shape))
    assert numbers.shape == (7, shape.numbers) and logits.shape == (7, shape.cells)
    assert np.isfinite(numbers).all() and numbers.min() >= 0 and numbers.max() <= 1


def test_untrained_numbers_are_nearly_uniform_and_independent():
    parameters = initial(TABLE, rng=np.random.default_rng(0))
    numbers, _ = forward(np, TABLE, parameters, *inputs(TABLE, 4000))
    assert np.abs(numbers.mean(axis=0) - 0.5).max() < 0.1
    assert np.abs(numbers.std(axis=0) - np.sqrt(1 / 12)).max() < 0.05
    assert np.abs(np.corrcoef(numbers.T) - np.eye(4)).max() < 0.2
