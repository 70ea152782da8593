"""Features from the mixture, labels from the teacher, conditions exactly."""

import numpy as np
import pytest

from triplea.approximate.codes.leaf_cells import LeafCells, leaves_of
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.taught_mixture import TAUGHT, TaughtMixture
from triplea.schema import Column

COLUMNS = {
    name: Column(name=name, kind="integer", lower=0, upper=upper)
    for name, upper in (("a", 2), ("b", 1), ("y", 1))
}
CELLS = {name: LeafCells.one_per_leaf(leaves_of(column)) for name, column in COLUMNS.items()}
TEACHER = AdditiveTeacher(
    weights=np.array([[0, -2.0], [0, 0.0], [0, 2.0], [0, 1.0], [0, -1.0]]),
    bias=np.zeros(2),
    offsets=np.array([0, 3, 5]),
)


def _model(label="y", teacher=TEACHER):
    return TaughtMixture(
        names=("a", "b", "y") if label else ("a", "b"),
        cells=CELLS,
        weights=np.array([1.0, 3.0]),
        tables={"a": np.array([[1.0, 0, 0], [0, 0.5, 0.5]]), "b": np.array([[0.9, 0.1], [0.2, 0.8]])},
        label=label,
        teacher=teacher,
    )


def test_labels_follow_the_teacher():
    rows = _model().sample(20_000, rng=np.random.default_rng(0))
    here = (rows["a"] == 2) & (rows["b"] == 0)
    assert rows["y"][here].mean() == pytest.approx(1 / (1 + np.exp(-3.0)), abs=0.02)


def test_conditioning_on_the_label_is_bayes_rule():
    model = _model()
    joint = model.sample(200_000, rng=np.random.default_rng(1))
    wanted = np.bincount(joint["a"][joint["y"] == 1], minlength=3) / (joint["y"] == 1).sum()
    given = model.sample(20_000, rng=np.random.default_rng(2), where={"y": 1})
    assert set(given["y"].tolist()) == {1}
    assert np.bincount(given["a"], minlength=3) / 20_000 == pytest.approx(wanted, abs=0.02)


def test_conditioning_on_a_feature_is_bayes_rule():
    given = _model().sample(20_000, rng=np.random.default_rng(3), where={"b": 0})
    assert (given["a"] == 0).mean() == pytest.approx(0.9 / (0.9 + 0.6), abs=0.01)


def _with_an_own_class():
    model = _model()
    return TaughtMixture(
        names=model.names,
        cells=CELLS,
        weights=np.array([1.0, 3.0, 1.0]),
        tables={name: np.vstack([t, t[:1] / 2 + 0.5 / t.shape[1]]) for name, t in model.tables.items()},
        label="y",
        teacher=TEACHER.without(np.array([1])),
        owners=np.array([TAUGHT, TAUGHT, 1]),
    )


def test_an_owned_component_gives_its_label_and_the_teacher_never_does():
    model = _with_an_own_class()
    rows = model.sample(20_000, rng=np.random.default_rng(0))
    assert rows["y"].mean() == pytest.approx(0.2, abs=0.001)
    own = np.bincount(rows["a"][rows["y"] == 1], minlength=3) / (rows["y"] == 1).sum()
    assert own == pytest.approx(model.tables["a"][2], abs=0.001)


@pytest.mark.parametrize("label", [0, 1])
def test_conditioning_is_bayes_rule_with_owned_components_too(label):
    model = _with_an_own_class()
    joint = model.sample(200_000, rng=np.random.default_rng(1))
    here = (joint["y"] == label) & (joint["b"] == 0)
    wanted = np.bincount(joint["a"][here], minlength=3) / here.sum()
    given = model.sample(20_000, rng=np.random.default_rng(2), where={"y": label, "b": 0})
    assert np.bincount(given["a"], minlength=3) / 20_000 == pytest.approx(wanted, abs=0.02)
    alone = model.sample(20_000, rng=np.random.default_rng(3), where={"b": 0})
    assert (alone["y"] == label).mean() == pytest.approx(
        (joint["y"][joint["b"] == 0] == label).mean(), abs=0.01
    )


def test_without_a_label_it_is_the_mixture():
    rows = _model(label=None, teacher=None).sample(4000, rng=np.random.default_rng(0))
    assert set(rows) == {"a", "b"}
    assert (rows["a"] == 0).mean() == pytest.approx(0.25, abs=0.001)


@pytest.mark.parametrize("make", [_model, _with_an_own_class])
def test_state_round_trips(make):
    description, arrays = make().state()
    again = TaughtMixture.from_state(description, arrays)
    first = make().sample(100, rng=np.random.default_rng(4))
    second = again.sample(100, rng=np.random.default_rng(4))
    assert all((first[name] == second[name]).all() for name in first)


def test_a_stored_model_gives_frequent_values_far_from_zero_back():
    leaves = leaves_of(Column(name="t", kind="integer", lower=1_612_345_678, upper=1_700_000_000))
    stretch = leaves.intervals // 2  # a stretch of many seconds, known to be one value
    cells = LeafCells(
        leaves=leaves,
        cell_of=np.zeros(leaves.cells, dtype=np.int64),
        weights=np.eye(leaves.cells)[stretch],
        exact=np.arange(leaves.cells) == stretch,
    )
    model = TaughtMixture(
        names=("t",), cells={"t": cells}, weights=np.ones(1), tables={"t": np.ones((1, cells.cells))}
    )
    drawn = model.sample(3, rng=np.random.default_rng(0))["t"]
    again = TaughtMixture.from_state(*model.state()).sample(3, rng=np.random.default_rng(0))["t"]
    assert (again == drawn).all()


@pytest.mark.parametrize("n", [0, 1])
def test_few_rows_work(n):
    assert len(_model().sample(n, rng=np.random.default_rng(0))["y"]) == n
    assert len(_model().sample(n, rng=np.random.default_rng(0), where={"y": 0})["y"]) == n
