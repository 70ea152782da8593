"""The Adapt stage of the provable 3A: released cells are moved by draws from them, or by the rows themselves.

Draws from released cells are free. What sees rows is one more question of the plan: they move the points
through `door.descend` (DP-KIP), or choose between several adaptations through `door.choose`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triplea.adapt.inducing_points import scales
from triplea.adapt.labels import centred_one_hot
from triplea.adapt.one_of import OneOf
from triplea.adapt.private_inducing import PrivateInducing
from triplea.adapt.stage import Adaptation
from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism
from triplea.approximate.codes.binning import CellMap
from triplea.approximate.mixtures.class_rules import ClassRule
from triplea.approximate.networks.compiled import require_jax
from triplea.errors import MethodError
from triplea.queries.right_classes import RightClasses, even_weights
from triplea.schema import Encoded, Schema

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Stage = Adaptation | PrivateInducing | OneOf
PAID = (PrivateInducing, OneOf)  # stages that ask a question of their own
ADAPT, CHOICE = "adaptation to the rows", "choice of an adaptation"


@dataclass(frozen=True, kw_only=True, eq=False)
class Cells:
    """Released cells, draws from them, and how rows are read beside them.

    `read` gives classes and vectors of rows, `rule` names a row's class by moved points, and `classes` is how
    the target falls into classes, if there is one.
    """

    points: Floats
    owner: Whole
    rows: Floats
    targets: Floats
    target_labels: Whole
    read: Callable[[Encoded], tuple[Whole, Floats]]
    rule: Callable[[Floats], ClassRule]
    classes: CellMap | None


def adapting_asks(adapt: Stage, schema: Schema, budget: Budget) -> tuple[Ask, ...]:
    """One question where rows move the points, or choose between adaptations; else none."""
    if isinstance(adapt, OneOf):
        if schema.target is None:
            raise MethodError(
                "OneOf chooses the adaptation that knows most rows' classes, and the schema has no target. "
                "Name one, or give a single adaptation."
            )
        return (Ask(label=CHOICE, mechanism=Mechanism.EXPONENTIAL, share=adapt.share),)
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


def moved_points(door: Door, adapt: Stage, cells: Cells, *, rng: np.random.Generator) -> Floats:
    """The cells' points after adaptation."""
    if isinstance(adapt, OneOf):
        return _chosen(door, [_by_draws(stage, cells, rng) for stage in adapt.stages], cells)
    if isinstance(adapt, PrivateInducing):
        return _by_rows(door, adapt, cells)
    return _by_draws(adapt, cells, rng)


def _by_draws(adapt: Adaptation, cells: Cells, rng: np.random.Generator) -> Floats:
    """Post-processing: the targets are draws from the released cells."""
    moved = adapt.adapt(
        cells.points, cells.owner, cells.rows,
        targets=cells.targets, target_labels=cells.target_labels, rng=rng,
    )  # fmt: skip
    return np.asarray(moved.points, dtype=np.float64)


def _chosen(door: Door, candidates: list[Floats], cells: Cells) -> Floats:
    """The candidate whose cells put most rows into their own class, by the exponential mechanism."""
    assert door.schema.target is not None and cells.classes is not None
    scores = RightClasses(
        rules=[cells.rule(points) for points in candidates],
        label=door.schema.target,
        classes=cells.classes,
        weights=even_weights(np.bincount(cells.owner, cells.rows)),
    )
    return candidates[door.choose(scores, label=CHOICE)]


def _by_rows(door: Door, adapt: PrivateInducing, cells: Cells) -> Floats:
    """DP-KIP, with columns scaled by the draws."""
    from triplea.queries.inducing import inducing_descent, inducing_points

    centre, spread = scales(cells.targets)
    classes = int(cells.owner.max(initial=0)) + 1

    def records(encoded: Encoded) -> Floats:
        klass, vectors = cells.read(encoded)
        return np.concatenate([(vectors - centre) / spread, centred_one_hot(klass, classes)], axis=1)

    run = inducing_descent(
        points=(cells.points - centre) / spread,
        labels=centred_one_hot(cells.owner, classes),
        encode=records,
        n_public=max(float(cells.rows.sum()), 1.0),
        depth=adapt.depth,
        ridge=adapt.ridge,
        alpha=adapt.alpha,
        clip_norm=adapt.clip_norm,
        learning_rate=adapt.learning_rate,
        steps=adapt.steps,
    )
    found, _ = inducing_points(door.descend(run, label=ADAPT))
    return np.asarray(found * spread + centre, dtype=np.float64)
