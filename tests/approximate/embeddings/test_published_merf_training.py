"""The published generator learns the embedding that it is given."""

import numpy as np
import pytest

from triplea.approximate.embeddings.published_merf import embed, outputs, published_embedding

pytest.importorskip("jax")


def test_the_generator_comes_closer_to_the_embedding():
    from triplea.approximate.embeddings.published_merf_training import train_published

    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 4000)
    points = rng.normal(labels[:, None] * 2.0, 0.5, (4000, 2))
    found = published_embedding(
        points, labels, classes=2, numeric=2, features=100, undersampling=1.0, noise_multiplier=0.0, rng=rng
    )
    gaps = []
    for steps in (1, 500):
        layers = train_published(
            found, width=2, numeric=2, noise=5, steps=steps, batch=200, rng=np.random.default_rng(1)
        )
        inputs = np.concatenate([rng.standard_normal((2000, 5)), np.ones((2000, 1))], axis=1)
        made = embed(outputs(np, layers, inputs, 2), found.directions, 2).mean(axis=0)
        gaps.append(np.linalg.norm(made - found.means[1] / found.weights[1]))
    assert gaps[1] < 0.5 * gaps[0]
