"""Adaptation by released cells, which is free, and by rows, which is a question of the plan."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows
from tests.methods.test__three_a_numbers import WIDTH, schema_of, two_classes
from triplea.adapt.inducing_points import KernelInducing
from triplea.adapt.one_of import OneOf
from triplea.adapt.private_inducing import PrivateInducing
from triplea.adapt.stage import Adapted, Unchanged
from triplea.anonymize.budget import Budget
from triplea.anonymize.mixing import MixWithNoise
from triplea.approximate.cell_stages import LearnedCells
from triplea.approximate.gaussians.groupings import RandomGroups
from triplea.audit import replay
from triplea.errors import MethodError
from triplea.methods import _three_a_adapting as adapting
from triplea.methods.three_a import ThreeA
from triplea.releases.run import release
from triplea.schema import load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)
STAGE = PrivateInducing(steps=3, depth=0, sampling_rate=0.1)
METHOD = ThreeA(approximate=LearnedCells(clusters=2), adapt=STAGE)


def test_only_the_rows_cost_something():
    assert adapting.adapting_asks(Unchanged(), SCHEMA, BUDGET) == ()
    assert adapting.adapting_asks(KernelInducing(), SCHEMA, BUDGET) == ()
    (ask,) = adapting.adapting_asks(STAGE, SCHEMA, BUDGET)
    assert (ask.steps, ask.sampling_rate, ask.share) == (3, 0.1, STAGE.share)
    assert METHOD.plan(SCHEMA, BUDGET).asks[-1] == ask


def test_without_delta_or_beside_mixtures_it_is_refused_with_a_cure():
    with pytest.raises(MethodError, match="delta above 0"):
        METHOD.plan(SCHEMA, Budget(epsilon=1.0, delta=0.0))
    for stage in (STAGE, OneOf()):
        published = ThreeA(approximate=RandomGroups(), adapt=stage, anonymize=MixWithNoise())
        with pytest.raises(MethodError, match="KernelInducing or Unchanged"):
            published.plan(SCHEMA, BUDGET)
    with pytest.raises(MethodError, match="no target"):
        ThreeA(adapt=OneOf()).plan(replace(SCHEMA, target=None), BUDGET)


def test_without_features_there_is_nothing_to_adapt():
    alone = load_schema({"target": "y", "columns": [{"name": "y", "kind": "boolean"}]})
    assert adapting.ADAPT not in [ask.label for ask in METHOD.plan(alone, BUDGET).asks]


@pytest.mark.parametrize(("schema", "table"), [(SCHEMA, rows(2000)), (schema_of(WIDTH), two_classes(2000))])
def test_the_run_is_in_the_ledger_and_within_the_budget(schema, table):
    made = release(table, schema=schema, epsilon=1.0, delta=1e-5, method=METHOD, seed=0)
    labels = [charge.label for charge in made.certificate.charges]
    assert labels[-1] == adapting.ADAPT and made.certificate.epsilon_proved <= 1.0


class Away:
    """An adaptation that gives every cell the same point."""

    def adapt(self, points, labels, weights=None, *, targets, target_labels, rng, progress=None):
        return Adapted(points=np.broadcast_to(points.mean(axis=0), points.shape), labels=labels)


@pytest.mark.parametrize(("schema", "table"), [(SCHEMA, rows(5000)), (schema_of(WIDTH), two_classes(2000))])
def test_the_adaptation_that_knows_most_classes_is_chosen_under_the_budget(schema, table):
    made = [
        release(table, schema=schema, epsilon=1.0, delta=1e-5, method=ThreeA(adapt=stage), seed=0)
        for stage in (OneOf(stages=(Away(), Unchanged())), OneOf(stages=(Unchanged(),)))
    ]
    assert made[0].certificate.charges[-1].label == adapting.CHOICE
    one, two = (pa.concat_tables(release.tables()) for release in made)
    assert one.equals(two)


@pytest.mark.parametrize("relation", ["add-or-remove-one", "replace-one"])
@pytest.mark.parametrize("stage", [STAGE, OneOf(stages=(Unchanged(), Away()))])
def test_rows_are_seen_at_the_door_only(relation, stage):
    table, method = rows(60), ThreeA(approximate=LearnedCells(clusters=2), adapt=stage)
    near = table.slice(0, 59)
    if relation == "replace-one":
        near = pa.concat_tables([near, rows(60, seed=1).slice(59, 1)])
    report = replay(table, near, schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, neighbours=relation)
    assert report.ok, str(report)


def test_released_cells_are_moved_towards_what_serves_the_rows():
    """The rows' classes lie at -1 and 1, the released points almost together."""

    class Door:
        def descend(self, run, *, label):
            from triplea.anonymize.descending import train

            rng = np.random.default_rng(0)
            records = run.encode({"x": np.repeat([-1.0, 1.0], 200)}).astype(np.float32)
            return train(
                run, records, rate=0.5, steps=60, stddev=0.0, generator=rng, public_generator=rng, label=label
            )

    def read(encoded):
        return (encoded["x"] > 0).astype(int), encoded["x"][:, None]

    points, owner = np.array([[-0.05], [0.05]]), np.array([0, 1])
    stage = PrivateInducing(alpha=0.0, steps=60, learning_rate=0.1, clip_norm=10.0, depth=0)
    cells = adapting.Cells(
        points=points, owner=owner, rows=np.array([200.0, 200.0]), targets=np.array([[-1.0], [1.0]]),
        target_labels=owner, read=read, rule=None, classes=None,
    )  # fmt: skip
    moved = adapting.moved_points(Door(), stage, cells, rng=np.random.default_rng(0))
    assert moved[0, 0] < -0.3 and moved[1, 0] > 0.3
