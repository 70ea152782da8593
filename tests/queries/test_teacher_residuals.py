"""Residuals of a teacher by cell: right sums, and vectors that are never too long."""

from dataclasses import replace

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value, equal_width
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.crossed_weights import CrossedWeights
from triplea.approximate.mixtures.outcomes import Outcomes
from triplea.queries.teacher_residuals import TeacherResiduals
from triplea.schema import Column

COLOUR = Column(name="colour", kind="categorical", categories=("red", "green"), nullable=True)
AGE = Column(name="age", kind="integer", lower=0, upper=99)
ILL = Column(name="ill", kind="boolean")
BINNINGS = {"colour": each_value(COLOUR), "age": equal_width(AGE, 2), "ill": each_value(ILL)}


def _query(weights, bias=(0.0, 0.0)):
    teacher = AdditiveTeacher(
        weights=np.stack([np.zeros(5), np.asarray(weights, float)], axis=1),
        bias=np.asarray(bias),
        offsets=np.array([0, 3, 5]),
    )
    return TeacherResiduals(teacher=teacher, features=["colour", "age"], label="ill", binnings=BINNINGS)


def test_an_undecided_teacher_counts_ill_minus_well():
    rows = {"colour": np.array([0, 0, 2]), "age": np.array([10, 60, 60]), "ill": np.array([1, 1, 0])}
    query = _query(np.zeros(5))
    assert (query.partial_sums(rows) * query.grid).ravel().tolist() == [2.0, 0.0, -1.0, 1.0, 0.0]
    assert query.row_l2 == pytest.approx(np.sqrt(2.0))
    assert query.swap_l2 == pytest.approx(2.0 * np.sqrt(2.0))


def test_a_sure_teacher_hears_only_of_its_mistakes():
    rows = {"colour": np.array([0, 0]), "age": np.array([10, 10]), "ill": np.array([1, 0])}
    sums = _query([9.0, 0, 0, 9.0, 0]).partial_sums(rows) * 2.0**-20
    assert sums[0, 0] == pytest.approx(-1.0, abs=1e-4)


def test_pairs_of_features_are_summed_by_their_groups():
    """Cells red, green, missing and young, old: four pairs of groups, since green and missing share one."""
    single = _query(np.zeros(5))
    crossed = CrossedWeights.nothing(np.array([[0, 1]]), np.array([0, 1, 1, 0, 1]), np.array([0, 3, 5]), 2)
    query = TeacherResiduals(
        teacher=replace(single.teacher, crossed=crossed), features=["colour", "age"], label="ill",
        binnings=BINNINGS, crossed=True,
    )  # fmt: skip
    rows = {"colour": np.array([0, 0, 2]), "age": np.array([10, 60, 60]), "ill": np.array([1, 1, 0])}
    assert (query.partial_sums(rows) * query.grid).ravel().tolist() == [1.0, 1.0, 0.0, -1.0]
    assert (query.row_l2, query.swap_l2) == (1.0, 2.0)


def test_classes_on_a_scale_have_one_residual():
    """Three places -1, 0 and 1: an undecided teacher expects 0, and could miss by 1 at most."""
    teacher = AdditiveTeacher(weights=np.zeros((2, 3)), bias=np.zeros(3), offsets=np.array([0, 2]))
    age = Column(name="age", kind="integer", lower=0, upper=2)
    outcomes = Outcomes(classes=3, scale=np.array([-1.0, 0.0, 1.0]))
    binnings = {"ill": each_value(ILL), "age": each_value(age)}
    query = TeacherResiduals(
        teacher=teacher, features=["ill"], label="age", binnings=binnings, outcomes=outcomes
    )
    sums = query.partial_sums({"ill": np.array([0, 0, 1, 1]), "age": np.array([0, 2, 2, 1])}) * query.grid
    assert sums.tolist() == [[0.0], [1.0]]
    assert (query.row_l2, query.row_l1, query.swap_l1) == (1.0, 1.0, 2.0)


def test_extreme_weights_stay_bounded():
    rows = {"colour": np.array([0, 1]), "age": np.array([10, 99]), "ill": np.array([1, 0])}
    for weights in ([1e300, -1e300, 0, 0, 0], [-800.0, 800.0, 1.0, 0.0, 0.0]):
        units = _query(weights).partial_sums(rows)
        assert np.abs(units).max() <= 2**20
