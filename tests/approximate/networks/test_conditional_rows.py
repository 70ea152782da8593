"""A generator that is told the class: shares of classes hold, and so does a class that is asked for."""

import numpy as np
import pytest

from tests.approximate.codes.test_row_code import BINNINGS
from triplea.approximate.model import Model
from triplea.approximate.networks.conditional_rows import ConditionalRows
from triplea.approximate.networks.dense import dense_layers

RNG = np.random.default_rng


def model(label="town"):
    cells = BINNINGS[label].cells
    told = 1 if cells == 2 else cells
    layers = dense_layers("net", (3 + told, 8, 10), rng=RNG(0))
    classes = np.arange(1.0, cells + 1) / np.arange(1.0, cells + 1).sum()
    return ConditionalRows(layers=layers, noise=3, binnings=BINNINGS, label=label, classes=classes)


@pytest.mark.parametrize("label", ["town", "sex"])
def test_classes_have_their_shares(label):
    made = model(label)
    found = np.bincount(made.sample(20_000, rng=RNG(1))[label], minlength=len(made.classes)) / 20_000
    assert found == pytest.approx(made.classes, abs=1e-4)


def test_conditions_hold_for_the_label_and_for_other_columns():
    rows = model().sample(300, rng=RNG(2), where={"town": 2, "sex": 1})
    assert set(rows["town"]) == {2} and set(rows["sex"]) == {1}


def test_the_label_steers_the_other_columns():
    made = model()
    one, two = (made.logits(made.inputs(500, {"town": town}, RNG(3))) for town in (0, 1))
    assert not np.allclose(one.mean(axis=0), two.mean(axis=0), atol=0.05)


@pytest.mark.parametrize("label", ["town", "sex"])
def test_shifts_move_the_logits_of_their_class_alone(label):
    made = model(label)
    inputs = [made.inputs(50, {label: value}, RNG(4)) for value in (0, 1)]
    before = [made.logits(each) for each in inputs]
    made.shifts = np.zeros((len(made.classes), 10), np.float32)
    made.shifts[1] = 1.0
    own = made.code.entries[label]
    others = [place for place in range(10) if not own.start <= place < own.stop]
    zero, one = (made.logits(each) - then for each, then in zip(inputs, before, strict=True))
    assert zero == pytest.approx(0.0)
    assert one[:, others] == pytest.approx(1.0, abs=1e-5)


def test_a_stored_model_draws_the_same_rows():
    made = model()
    made.shifts = RNG(6).normal(size=(4, 10)).astype(np.float32)
    again = Model.kinds["conditional-rows"].from_state(*made.state())
    one, two = (each.sample(100, rng=RNG(5)) for each in (made, again))
    assert all(np.array_equal(one[name], two[name]) for name in one)
