"""Training of a generator against a released embedding: compiled, on the public side, as long as it pays.

The loss is the squared distance of the generated class means of the features from the released ones, weighted
as in the kernel and by how far a class is signal. Two independent halves of a batch give an unbiased
estimate, so that small batches do not push generated rows together. Codes are never drawn in training: given
the noise they are independent, so the mean of every feature over them is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from triplea.approximate.embeddings.embedding_target import Target
from triplea.approximate.embeddings.generator_network import Parameters, Shape, forward
from triplea.approximate.embeddings.random_features import FINE, TURN, Features
from triplea.approximate.embeddings.wave_means import (
    States,
    circle,
    harmonic_means,
    joint_means,
    states_of,
    turned,
)

Array = Any
Anchors = dict[int, tuple[int, np.ndarray]]
Progress = Callable[[int, float], None]
CHUNK = 50
PATIENCE = 8  # chunks without progress
PROGRESS = 0.01  # of the loss: less than this is none
WEARY = 10.0  # steps are divided by one plus this many times the noise: noise is learnt last
BETAS = (0.9, 0.99)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how fast to train."""

    steps: int = 2000
    batch: int = 1000
    learning_rate: float = 0.01

    def per_half(self, classes: int) -> int:
        """Rows of one class in one half of a batch."""
        return max(8, self.batch // (2 * max(classes, 1)))


def train(
    shape: Shape,
    parameters: Parameters,
    *,
    features: Features,
    anchors: Anchors,
    target: Target,
    schedule: Schedule,
    rng: np.random.Generator,
    progress: Progress | None = None,
    patience: int = PATIENCE,
) -> tuple[Parameters, list[float]]:
    """Return trained parameters and the loss after every chunk of steps.

    Training ends after `patience` chunks without progress of the loss, which is public, and the sooner the
    more of the embedding is noise.
    """
    consts = constants(features, anchors, target)
    key = jax.random.PRNGKey(int(rng.integers(2**31)))
    moments = jax.tree.map(jnp.zeros_like, (parameters, parameters))
    state = (jax.tree.map(jnp.asarray, parameters), *moments, jnp.zeros((), jnp.float32), key)
    losses: list[float] = []
    best, since = np.inf, 0
    static = (shape, schedule, tuple(anchors[number][0] for number in sorted(anchors)), bool(features.angles))
    worth = schedule.steps / (1.0 + WEARY * target.noise)
    for start in range(0, max(1, round(worth)), CHUNK):
        state, loss = _advance(*static, state, consts)
        losses.append(float(loss))
        if progress is not None:
            progress(min(start + CHUNK, schedule.steps), losses[-1])
        since = 0 if losses[-1] < best - PROGRESS * abs(best) or not np.isfinite(best) else since + 1
        best = min(best, losses[-1])
        if since >= patience:
            break
    return {name: np.asarray(value) for name, value in state[0].items()}, losses


def constants(features: Features, anchors: Anchors, target: Target) -> dict[str, Array]:
    """Everything that the loss needs, as arrays."""
    radians = 2.0 * np.pi / FINE
    most = max((len(spots) for _, spots in anchors.values()), default=0)
    spots = np.zeros((len(anchors), most), np.float32)
    for row, number in enumerate(sorted(anchors)):
        spots[row, : len(anchors[number][1])] = anchors[number][1]
    arrays = {
        "harmonic": (features.harmonic * radians).astype(np.float32),
        "directions": (features.directions.T * radians).astype(np.float32),
        "angles": (
            np.concatenate(features.angles) * (2.0 * np.pi / TURN) if features.angles else np.zeros((0, 0))
        ).astype(np.float32),
        "weights": (features.weights[1:] ** 2).astype(np.float32),
        "means": target.means[:, 1:].astype(np.float32),
        "trust": (target.trust / max(float(target.trust.sum()), 1e-30)).astype(np.float32),
        "anchored": np.asarray(sorted(anchors), dtype=np.int32),
        "spots": spots,
    }
    return {name: jnp.asarray(array) for name, array in arrays.items()}


@partial(jax.jit, static_argnums=(0, 1, 2, 3))
def _advance(
    shape: Shape,
    schedule: Schedule,
    anchor_blocks: tuple[int, ...],
    turning: bool,
    state: Any,
    consts: dict[str, Array],
) -> tuple[Any, Array]:
    """One chunk of Adam steps with a falling rate; returns the mean loss."""
    half = schedule.per_half(shape.classes)

    def step(state: Any, _: None) -> tuple[Any, Array]:
        parameters, first, second, count, key = state
        key, own = jax.random.split(key)
        loss, gradient = jax.value_and_grad(
            lambda now: _loss(shape, half, anchor_blocks, turning, now, consts, own)
        )(parameters)
        count = count + 1.0
        first = jax.tree.map(lambda m, g: BETAS[0] * m + (1 - BETAS[0]) * g, first, gradient)
        second = jax.tree.map(lambda v, g: BETAS[1] * v + (1 - BETAS[1]) * g * g, second, gradient)
        rate = schedule.learning_rate * (0.02 + 0.49 * (1 + jnp.cos(jnp.pi * count / schedule.steps)))
        rate = rate * jnp.sqrt(1 - BETAS[1] ** count) / (1 - BETAS[0] ** count)
        parameters = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), parameters, first, second
        )
        return (parameters, first, second, count, key), loss

    state, losses = jax.lax.scan(step, state, None, length=CHUNK)
    return state, jnp.mean(losses)


