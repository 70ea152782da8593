"""Adaptation by released cells, which is free, and by rows, which is a question of the plan."""

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows
from tests.methods.test__three_a_numbers import WIDTH, schema_of, two_classes
from triplea.adapt.inducing_points import KernelInducing
from triplea.adapt.private_inducing import PrivateInducing
from triplea.adapt.stage import Unchanged
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
    assert adapting.adapting_asks(Unchanged(), BUDGET) == ()
    assert adapting.adapting_asks(KernelInducing(), BUDGET) == ()
    (ask,) = adapting.adapting_asks(STAGE, BUDGET)
    assert (ask.steps, ask.sampling_rate, ask.share) == (3, 0.1, STAGE.share)
    assert METHOD.plan(SCHEMA, BUDGET).asks[-1] == ask


def test_without_delta_or_beside_mixtures_it_is_refused_with_a_cure():
    with pytest.raises(MethodError, match="delta above 0"):
        METHOD.plan(SCHEMA, Budget(epsilon=1.0, delta=0.0))
    published = ThreeA(approximate=RandomGroups(), adapt=STAGE, anonymize=MixWithNoise())
    with pytest.raises(MethodError, match="KernelInducing or Unchanged"):
        published.plan(SCHEMA, BUDGET)


def test_without_features_there_is_nothing_to_adapt():
    alone = load_schema({"target": "y", "columns": [{"name": "y", "kind": "boolean"}]})
    assert adapting.ADAPT not in [ask.label for ask in METHOD.plan(alone, BUDGET).asks]


@pytest.mark.parametrize(("schema", "table"), [(SCHEMA, rows(2000)), (schema_of(WIDTH), two_classes(2000))])
def test_the_run_is_in_the_ledger_and_within_the_budget(schema, table):
    made = release(table, schema=schema, epsilon=1.0, delta=1e-5, method=METHOD, seed=0)
    labels = [charge.label for charge in made.certificate.charges]
    assert labels[-1] == adapting.ADAPT and made.certificate.epsilon_proved <= 1.0


@pytest.mark.parametrize("relation", ["add-or-remove-one", "replace-one"])
def test_rows_are_seen_at_the_door_only(relation):
    table = rows(60)
    near = table.slice(0, 59)
    if relation == "replace-one":
        near = pa.concat_tables([near, rows(60, seed=1).slice(59, 1)])
    report = replay(table, near, schema=SCHEMA, epsilon=1.0, delta=1e-5, method=METHOD, neighbours=relation)
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
    moved = adapting.moved_points(
        Door(), stage, points, owner, np.array([200.0, 200.0]), targets=np.array([[-1.0], [1.0]]),
        target_labels=owner, read=read, rng=np.random.default_rng(0),
    )  # fmt: skip
    assert moved[0, 0] < -0.3 and moved[1, 0] > 0.3
