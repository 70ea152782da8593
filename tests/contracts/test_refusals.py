"""What cannot be done is refused before a row is read, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import triplea
from tests.contracts.examples import NearestValue, binnings
from tests.contracts.support import provable_methods
from tests.support.cases import CASES
from tests.support.tables import MIXED, MIXED_TYPES, mixed_schema
from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.anonymize.budget_file import BudgetFile
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.errors import BudgetExceeded, MethodError, SchemaError, UserError
from triplea.queries import Marginals
from triplea.releases.folder import check_destination
from triplea.schema import Unit
from triplea.tables import open_table
from triplea.tables.source import Source

METHODS = provable_methods()


class RowWasRead(Exception):
    """A row was touched."""


class Untouchable(Source):
    """A table whose names and types are known and whose rows must not be read."""

    container, name, layout = "arrow", "untouchable", MIXED_TYPES
    path = None

    def batches(self, columns: Sequence[str], batch_rows: int = 1) -> Iterator[pa.RecordBatch]:
        raise RowWasRead


def door(*asks: Ask, epsilon: float = 1.0) -> Door:
    schema, budget = mixed_schema(), Budget(epsilon=epsilon, delta=1e-5)
    table = open_table(Untouchable(), schema=schema)
    return Door(table=table, schema=schema, budget=budget, charges=calibrate(Plan(asks=asks), budget))


def query() -> Marginals:
    schema = mixed_schema()
    return Marginals(groups=[("ward",)], binnings=binnings(schema))


GAUSSIAN = Ask(label="counts", mechanism=Mechanism.GAUSSIAN)
PICK = Ask(label="pick", mechanism=Mechanism.EXPONENTIAL)
FIND = Ask(label="find", mechanism=Mechanism.THRESHOLD)


def test_an_allowed_question_does_read_rows() -> None:
    """The control: without a refusal the table below is touched."""
    with pytest.raises(RowWasRead):
        door(GAUSSIAN).measure(query(), label="counts")


@pytest.mark.parametrize(
    ("asks", "question"),
    [
        ((GAUSSIAN,), lambda d: d.measure(query(), label="something else")),
        ((PICK,), lambda d: d.measure(query(), label="pick")),
        ((FIND,), lambda d: d.measure(query(), label="find")),
        ((GAUSSIAN,), lambda d: d.choose(NearestValue(mixed_schema()), label="counts")),
        ((GAUSSIAN,), lambda d: d.keys("ward", label="counts")),
        ((GAUSSIAN,), lambda d: d.quantiles("age", [0.5], label="nothing")),
        ((PICK,), lambda d: d.quantiles("age", [0.5], label="pick")),
        ((GAUSSIAN,), lambda d: d.as_claimed(lambda rows, rng: rows, label="counts", reasons=["x"])),
        ((GAUSSIAN,), lambda d: d.read_in_the_clear(label="counts", reasons=["x"])),
        ((), lambda d: d.read_in_the_clear(label="rows", reasons=["x"])),
    ],
)
def test_the_door_refuses_what_is_not_planned(asks: tuple[Ask, ...], question: Any) -> None:
    asked = door(*asks)
    with pytest.raises(UserError, match="Nothing was read"):
        question(asked)
    assert asked.ledger.entries == []


def test_the_door_refuses_a_second_asking() -> None:
    asked = door(GAUSSIAN)
    with pytest.raises(RowWasRead):
        asked.measure(query(), label="counts")
    with pytest.raises(BudgetExceeded, match="Nothing was read"):
        asked.measure(query(), label="counts")


def test_a_charge_is_in_the_ledger_before_the_rows_are_read() -> None:
    asked = door(GAUSSIAN)
    with pytest.raises(RowWasRead):
        asked.measure(query(), label="counts")
    assert [entry.charge.label for entry in asked.ledger.entries] == ["counts"]


def test_the_door_does_not_change_its_privacy_unit() -> None:
    asked = door(GAUSSIAN)
    other = mixed_schema()
    object.__setattr__(other, "unit", Unit(column="ward", max_rows=1))
    with pytest.raises(SchemaError, match="privacy unit"):
        asked.refine(other)


BAD_OPTIONS: list[dict[str, Any]] = [
    {"epsilon": 0}, {"epsilon": -1.0}, {"epsilon": float("nan")}, {"epsilon": float("inf")}, {"epsilon": "1"},
    {"delta": 1.0}, {"delta": -1e-9}, {"delta": float("nan")}, {"rows": 0}, {"rows": 1.5}, {"rows": True},
    {"neighbours": "nobody"}, {"method": "no such method"}, {"variant": "imagined"},
    {"params": {"no_such": 1}}, {"schema": {"columns": []}}, {"schema": {"columns": "x"}},
    {"schema": {**MIXED, "target": "nothing"}}, {"schema": "nowhere.yaml"},
    {"schema": {"columns": [{"name": "absent", "kind": "boolean"}]}},
    {"schema": {"columns": [{"name": "born", "kind": "boolean"}]}},
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD_OPTIONS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_bad_options_are_refused_before_reading(method: str, bad: dict[str, Any], tmp_path: Path) -> None:
    good = {"schema": MIXED, "epsilon": 1.0, "delta": 1e-5, "method": method}
    ledger = tmp_path / "budget.json"
    with pytest.raises(UserError):
        triplea.release(Untouchable(), **{**good, **bad}, ledger=ledger)
    assert not ledger.exists(), "a refused release costs nothing"


@pytest.mark.parametrize("method", METHODS)
def test_wrong_parameters_of_a_method_are_refused_before_reading(method: str) -> None:
    """Every parameter that has a range refuses a value far outside it."""
    from triplea.registry import find_method

    for name, default in find_method(method).defaults().items():
        if isinstance(default, int | float) and not isinstance(default, bool):
            with pytest.raises(MethodError):
                triplea.release(
                    Untouchable(), schema=MIXED, epsilon=1.0, delta=1e-5, method=method, params={name: -7}
                )


@pytest.mark.parametrize("method", METHODS)
def test_a_spent_limit_is_refused_before_reading(method: str, tmp_path: Path) -> None:
    ledger = BudgetFile(tmp_path / "budget.json")
    ledger.set_limit(Budget(epsilon=0.5, delta=1e-5))
    with pytest.raises(BudgetExceeded, match="Nothing was read"):
        triplea.release(
            Untouchable(), schema=MIXED, epsilon=1.0, delta=1e-5, method=method, ledger=ledger.path
        )
    assert ledger.releases == ()


@pytest.mark.parametrize("method", METHODS)
def test_a_budget_is_reserved_before_the_first_row_is_read(method: str, tmp_path: Path) -> None:
    ledger = BudgetFile(tmp_path / "budget.json")
    with pytest.raises(RowWasRead):
        triplea.release(
            Untouchable(), schema=MIXED, epsilon=1.0, delta=1e-5, method=method, ledger=ledger.path
        )
    assert [release.state for release in ledger.releases] == ["reserved"]
    assert ledger.total(1e-5) == pytest.approx(1.0, rel=5e-3)


def test_an_unproved_variant_needs_consent_before_reading() -> None:
    from tests.contracts.unproved import InTheClear

    options: dict[str, Any] = {"schema": MIXED, "epsilon": 1.0, "delta": 1e-5, "method": InTheClear()}
    with pytest.raises(MethodError, match="Nothing was read"):
        triplea.release(Untouchable(), **options)
    with pytest.raises(RowWasRead):
        triplea.release(Untouchable(), **options, accept_unproved=True)
    case = CASES["all kinds"]
    made = triplea.release(case.table(), **{**case.options, "method": InTheClear()}, accept_unproved=True)
    assert not made.certificate.proved
    assert made.certificate.sentence.startswith("NON-PRIVATE")
    assert made.certificate.to_json()["epsilon_proved"] is None


def test_a_taken_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="exists already"):
        check_destination(tmp_path)
    with pytest.raises(UserError, match="does not exist or is not writable"):
        check_destination(tmp_path / "no" / "where")


def test_a_damaged_budget_file_is_refused_before_reading(tmp_path: Path) -> None:
    ledger = tmp_path / "budget.json"
    ledger.write_text(json.dumps({"format": "something else"}))
    with pytest.raises(UserError):
        triplea.release(Untouchable(), schema=MIXED, epsilon=1.0, delta=1e-5, ledger=ledger)
    assert json.loads(ledger.read_text()) == {"format": "something else"}
