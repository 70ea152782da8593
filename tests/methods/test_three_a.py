"""3A as a combination of stages: what goes together, what is asked, what comes out."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows
from triplea.adapt.stage import Adapted, Unchanged
from triplea.anonymize.budget import Budget
from triplea.anonymize.mixing import MixWithNoise
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.approximate.cell_stages import LearnedCells, RandomCells
from triplea.approximate.gaussians.constrained_mixture import ConstrainedMixture
from triplea.approximate.gaussians.groupings import Microaggregated, RandomGroups
from triplea.errors import MethodError
from triplea.methods.three_a import ThreeA
from triplea.releases.run import release

BUDGET = Budget(epsilon=1.0, delta=1e-5)


class Recording:
    """An adaptation that remembers what it was shown."""

    def __init__(self):
        self.seen = []

    def adapt(self, points, labels, weights=None, *, targets, target_labels, rng, progress=None):
        self.seen.append((points, labels, weights, targets, target_labels))
        return Adapted(points=np.array(points), labels=np.array(labels))


@pytest.mark.parametrize("approximate", [ConstrainedMixture(), RandomGroups(), Microaggregated()])
def test_groupings_go_with_mixtures(approximate):
    method = ThreeA(approximate=approximate, anonymize=MixWithNoise(sigma_max=0.5))
    assert method.variant == "published"
    assert [ask.mechanism.value for ask in method.plan(SCHEMA, BUDGET).asks] == ["claimed"]
    made = release(
        rows(600), schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, seed=0, accept_unproved=True
    )
    assert made.certificate.epsilon_proved is None or np.isinf(made.certificate.epsilon_proved)


@pytest.mark.parametrize("approximate", [LearnedCells(clusters=2), RandomCells(clusters=2)])
def test_cells_go_with_noisy_sums(approximate):
    method = ThreeA(approximate=approximate)
    assert method.variant == "provable"
    labels = [ask.label for ask in method.plan(SCHEMA, BUDGET).asks]
    assert labels == ["bins of numeric columns", "tables of the classes", "tables of the cells"]
    made = release(rows(), schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, seed=0)
    assert made.certificate.epsilon_proved <= 1.0


@pytest.mark.parametrize(
    ("approximate", "anonymize", "cure"),
    [
        (ConstrainedMixture(), NoisyCells(), "LearnedCells or RandomCells"),
        (LearnedCells(), MixWithNoise(), "ConstrainedMixture, RandomGroups or Microaggregated"),
    ],
)
def test_stages_that_do_not_go_together_are_refused_with_a_cure(approximate, anonymize, cure):
    with pytest.raises(MethodError, match=cure):
        ThreeA(approximate=approximate, anonymize=anonymize).plan(SCHEMA, BUDGET)


def test_the_variant_is_the_stage():
    with pytest.raises(MethodError, match="NoisyCells is provable"):
        ThreeA().variant = "published"


def test_adaptation_sees_draws_from_released_cells_only():
    stage = Recording()
    method = ThreeA(approximate=LearnedCells(clusters=2), adapt=stage)
    release(rows(), schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, seed=0)
    ((points, labels, weights, targets, target_labels),) = stage.seen
    assert len(points) == len(labels) == len(weights) and points.shape[1] == targets.shape[1]
    assert len(targets) == len(target_labels) == 2000  # a public number, whatever the rows


def test_published_adaptation_sees_the_rows():
    stage = Recording()
    method = ThreeA(approximate=RandomGroups(), adapt=stage, anonymize=MixWithNoise(sigma_max=0.5), slices=2)
    table = rows(600)
    release(table, schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, seed=0, accept_unproved=True)
    assert len(stage.seen) == 2 and sum(len(call[3]) for call in stage.seen) == len(table)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"slices": -1}, "slices"),
        ({"codes": "binary"}, "codes"),
        ({"scaling": "log"}, "scaling"),
        ({"approximate": LearnedCells(clusters=0)}, "clusters"),
        ({"approximate": LearnedCells(rounds=0)}, "rounds"),
        ({"max_cells": 10}, "max_cells=10"),
    ],
)
def test_parameters_are_refused_by_name(changes, named):
    with pytest.raises(MethodError, match=named):
        ThreeA(**changes).plan(SCHEMA, BUDGET)


def test_cost_grows_linearly_with_rows():
    for method in (ThreeA(), ThreeA(approximate=RandomGroups(), adapt=Unchanged(), anonymize=MixWithNoise())):
        small, large = (method.cost(SCHEMA, n).seconds for n in (100_000, 1_000_000))
        assert 1.0 < large / small < 10.5
