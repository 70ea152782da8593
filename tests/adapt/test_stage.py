"""Stages are exchangeable; the one that does nothing hands on copies."""

from types import SimpleNamespace

import numpy as np
import pytest

from triplea.adapt.inducing_points import KernelInducing
from triplea.adapt.stage import Adaptation, Unchanged, refuse_outside
from triplea.errors import MethodError


def test_no_adaptation_hands_on_equal_copies():
    points, labels = np.ones((2, 3)), np.array([0, 1])
    found = Unchanged().adapt(
        points, labels, targets=points, target_labels=labels, rng=np.random.default_rng(0)
    )
    assert np.array_equal(found.points, points) and np.array_equal(found.labels, labels)
    assert found.points is not points and found.labels is not labels
    assert found.losses == () and found.converged


def test_both_stages_keep_to_the_protocol():
    stages: list[Adaptation] = [Unchanged(), KernelInducing()]
    assert all(callable(stage.adapt) for stage in stages)


def test_the_first_parameter_outside_its_range_is_named():
    given = SimpleNamespace(alpha=0.5, steps=-1)
    ranges = (("alpha", True, "between 0 and 1"), ("steps", False, "at least 0"))
    with pytest.raises(MethodError, match="some stage: 'steps' must be at least 0, got -1"):
        refuse_outside("some stage", given, ranges)
    refuse_outside("some stage", given, ranges[:1])
