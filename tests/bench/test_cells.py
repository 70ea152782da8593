"""A cell's name depends on all that is run, and on nothing else."""

from __future__ import annotations

import dataclasses
import json

import pytest

from tests.bench.support import cell
from triplea.bench.cells import Cell, by_release

CHANGES = {
    "method": "privbayes",
    "dataset": "adult",
    "evaluator": "fidelity",
    "seed": 1,
    "variant": "published",
    "epsilon": 2.0,
    "delta": "1/n",
    "neighbours": "replace-one",
    "params": {"a": 1},
}


def test_every_field_is_tried() -> None:
    assert set(CHANGES) == {field.name for field in dataclasses.fields(Cell)}


@pytest.mark.parametrize("name", CHANGES)
def test_any_change_gives_another_name(name: str) -> None:
    assert cell(**{name: CHANGES[name]}).id != cell().id


def test_a_cell_survives_json_with_its_name() -> None:
    given = cell(params={"b": [1, 2], "a": 3})
    again = Cell.from_json(json.loads(json.dumps(given.to_json())))
    assert again == given
    assert again.id == given.id


def test_the_order_of_parameters_does_not_matter() -> None:
    assert cell(params={"a": 1, "b": 2}).id == cell(params={"b": 2, "a": 1}).id


def test_cells_that_differ_in_the_evaluator_share_a_release() -> None:
    groups = by_release([cell(), cell(seed=1), cell(evaluator="fidelity")])
    assert [len(group) for group in groups] == [2, 1]


def test_a_label_says_variant_and_epsilon() -> None:
    assert cell(variant="published").label == "naive-bayes (published) on diabetes, epsilon 1, seed 0"
    assert cell(method="real", epsilon=None).label == "real on diabetes, seed 0"
