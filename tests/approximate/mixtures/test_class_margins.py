"""Counts by label, and what is read off them: a class that is too rare for pairs has rows of its own."""

import numpy as np
import pytest

from triplea.approximate.codes.leaf_cells import LeafCells, leaves_of
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.class_margins import RARE, Margins, mixture_by_class, with_rare_classes
from triplea.approximate.mixtures.taught_mixture import TAUGHT, TaughtMixture
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "a", "kind": "boolean"},
            {"name": "y", "kind": "categorical", "categories": ["p", "q", "r"]},
        ],
    }
)
CELLS = {column.name: LeafCells.one_per_leaf(leaves_of(column)) for column in SCHEMA.columns}


def _margins(rare: float) -> Margins:
    """Rows without `a` are of classes p and q; the third class has `a` always."""
    return Margins.of({"a": np.array([[6000.0, 4000.0, 0.0], [0.0, 0.0, rare]])}, 1.0)


def _taught() -> TaughtMixture:
    teacher = AdditiveTeacher(weights=np.zeros((2, 3)), bias=np.zeros(3), offsets=np.array([0, 2]))
    return TaughtMixture(
        names=SCHEMA.names, cells=CELLS, weights=np.ones(1), tables={"a": np.array([[1.0, 0.0]])}, label="y",
        teacher=teacher,
    )  # fmt: skip


def test_stretches_of_a_number_are_never_rare():
    counts = {"a": np.array([[6000.0, 4000.0, 0.0], [0.0, 0.0, 50.0]])}
    assert len(Margins.of(counts, 1.0).rare) == 1
    numbers = Margins.of(counts, 1.0, stretches=True)
    assert not len(numbers.rare)
    assert numbers.averaged(numbers).stretches


def test_two_measurements_are_averaged_by_precision():
    first = Margins.of({"a": np.array([[10.0, 0.0], [0.0, 10.0]])}, 1.0)
    second = Margins.of({"a": np.array([[20.0, 0.0], [0.0, 20.0]])}, 3.0)
    both = first.averaged(second)
    assert both.noisy["a"][0, 0] == pytest.approx(11.0)
    assert both.stddev == pytest.approx(np.sqrt(0.9))


def test_without_pairs_a_class_has_its_own_rows():
    drawn = mixture_by_class(_margins(1000.0), CELLS, SCHEMA).sample(11_000, rng=np.random.default_rng(0))
    assert drawn["a"][drawn["y"] == 2].mean() > 0.99
    assert drawn["a"][drawn["y"] < 2].mean() < 0.01


def test_a_rare_class_has_rows_of_its_own_and_as_many_as_counted():
    made = with_rare_classes(_taught(), _margins(50.0))
    assert made.owners.tolist() == [TAUGHT, 2], "the mixture has one component, and so has the class"
    drawn = made.sample(10_050, rng=np.random.default_rng(0))
    assert (drawn["y"] == 2).sum() == pytest.approx(50, abs=2)
    assert drawn["a"][drawn["y"] == 2].mean() > 0.9
    assert drawn["a"][drawn["y"] < 2].max() == 0


@pytest.mark.parametrize("rare", [2 * RARE * 10_000, 0.0])
def test_the_teacher_keeps_classes_that_are_not_rare_and_tables_without_one(rare):
    margins = _margins(rare) if rare else Margins.of({"a": np.array([[60.0, 40.0], [0.0, 0.0]])}, 1.0)
    model = _taught()
    assert with_rare_classes(model, margins) is model


def test_many_small_classes_are_left_to_the_teacher():
    model = _taught()
    small = Margins.of({"a": np.full((2, 200), 100.0)}, 1.0)
    assert with_rare_classes(model, small) is model
