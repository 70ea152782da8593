"""The loop of `door.descend`: private training as one compiled program, fed in chunks of steps.

Each step: a Poisson sample of the rows, the sum of its clipped gradients, Gaussian noise, division by a
public number, one update. Samples and noise are drawn outside the compiled code, which is deterministic, by a
counter-based generator with a fresh key of system entropy. Proof: docs/proofs/descend.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from triplea.anonymize.batches import chunks, padded_rows
from triplea.anonymize.normals import far_numbers, normals, random_words, row_of
from triplea.errors import MethodError
from triplea.queries.descent import Descent, Draws, Task, clipped_sum, flatten, restore, shapes_of

Array = Any
WATCHED_WIDTH = 256  # rows at a time when a witness wants the sum over all of them
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
        return as_vector((self.layers, self.public))


@dataclass(frozen=True, kw_only=True)
class Watch:
    """A witness of single steps, for audits: gets `exact` and `released`, returns what to go on with.

    `exact` is the un-noised sum over all rows at a step, `released` everything that is public some steps
    later. All rows get the same public random numbers, drawn from `generator`, so that neighbours differ by
    their rows alone.
    """

    saw: Callable[..., np.ndarray]
    generator: np.random.Generator


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
    watch: Watch | None = None,
) -> Descended:
    """Run all steps. `rate` is the chance of a row to be in a batch, `stddev` the noise on a clipped sum.

    `generator` draws samples and noise, `public_generator` what the task needs besides. A `watch` sees the
    steps 1, 2, 4, 8 and so on.
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
    cuts = watched_steps(steps) if watch is not None else frozenset()
    parts = chunks(
        rows=len(records),
        rate=rate,
        expected=rate * descent.n_public,
        steps=steps,
        numbers=descent.size,
        generator=generator,
        cuts=cuts,
    )
    before, done = state, 0
    open_step: Any = None
    for chunk in parts:
        passes, width = chunk.slots.shape
        draws = Draws() if descent.draws is None else descent.draws(public_generator, passes, width)
        if open_step is not None:
            draws = draws._replace(shared=_continued(draws.shared, open_step))
        open_step = _at(draws.shared, int(chunk.firsts[chunk.used - 1])) if chunk.is_open else None
        words = random_words(generator, rows=passes, used=chunk.used, numbers=descent.size)
        far = far_numbers(generator, words, used=chunk.used)
        arrays = (chunk.slots, chunk.counts, chunk.ends, chunk.firsts, words, far, draws)
        state = _advance(loop, state, on_device, arrays, chunk.used, scales)
        done += int(chunk.ends[: chunk.used].sum())
        if watch is not None:
            if done not in cuts or chunk.is_open:
                continue
            exact = _sum_over_all(loop, before, descent, records, watch.generator)
            state = before = _forced(state, watch.saw(exact=exact, released=as_vector(_public_part(state))))
        _check_finite(state, descent, label=label, steps=steps)
    kept = restore(state.mean if descent.average else state.vector, loop.shapes)
    layers = {name: (np.asarray(weights), np.asarray(biases)) for name, (weights, biases) in kept.items()}
    return Descended(layers=layers, public=jax.tree.map(np.asarray, state.public))


def _at(draws: Any, place: Any) -> Any:
    """The random numbers of one pass."""
    return jax.tree.map(lambda part: part[place], draws)


def _continued(shared: Any, open_step: Any) -> Any:
    """Let a step that began in the last chunk go on with the numbers that it began with."""
    return jax.tree.map(lambda part, kept: np.concatenate([kept[None], part[1:]]), shared, open_step)


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


def as_vector(tree: Any) -> np.ndarray:
    """All numbers of a tree of arrays, one after the other."""
    return np.concatenate([np.ravel(part).astype(np.float64) for part in jax.tree.leaves(tree)])


def refilled(tree: Any, vector: np.ndarray) -> Any:
    """The same tree of arrays with other numbers: undoes `as_vector`."""
    parts, structure = jax.tree.flatten(tree)
    ends = np.cumsum([np.size(part) for part in parts])
    pieces = [
        jnp.asarray(piece.reshape(np.shape(part)), jnp.asarray(part).dtype)
        for piece, part in zip(np.split(vector, ends[:-1]), parts, strict=True)
    ]
    return jax.tree.unflatten(structure, pieces)


def watched_steps(steps: int) -> frozenset[int]:
    """Powers of two and the last step: a long run is looked at a dozen times."""
    return frozenset({steps, *(2**power for power in range(steps.bit_length()))})


def _public_part(state: _State) -> Any:
    return state.vector, state.moments, state.mean, state.public


def _forced(state: _State, vector: np.ndarray) -> _State:
    """Go on with the numbers that a witness wants; what was never released stays as it is."""
    parameters, moments, mean, public = refilled(_public_part(state), vector)
    return state._replace(vector=parameters, moments=moments, mean=mean, public=public)


@dataclass(frozen=True)
class _HandOn:
    """Stands in for an optimizer: the new parameters are the gradient itself."""

    def update(self, parameters: Array, gradient: Array, moments: Any, step: Array) -> tuple[Array, Any]:
        del parameters, step
        return gradient, moments


def _sum_over_all(
    loop: _Loop, state: _State, descent: Descent, records: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """The un-noised sum of the step after `state`, were every row in its batch.

    It takes the way of every step. A Poisson sample of neighbours differs by no more than this sum does.
    """
    bare = replace(loop, optimizer=_HandOn(), turn_every=0, average=0.0, weight_limit=0.0)
    scales = [jnp.float32(x) for x in (descent.clip_norm, 0.0, 1.0)]
    drawn = Draws() if descent.draws is None else descent.draws(generator, 1, 1)
    draws = drawn._replace(each=jax.tree.map(lambda own: np.repeat(own, WATCHED_WIDTH, axis=1), drawn.each))
    words = random_words(generator, rows=1, used=0, numbers=descent.size)  # of no account: the scale is 0
    far = far_numbers(generator, words, used=0)
    end, first = np.ones(1, bool), np.zeros(1, np.int32)
    on_device = jnp.asarray(padded_rows(records))
    total = np.zeros(descent.size)
    for start in range(0, max(len(records), 1), WATCHED_WIDTH):
        rows = np.arange(start, min(start + WATCHED_WIDTH, len(records)), dtype=np.int32)
        slots = np.zeros((1, WATCHED_WIDTH), np.int32)
        slots[0, : len(rows)] = rows
        arrays = (slots, np.array([len(rows)], np.int32), end, first, words, far, draws)
        after = _advance(bare, state, on_device, arrays, 1, scales)
        total += np.asarray(after.vector, dtype=np.float64)
        state = state._replace(total=jnp.zeros_like(state.total))  # what was left over counts once
    return total


@partial(jax.jit, static_argnums=0)
def _advance(
    loop: _Loop, state: _State, records: Array, arrays: Any, used: Array, scales: list[Array]
) -> _State:
    """The first `used` passes of a chunk.

    All passes of a step have its shared numbers: were they drawn pass by pass, one row more in a batch could
    push another row into the next pass, and so to another gradient.
    """
    slots, counts, ends, firsts, words, far, draws = arrays
    clip_norm, stddev, per_row = scales
    noise = normals(*words)
    positions = jnp.arange(slots.shape[1])

    def one_pass(index: Array, state: _State) -> _State:
        now = Draws(shared=_at(draws.shared, firsts[index]), each=_at(draws.each, index))
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
        fresh = row_of(noise, far, index)[: total.size]
        following: _State = jax.lax.cond(
            ends[index],
            lambda: _updated(loop, state, (total + stddev * fresh) * per_row, now.shared),
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
