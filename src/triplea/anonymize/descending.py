"""The loop of `door.descend`: private training as one compiled program, fed in chunks of steps.

Each step: a Poisson sample of the rows, the sum of its clipped gradients, Gaussian noise, division by a
public number, one update. Samples and noise are drawn outside the compiled code, which is deterministic, by a
counter-based generator with a fresh key of system entropy. Proof: docs/proofs/descend.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from triplea.anonymize.batches import chunks, padded_rows
from triplea.errors import MethodError
from triplea.queries.descent import Descent, Draws, Task, clipped_sum, flatten, restore, shapes_of

Array = Any
REMARK = (
    "Private training ({label}): samples and Gaussian noise come from a counter-based generator (Philox) "
    "with a key of system entropy, in 32-bit floating point. The proof is for real numbers: unlike the other "
    "questions, this one is not protected against attacks on floating-point noise."
)


@dataclass(frozen=True, kw_only=True)
class Descended:
    """What a private training run hands out: the trained layers, and the public state that took turns."""

    layers: dict[str, tuple[np.ndarray, np.ndarray]]
    public: Any = None

    @property
    def vector(self) -> np.ndarray:
        """Everything handed out, as one vector."""
        parts = jax.tree.leaves((self.layers, self.public))
        return np.concatenate([np.ravel(part).astype(np.float64) for part in parts])

    def replaced(self, vector: np.ndarray) -> Descended:
        """The same networks with other numbers; for a witness that replays a run."""
        parts, tree = jax.tree.flatten((self.layers, self.public))
        ends = np.cumsum([np.size(part) for part in parts])
        pieces = [
            piece.reshape(np.shape(part)).astype(np.asarray(part).dtype)
            for piece, part in zip(np.split(vector, ends[:-1]), parts, strict=True)
        ]
        layers, public = jax.tree.unflatten(tree, pieces)
        return replace(self, layers=layers, public=public)


@dataclass(frozen=True, kw_only=True)
class _Loop:
    """All that is compiled in; equal loops share one program."""

    task: Task
    shapes: tuple[tuple[str, int, int], ...]
    optimizer: Any
    turn_every: int
    average: float
    weight_limit: float


class _State(NamedTuple):
    """What goes from step to step: all of it released, but for `total`, the un-noised sum of this step."""

    vector: Array
    moments: Any
    mean: Array
    public: Any
    total: Array
    step: Array


def train(
    descent: Descent,
    records: np.ndarray,
    *,
    rate: float,
    steps: int,
    stddev: float,
    generator: np.random.Generator,
    public_generator: np.random.Generator,
    label: str,
) -> Descended:
    """Run all steps. `rate` is the chance of a row to be in a batch, `stddev` the noise on a clipped sum.

    `generator` draws samples and noise, `public_generator` what the task needs besides.
    """
    loop = _Loop(
        task=descent.task,
        shapes=shapes_of(descent.layers),
        optimizer=descent.optimizer,
        turn_every=descent.turn_every,
        average=descent.average,
        weight_limit=descent.weight_limit,
    )
    vector = jnp.asarray(flatten(descent.layers), jnp.float32)
    state = _State(
        vector=vector,
        moments=descent.optimizer.start(vector),
        mean=vector,
        public=jax.tree.map(jnp.asarray, descent.public),
        total=jnp.zeros_like(vector),
        step=jnp.zeros((), jnp.float32),
    )
    on_device = jnp.asarray(padded_rows(records))
    scales = [jnp.float32(x) for x in (descent.clip_norm, stddev, 1.0 / (rate * descent.n_public))]
    parts = chunks(
        rows=len(records),
        rate=rate,
        expected=rate * descent.n_public,
        steps=steps,
        numbers=descent.size,
        generator=generator,
    )
    for chunk in parts:
        passes, width = chunk.slots.shape
        draws = Draws() if descent.draws is None else descent.draws(public_generator, passes, width)
        noise = np.zeros((passes, descent.size), np.float32)
        generator.standard_normal(out=noise[: chunk.used], dtype=np.float32)
        arrays = (chunk.slots, chunk.counts, chunk.ends, noise, draws)
        state = _advance(loop, state, on_device, arrays, chunk.used, scales)
        _check_finite(state, descent, label=label, steps=steps)
    kept = restore(state.mean if descent.average else state.vector, loop.shapes)
    layers = {name: (np.asarray(weights), np.asarray(biases)) for name, (weights, biases) in kept.items()}
    return Descended(layers=layers, public=jax.tree.map(np.asarray, state.public))


def _check_finite(state: _State, descent: Descent, *, label: str, steps: int) -> None:
    """Stop a diverging run. The parameters are released already, so this says nothing new about rows."""
    if not bool(jnp.isfinite(state.vector).all()):
        raise MethodError(
            f"{label!r}: training diverged, its parameters are no longer finite. The budget is spent. "
            f"Use a smaller learning rate (now {descent.optimizer.learning_rate:g}) or fewer steps "
            f"(now {steps})."
        )


def check(descent: Descent, label: str) -> None:
    """Refuse a run whose bound or denominator is no positive number."""
    for name in ("clip_norm", "n_public"):
        value = float(getattr(descent, name))
        if not 0.0 < value < math.inf:
            raise MethodError(
                f"{label!r}: {name} must be a finite number above 0, got {value!r}. Nothing was read."
            )


def finite(records: np.ndarray) -> np.ndarray:
    """Encoded rows as float32 without NaN and infinities."""
    return np.nan_to_num(np.asarray(records, dtype=np.float32), nan=0.0, posinf=0.0, neginf=0.0)


def first_sum(descent: Descent, records: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """The clipped sum over all rows at the initial parameters: what a witness may compare.

    All rows get the same public random numbers, so that neighbours differ by their rows alone.
    """
    draws = Draws() if descent.draws is None else descent.draws(generator, 1, 1)
    now = jax.tree.map(lambda part: jnp.asarray(part)[0], draws)
    total = np.zeros(descent.size)
    for start in range(0, len(records), 256):
        part = jnp.asarray(records[start : start + 256])
        each = jax.tree.map(lambda own: jnp.repeat(own, len(part), axis=0), now.each)  # noqa: B023
        present = jnp.ones(len(part), bool)
        total += np.asarray(
            _compiled_sum(
                descent.task, descent.layers, part, present, descent.public,
                Draws(shared=now.shared, each=each), descent.clip_norm,
            ),
            dtype=np.float64,
        )  # fmt: skip
    return total


_compiled_sum = jax.jit(clipped_sum, static_argnums=0)


@partial(jax.jit, static_argnums=0)
def _advance(
    loop: _Loop, state: _State, records: Array, arrays: Any, used: Array, scales: list[Array]
) -> _State:
    """The first `used` passes of a chunk."""
    slots, counts, ends, noise, draws = arrays
    clip_norm, stddev, per_row = scales
    positions = jnp.arange(slots.shape[1])

    def one_pass(index: Array, state: _State) -> _State:
        now = jax.tree.map(lambda part: part[index], draws)
        part = clipped_sum(
            loop.task,
            restore(state.vector, loop.shapes),
            records.at[slots[index]].get(mode="promise_in_bounds"),
            positions < counts[index],
            state.public,
            now,
            clip_norm,
        )
        total = state.total + part
        following: _State = jax.lax.cond(
            ends[index],
            lambda: _updated(loop, state, (total + stddev * noise[index]) * per_row, now.shared),
            lambda: state._replace(total=total),
        )
        return following

    final: _State = jax.lax.fori_loop(0, used, one_pass, state)
    return final


def _updated(loop: _Loop, state: _State, released: Array, shared: Any) -> _State:
    """One update from a noised gradient; nothing in here has seen anything else."""
    vector, moments = loop.optimizer.update(state.vector, released, state.moments, state.step)
    if loop.weight_limit:
        vector = jnp.clip(vector, -loop.weight_limit, loop.weight_limit)
    mean, public, step = state.mean, state.public, state.step + 1.0
    if loop.average:
        # The decay warms up, so that the start is forgotten at any length of run.
        decay = jnp.minimum(loop.average, step / (9.0 + step))
        mean = decay * mean + (1.0 - decay) * vector
    if loop.turn_every:
        public = jax.lax.cond(
            step % loop.turn_every == 0,
            lambda: loop.task.turn(restore(vector, loop.shapes), public, shared, step),
            lambda: public,
        )
    nothing = jnp.zeros_like(vector)
    return _State(vector=vector, moments=moments, mean=mean, public=public, total=nothing, step=step)
