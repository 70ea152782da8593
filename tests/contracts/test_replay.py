"""Every method passes record and replay, on awkward tables and with awkward neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from tests.contracts.odd_rows import COLUMNS, ODD_ROWS, typed
from tests.contracts.support import QUICK, chosen, methods_and_cases, provable_methods, skip_if_refused
from tests.support.cases import CASES, Case
from triplea.anonymize.neighbours import Neighbours
from triplea.audit import Recording, neighbours_of
from triplea.releases.request import prepare

METHODS = provable_methods()


@pytest.mark.parametrize(("method", "case"), methods_and_cases())
def test_a_method_learns_about_rows_at_the_door_only(method: str, case: str) -> None:
    asked = CASES[case]
    skip_if_refused(method, asked)
    table, relation = asked.table(), Neighbours(asked.neighbours)
    rng = np.random.default_rng(21)
    count = 1 if method in QUICK else 2
    recording = Recording(prepare(**asked.options, **chosen(method)), table)
    for near in neighbours_of(table, asked.schema, relation=relation, rng=rng, count=count):
        report = recording.against(near.table)
        assert report.ok, f"{near.change}: {report}"
        assert report.steps, "a method that asks nothing cannot know anything"


@pytest.mark.parametrize("relation", list(Neighbours))
@pytest.mark.parametrize("method", METHODS)
def test_many_neighbours_of_one_table(method: str, relation: Neighbours) -> None:
    asked = CASES["all kinds"]
    table, rng = asked.table(), np.random.default_rng(22)
    recording = Recording(prepare(**{**asked.options, "neighbours": relation}, **chosen(method)), table)
    for near in neighbours_of(
        table, asked.schema, relation=relation, rng=rng, count=2 if method in QUICK else 12
    ):
        report = recording.against(near.table)
        assert report.ok, f"{near.change}: {report}"


@pytest.mark.parametrize("method", METHODS)
def test_a_row_unlike_all_others_changes_the_answers_and_nothing_else(method: str) -> None:
    """The target's third class, say, occurs in one table and not in the other."""
    case = Case(columns=COLUMNS, target="town", table=lambda: typed({}).slice(0, 30))
    skip_if_refused(method, case)
    recording = Recording(prepare(**case.options, **chosen(method)), case.table())
    names = ["a listed category that no other row has"] if method in QUICK else ODD_ROWS
    for name in names:
        report = recording.against(typed(ODD_ROWS[name]))
        assert report.ok, f"{name}: {report}"
