"""The Adapt stage of the provable 3A: released cells are moved by draws from them, or by the rows themselves.

Draws from released cells are free. The rows move the points through `door.descend`, as one more question of
the plan (DP-KIP); nothing else of them is seen.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from triplea.adapt.inducing_points import scales
from triplea.adapt.labels import centred_one_hot
from triplea.adapt.private_inducing import PrivateInducing
from triplea.adapt.stage import Adaptation
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism
from triplea.approximate.networks.compiled import require_jax
from triplea.errors import MethodError
from triplea.schema import Encoded

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Stage = Adaptation | PrivateInducing
Read = Callable[[Encoded], tuple[Whole, Floats]]  # the classes of rows, and their vectors
ADAPT = "adaptation to the rows"


def adapting_asks(adapt: Stage, budget: Budget) -> tuple[Ask, ...]:
    """One private run where the rows move the points; else nothing."""
    if not isinstance(adapt, PrivateInducing):
        return ()
    require_jax("adaptation to the rows")
    if budget.delta <= 0.0:
        raise MethodError(
            "adaptation to the rows is trained with Gaussian noise and needs a delta above 0, got 0. "
            "Give one (below one over the number of rows), or adapt to released cells."
        )
    return (
        Ask(
            label=ADAPT, mechanism=Mechanism.SAMPLED_GAUSSIAN, share=adapt.share,
            sampling_rate=adapt.sampling_rate, steps=adapt.steps,
        ),
    )  # fmt: skip


def moved_points(
    door: Door,
    adapt: Stage,
    points: Floats,
    owner: Whole,
    rows: Floats,
    *,
    targets: Floats,
    target_labels: Whole,
    read: Read,
    rng: np.random.Generator,
) -> Floats:
    """The points after adaptation; `targets` are draws from the released cells."""
    if not isinstance(adapt, PrivateInducing):
        moved = adapt.adapt(points, owner, rows, targets=targets, target_labels=target_labels, rng=rng)
        return np.asarray(moved.points, dtype=np.float64)
    from triplea.queries.inducing import inducing_descent, inducing_points

    centre, spread = scales(targets)
    classes = int(owner.max(initial=0)) + 1

    def records(encoded: Encoded) -> Floats:
        klass, vectors = read(encoded)
        return np.concatenate([(vectors - centre) / spread, centred_one_hot(klass, classes)], axis=1)

    run = inducing_descent(
        points=(points - centre) / spread,
        labels=centred_one_hot(owner, classes),
        encode=records,
        n_public=max(float(rows.sum()), 1.0),
        depth=adapt.depth,
        ridge=adapt.ridge,
        alpha=adapt.alpha,
        clip_norm=adapt.clip_norm,
        learning_rate=adapt.learning_rate,
        steps=adapt.steps,
    )
    found, _ = inducing_points(door.descend(run, label=ADAPT))
    return np.asarray(found * spread + centre, dtype=np.float64)
