"""DP-KIP: kernel inducing points that real rows move under noise, as a task of `door.descend`.

Given the points, the regression loss is a sum over records; the loss of one record has a gradient in the
points that depends on no other record. So this is DP-SGD, and its proof is that of every descent. The start
must be public or released: points drawn at random, or noisy centroids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from triplea.adapt.kernel_regression import Support, Targets, squared_errors
from triplea.approximate.networks.dense import Layers
from triplea.approximate.networks.optimizers import adam
from triplea.queries.descent import Descent, Net, Task
from triplea.schema import Encoded

if TYPE_CHECKING:
    from triplea.anonymize.descending import Descended

Array = Any
POINTS, LABELS = "points", "labels"


@dataclass(frozen=True, kw_only=True)
class Inducing(Task):
    """The loss of a record (x, y) is (1 - alpha) |y - K(x, S) (K(S, S) + ridge)^-1 y_S|^2.

    With `alpha` above 0, every record's loss also holds alpha times the distance of the points from their
    start, relative to the start's size, as in equation 6 of 3A. A record is x and y side by side, with x as
    long as a point. The layer "points" holds S in its weights; its biases are zero and play no part.
    """

    depth: int
    ridge: float
    alpha: float = 0.0
    dense = False

    def loss(self, net: Net, record: Array, public: Any, shared: Any, own: Any) -> Array:
        """The squared error of one record."""
        del shared, own
        points = net.layers[POINTS][0]
        labels = net.layers[LABELS][0] if LABELS in net.layers else public["labels"]
        ones = jnp.ones(len(points), points.dtype)
        support = Support(points=points, labels=labels, weights=ones, present=ones > 0.0)
        width = points.shape[1]
        target = Targets(points=record[None, :width], labels=record[None, width:], weights=ones[:1])
        error = squared_errors(support, target, depth=self.depth, ridge=self.ridge)
        return (1.0 - self.alpha) * error[0]

    def shared_loss(self, net: Net, public: Any, shared: Any) -> Array | None:
        """The pull towards the start, which knows no record."""
        del shared
        if self.alpha == 0.0:
            return None
        start = public["start"]
        size = jnp.maximum(jnp.sum(start**2), np.finfo(np.float32).tiny)
        return self.alpha * jnp.sum((net.layers[POINTS][0] - start) ** 2) / size


def inducing_descent(
    *,
    points: np.ndarray,
    labels: np.ndarray,
    encode: Callable[[Encoded], np.ndarray],
    n_public: float,
    depth: int = 1,
    ridge: float = 1e-3,
    alpha: float = 0.0,
    clip_norm: float = 0.1,
    learning_rate: float = 0.05,
    steps: int = 0,
    learn_labels: bool = False,
    average: float = 0.9,
) -> Descent:
    """A private run that moves `points` (n x d), with `labels` (n x outputs), towards what serves the rows.

    `encode` gives records: d scaled features, then the outputs, one row each. With `steps` the learning rate
    falls to a tenth over so many steps; what is handed out is the running mean of the points. In 32-bit
    floating point the ridge should not be below 1e-4.
    """
    layers: Layers = {POINTS: _layer(points)}
    if learn_labels:
        layers[LABELS] = _layer(labels)
    return Descent(
        task=Inducing(depth=depth, ridge=ridge, alpha=alpha),
        encode=encode,
        layers=layers,
        optimizer=adam(learning_rate, decay_steps=steps, last=0.1),
        clip_norm=clip_norm,
        n_public=n_public,
        public={"labels": np.asarray(labels, np.float32), "start": np.asarray(points, np.float32)},
        average=average,
    )


def inducing_points(run: Descended) -> tuple[np.ndarray, np.ndarray]:
    """Points and labels that such a run handed out."""
    labels = run.layers[LABELS][0] if LABELS in run.layers else run.public["labels"]
    return np.asarray(run.layers[POINTS][0], np.float64), np.asarray(labels, np.float64)


def _layer(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(values, np.float32), np.zeros(values.shape[1], np.float32)
