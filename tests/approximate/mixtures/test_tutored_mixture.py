"""Further targets follow their tutors, conditions stay exact, and a stored model draws the same rows."""

import numpy as np
import pytest

from triplea.approximate.codes.leaf_cells import LeafCells, leaves_of
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.taught_mixture import TaughtMixture
from triplea.approximate.mixtures.tutored_mixture import TutoredMixture
from triplea.schema import Column

COLUMNS = [Column(name=name, kind="integer", lower=0, upper=1) for name in ("a", "t", "y")]
CELLS = {column.name: LeafCells.one_per_leaf(leaves_of(column)) for column in COLUMNS}
LABEL = AdditiveTeacher(
    weights=np.array([[0, 0.0], [0, 0.0], [0, -2.0], [0, 2.0]]), bias=np.zeros(2), offsets=np.array([0, 2, 4])
)
TUTOR = AdditiveTeacher(weights=np.array([[0, -1.0], [0, 1.0]]), bias=np.zeros(2), offsets=np.array([0, 2]))


def model():
    """`a` and `t` are independent coins in the mixture; the tutor ties t to a, the teacher y to t."""
    base = TaughtMixture(
        names=("a", "t", "y"),
        cells=CELLS,
        weights=np.ones(1),
        tables={"a": np.array([[0.5, 0.5]]), "t": np.array([[0.9, 0.1]])},
        label="y",
        teacher=LABEL,
    )
    return TutoredMixture.of(base, {"t": TUTOR})


def share(values, where):
    return float(values[where].mean())


def test_a_further_target_follows_its_tutor_and_the_label_follows_both():
    rows = model().sample(20_000, rng=np.random.default_rng(0))
    for a in (0, 1):
        assert share(rows["t"], rows["a"] == a) == pytest.approx(1 / (1 + np.exp(1 - 2 * a)), abs=0.02)
    for t in (0, 1):
        assert share(rows["y"], rows["t"] == t) == pytest.approx(1 / (1 + np.exp(2 - 4 * t)), abs=0.02)


@pytest.mark.parametrize("where", [{"t": 1}, {"t": 1, "y": 0}, {"a": 0, "t": 1}, {"y": 1}])
def test_conditions_are_exact(where):
    every = model().sample(200_000, rng=np.random.default_rng(1))
    given = model().sample(20_000, rng=np.random.default_rng(2), where=where)
    meets = np.all([every[name] == value for name, value in where.items()], axis=0)
    for name, value in where.items():
        assert set(given[name].tolist()) == {value}
    for name in ("a", "t", "y"):
        assert given[name].mean() == pytest.approx(share(every[name], meets), abs=0.02)


def test_a_stored_model_draws_the_same_rows():
    made = model()
    again = TutoredMixture.from_state(*made.state())
    first, second = (m.sample(500, rng=np.random.default_rng(3)) for m in (made, again))
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])


def test_no_rows_are_an_empty_table():
    assert len(model().sample(0, rng=np.random.default_rng(4), where={"t": 1})["a"]) == 0
