"""Kernel inducing points (Nguyen, Chen and Lee 2021, arXiv:2011.00050), with 3A's pull towards the start.

Minimised over the points X_s, from X~_s on (Madl et al. 2023, equation 6):

    alpha * |X_s - X~_s|^2 / |X~_s|^2 + (1 - alpha) * 1/2 |y_t - K_ts (K_ss + lambda I)^-1 y_s|^2

So alpha = 1 stays at the start and alpha = 0 follows the targets alone. (The paper's text has the two ends
the other way round; its equation, and its warning that a nonzero alpha holds the points back, are followed.)
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triplea.adapt.labels import as_outputs
from triplea.adapt.stage import Adapted, Progress, Ranges, refuse_outside
from triplea.approximate.networks.compiled import require_jax

if TYPE_CHECKING:  # needs JAX, which is loaded when points are adapted
    from triplea.adapt.kernel_regression import State, Strengths, Support, Targets

CHUNK = 25  # steps between two looks at the loss
PATIENCE = 2  # looks without progress


@dataclass(frozen=True, kw_only=True)
class KernelInducing:
    """Adam on equation 6, with the neural tangent kernel of a fully connected ReLU network.

    `ridge` is lambda as a share of trace(K_ss) / n. `depth` counts hidden layers. Each step sees `batch`
    targets (all of them, where there are no more). The squared norm over targets is a mean, as in the public
    code, so that alpha means the same for tables of any size; `loss="sum"` takes it as printed. Columns are
    z-scored by the targets' mean and deviation unless `standardise` is off. Adaptation ends after `steps`,
    or earlier when the mean loss of 25 steps has twice fallen by less than `tolerance` of itself (0: never).
    """

    alpha: float = 0.5
    ridge: float = 1e-3
    depth: int = 2
    learning_rate: float = 0.04
    steps: int = 300
    batch: int = 2000
    learn_labels: bool = False
    tolerance: float = 1e-3
    loss: Literal["mean", "sum"] = "mean"
    standardise: bool = True
    precision: Literal["float32", "float64"] = "float64"

    def __post_init__(self) -> None:
        _check(self)

    def adapt(
        self,
        points: np.ndarray,
        labels: np.ndarray,
        weights: np.ndarray | None = None,
        *,
        targets: np.ndarray,
        target_labels: np.ndarray,
        rng: np.random.Generator,
        progress: Progress | None = None,
        target_weights: np.ndarray | None = None,
    ) -> Adapted:
        """Move `points` so that regression on them predicts the labels of `targets`.

        Labels are class codes (whole numbers) or outputs (one column each); learned labels come back as
        outputs. A point of weight w counts as w equal points: its pull is w times as strong, its ridge 1/w.
        """
        points, labels, targets = np.asarray(points), np.asarray(labels), np.asarray(targets)
        target_labels = np.asarray(target_labels)
        outputs, target_outputs = as_outputs(labels, target_labels)
        idle = self.steps == 0 or self.alpha == 1.0 or not len(points) or not len(targets)
        if idle or not np.ptp(np.concatenate([outputs, target_outputs]), axis=0).any():  # no border to find
            return Adapted(points=np.array(points), labels=np.array(labels))
        require_jax("adaptation by kernel inducing points")
        centre, spread = scales(targets, target_weights) if self.standardise else (0.0, 1.0)
        values, losses, converged = self._minimise(
            _with_weights((points - centre) / spread, outputs, weights),
            _with_weights((targets - centre) / spread, target_outputs, target_weights),
            rng=rng,
            progress=progress,
        )
        moved = values[:, : points.shape[1]] * spread + centre
        learned = values[:, points.shape[1] :] if self.learn_labels else np.array(labels)
        return Adapted(points=moved, labels=learned, losses=losses, converged=converged)

    def _minimise(
        self,
        start: tuple[np.ndarray, np.ndarray, np.ndarray],
        goal: tuple[np.ndarray, np.ndarray, np.ndarray],
        *,
        rng: np.random.Generator,
        progress: Progress | None,
    ) -> tuple[np.ndarray, tuple[float, ...], bool]:
        from contextlib import nullcontext

        from triplea.adapt import kernel_regression as regression
        from triplea.adapt.ntk import double_precision

        losses: list[float] = []
        means, converged = [math.inf], False
        with double_precision() if self.precision == "float64" else nullcontext():
            support, targets, strengths = self._problem(start, goal)
            state = regression.begin(support)
            batches = _Batches(size=min(self.batch, len(goal[0])), count=len(goal[0]), rng=rng)
            while len(losses) < self.steps and not converged:
                used = min(CHUNK, self.steps - len(losses))
                state, found = regression.advance(
                    state, support, targets, batches.draw(CHUNK), used, strengths,
                    depth=self.depth, learn_labels=self.learn_labels,
                )  # fmt: skip
                losses.extend(np.asarray(found, np.float64)[:used].tolist())
                means.append(float(np.mean(losses[-used:])))
                converged = self._settled(means)
                if progress is not None:
                    progress(len(losses), losses[-1])
                if not math.isfinite(losses[-1]):
                    break
            return _values(state, len(start[0])), tuple(losses), converged

    def _problem(
        self,
        start: tuple[np.ndarray, np.ndarray, np.ndarray],
        goal: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> tuple[Support, Targets, Strengths]:
        """Everything on the device, padded to a common size."""
        import jax
        import jax.numpy as jnp

        from triplea.adapt.kernel_regression import Strengths, Support, Targets

        points, labels, weights = start
        slots = padded_size(len(points))
        support = Support(
            points=_padded(points, slots),
            labels=_padded(labels, slots),
            weights=np.concatenate([weights / weights.mean(), np.ones(slots - len(points))]),
            present=np.arange(slots) < len(points),
        )
        room = padded_size(len(goal[0]))
        targets = Targets(*(_padded(part, room) for part in goal))
        scale = float(len(goal[0])) if self.loss == "sum" else 1.0
        numbers = (self.alpha, self.ridge, self.learning_rate, scale)
        strengths = Strengths(*(np.asarray(number, self.precision) for number in numbers))

        def there(part: np.ndarray) -> Any:
            return jnp.asarray(part if part.dtype == bool else part.astype(self.precision))

        placed: tuple[Support, Targets, Strengths] = jax.tree.map(there, (support, targets, strengths))
        return placed

    def _settled(self, means: list[float]) -> bool:
        """Whether the last looks at the loss showed no progress."""
        recent = means[-PATIENCE - 1 :]
        falls = [
            before - after < self.tolerance * abs(before) for before, after in itertools.pairwise(recent)
        ]
        return self.tolerance > 0.0 and len(falls) == PATIENCE and all(falls)


class _Batches:
    """Positions of targets for every step: epochs in random order, or always all of them if they fit."""

    def __init__(self, *, size: int, count: int, rng: np.random.Generator) -> None:
        self.size, self.count, self.rng = size, count, rng
        self.order = np.zeros(0, np.int32)

    def draw(self, steps: int) -> np.ndarray:
        """So many batches; padded positions name targets of weight zero."""
        if self.size == self.count:
            return np.tile(np.arange(padded_size(self.count), dtype=np.int32), (steps, 1))
        while len(self.order) < steps * self.size:
            self.order = np.concatenate([self.order, self.rng.permutation(self.count).astype(np.int32)])
        taken, self.order = np.split(self.order, [steps * self.size])
        return taken.reshape(steps, self.size)


def padded_size(count: int) -> int:
    """The next power of two up to 256, from 32 on; above, a quarter of a power of two is the step.

    >>> [padded_size(count) for count in (1, 33, 300, 2000, 5000)]
    [32, 64, 320, 2048, 5120]
    """
    if count <= 256:
        return max(32, 1 << (count - 1).bit_length())
    step = 1 << (count.bit_length() - 3)
    return -(-count // step) * step


def _padded(part: np.ndarray, slots: int) -> np.ndarray:
    return np.concatenate([part, np.zeros((slots - len(part), *part.shape[1:]))])


def _with_weights(
    points: np.ndarray, outputs: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    given = np.ones(len(points)) if weights is None else np.asarray(weights, np.float64)
    return points, outputs, np.maximum(given, np.finfo(np.float32).tiny)


def scales(targets: np.ndarray, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation of every column; a constant column keeps its unit."""
    centre = np.average(targets, axis=0, weights=weights)
    spread = np.sqrt(np.average((targets - centre) ** 2, axis=0, weights=weights))
    return centre, np.where(spread > 1e-9 * (1.0 + np.abs(centre)), spread, 1.0)


def _values(state: State, count: int) -> np.ndarray:
    return np.asarray(state.values, np.float64)[:count]


def _check(stage: KernelInducing) -> None:
    ranges: Ranges = (
        ("alpha", 0.0 <= stage.alpha <= 1.0, "between 0 and 1"),
        ("ridge", 1e-8 <= stage.ridge < math.inf, "at least 1e-8"),
        ("depth", type(stage.depth) is int and 0 <= stage.depth <= 32, "a whole number from 0 to 32"),
        ("learning_rate", 0.0 < stage.learning_rate < math.inf, "a finite number above 0"),
        ("steps", type(stage.steps) is int and stage.steps >= 0, "a whole number of at least 0"),
        ("batch", type(stage.batch) is int and stage.batch >= 1, "a whole number of at least 1"),
        ("tolerance", 0.0 <= stage.tolerance < 1.0, "at least 0 and below 1"),
        ("loss", stage.loss in ("mean", "sum"), "'mean' or 'sum'"),
        ("precision", stage.precision in ("float32", "float64"), "'float32' or 'float64'"),
    )
    refuse_outside("kernel inducing points", stage, ranges)