def _loss(
    shape: Shape,
    half: int,
    anchor_blocks: tuple[int, ...],
    turning: bool,
    parameters: Parameters,
    consts: dict[str, Array],
    key: Array,
) -> Array:
    rows = 2 * shape.classes * half
    noise = jax.random.uniform(key, (rows, shape.draws), minval=-1.0, maxval=1.0)
    classes = jnp.repeat(jnp.eye(shape.classes), 2 * half, axis=0)
    numbers, logits = forward(jnp, shape, parameters, noise, classes)
    ends = np.cumsum(shape.blocks)[:-1]
    chances = [jax.nn.softmax(own) for own in jnp.split(logits, ends, axis=1)] if shape.blocks else []
    states = None
    if anchor_blocks:
        states = states_of(anchor_blocks, chances, consts["anchored"], consts["spots"])
    waves = [harmonic_means(numbers, consts["harmonic"], states)]
    if consts["directions"].shape[1]:
        waves.append(_joint(shape, anchor_blocks, turning, numbers, chances, states, consts))
    cosines = [cosine for cosine, _ in waves]
    sines = [sine for _, sine in waves]
    made = jnp.concatenate([*chances, *cosines, *sines], axis=1)
    means = made.reshape(shape.classes, 2, half, -1).mean(axis=2)
    gap = means - consts["means"][:, None, :]
    return jnp.sum(consts["trust"] * jnp.sum(gap[:, 0] * gap[:, 1] * consts["weights"], axis=1))


def _joint(
    shape: Shape,
    anchor_blocks: tuple[int, ...],
    turning: bool,
    numbers: Array,
    chances: list[Array],
    states: States | None,
    consts: dict[str, Array],
) -> tuple[Array, Array]:
    """The mean of every joint wave; a block that turns them multiplies by the mean of its cells' turns."""
    if not turning:
        return joint_means(numbers, consts["directions"], states)
    starts = np.cumsum([0, *shape.blocks])
    angles = [consts["angles"][first:last] for first, last in pairwise(starts)]
    most = 1 + consts["spots"].shape[1]
    turns = [jnp.pad(own, ((0, most - len(own)), (0, 0))) for own in (angles[b] for b in anchor_blocks)]
    wave = joint_means(numbers, consts["directions"], states, jnp.stack(turns) if turns else None)
    for block, (chance, own) in enumerate(zip(chances, angles, strict=True)):
        if block not in anchor_blocks:
            wave = turned(wave, *(chance @ part for part in circle(own)))
    return wave
