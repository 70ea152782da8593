"""Training finds a distribution with the wanted means, and stops when it does not pay any more."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.embedding_generator import EmbeddingGenerator
from triplea.approximate.embeddings.embedding_target import Target
from triplea.approximate.embeddings.generator_network import Shape, initial
from triplea.approximate.embeddings.random_features import draw_features

pytest.importorskip("jax")
from triplea.approximate.embeddings.generator_training import CHUNK, Schedule, train

SPIKE = Binning(edges=np.array([0.0, 1.0]), atoms=np.array([0.25]), nullable=True, countable=False)
UNIT = Binning(edges=np.array([0.0, 1.0]), nullable=False, countable=False)
CODES = Binning(edges=np.arange(4), nullable=False, countable=True)
CODE = MixedCoordinates(binnings={"a": UNIT, "s": SPIKE, "c": CODES}, discrete=["c"])


def real(n=20_000):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, n)
    a = np.clip(rng.normal(0.3 + 0.4 * label, 0.1), 0, 1)
    s = np.where(rng.random(n) < 0.5, 0.25, np.clip(a + rng.normal(0, 0.05, n), 0, 1))
    s = np.where(rng.random(n) < 0.2, np.nan, s)
    return {"a": a, "s": s, "c": np.where(label == 1, rng.choice(3, n, p=[0.1, 0.1, 0.8]), 0)}, label


def trained(steps=500, **changes):
    rng = np.random.default_rng(1)
    rows, label = real()
    features = draw_features(
        CODE, harmonics=(1.0, 2.0, 3.0), joint=60, bandwidths=(0.5, 1.0), turn=0.5,
        joint_share=0.4, count_share=0.1, rng=rng,
    )  # fmt: skip
    numbers, codes = CODE.encode(rows)
    phases = features.phases(numbers, codes) * (2 * np.pi / 2**32)
    one_hot = np.concatenate([np.eye(3)[codes[:, 0]], np.eye(3)[codes[:, 1]]], axis=1)
    h = np.concatenate([np.ones((len(label), 1)), one_hot, np.cos(phases), np.sin(phases)], axis=1)
    means = np.stack([h[label == c].mean(axis=0) for c in (0, 1)])
    target = Target(counts=np.array([10_000.0, 10_000.0]), means=means, trust=np.ones(2), noise=0.0)
    shape = Shape(noise=4, classes=2, hidden=(32, 32), numbers=CODE.numbers, blocks=CODE.blocks)
    seen = []
    parameters, losses = train(
        shape, initial(shape, rng=rng), features=features, anchors=CODE.anchors, target=target,
        schedule=Schedule(steps=steps, batch=400, **changes), rng=rng,
        progress=lambda step, loss: seen.append((step, loss)),
    )  # fmt: skip
    model = EmbeddingGenerator(
        shape=shape, parameters=parameters, coordinates=CODE, weights=np.ones(2), label="y",
        classes=Binning(edges=np.arange(3), nullable=False, countable=True), order=("a", "s", "c", "y"),
    )  # fmt: skip
    return model, losses, seen


@pytest.fixture(scope="module")
def fitted():
    return trained()


def test_generated_rows_have_the_means_spreads_and_states_of_the_real_ones(fitted):
    model, losses, _ = fitted
    rows, label = real()
    made = model.sample(20_000, rng=np.random.default_rng(2))
    assert losses[-1] < 0.1 * losses[0]
    for c in (0, 1):
        ours, theirs = made["y"] == c, label == c
        assert abs(made["a"][ours].mean() - rows["a"][theirs].mean()) < 0.03
        assert abs(made["a"][ours].std() - rows["a"][theirs].std()) < 0.05
        assert abs((made["c"][ours] == 2).mean() - (rows["c"][theirs] == 2).mean()) < 0.05
        assert abs((made["s"][ours] == 0.25).mean() - (rows["s"][theirs] == 0.25).mean()) < 0.05
        assert abs(np.isnan(made["s"][ours]).mean() - 0.2) < 0.05


def test_progress_is_reported_after_every_chunk(fitted):
    _, losses, seen = fitted
    assert [loss for _, loss in seen] == losses
    assert [step for step, _ in seen] == [CHUNK * (i + 1) for i in range(len(losses))]


def test_training_stops_when_the_loss_no_longer_falls():
    _, losses, _ = trained(steps=5000, learning_rate=1e-12)
    assert len(losses) < 60


def test_the_same_seed_gives_the_same_generator(fitted):
    again, _, _ = trained()
    first, second = (m.sample(50, rng=np.random.default_rng(3)) for m in (fitted[0], again))
    assert all(np.array_equal(first[name], second[name], equal_nan=True) for name in first)
