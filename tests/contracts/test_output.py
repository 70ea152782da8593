"""Whatever comes out lies in the schema: columns, types, bounds, categories, nulls. For every method."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import triplea
from tests.contracts.support import methods_and_cases, provable_methods, released, skip_if_refused
from tests.support.cases import CASES
from tests.support.domain import problems

METHODS = provable_methods()


@pytest.mark.parametrize(("method", "case"), methods_and_cases())
def test_rows_lie_in_the_schema(method: str, case: str) -> None:
    skip_if_refused(method, CASES[case])
    made = released(method, case)
    assert problems(made.rows, made.schema) == []
    assert made.rows.num_rows == made.certificate.rows >= 1
    assert made.schema.undiscovered == ()
    more = made.model.sample(64, seed=3)
    assert problems(more, made.schema) == []
    assert more.schema == made.rows.schema, "types do not depend on what was drawn"
    assert made.model.sample(0).schema == made.rows.schema


@pytest.mark.parametrize(("method", "case"), methods_and_cases())
def test_a_saved_release_verifies_and_samples_the_same(method: str, case: str, tmp_path: Path) -> None:
    skip_if_refused(method, CASES[case])
    made = released(method, case)
    made.save(tmp_path / "out", csv=True)
    checked = triplea.verify(tmp_path / "out")
    assert checked.ok, checked.problems
    loaded = triplea.load(tmp_path / "out")
    assert pa.concat_tables(loaded.tables()).equals(pa.concat_tables(made.tables()))


@pytest.mark.parametrize("method", METHODS)
def test_conditional_rows_hold_the_condition_and_lie_in_the_schema(method: str) -> None:
    made = released(method, "all kinds")
    condition = {"sick": True, "grade": "high", "age": 33, "score": 0.25, "born": "1999-05-05"}
    rows = made.model.sample(40, where=condition, seed=1)
    assert problems(rows, made.schema) == []
    assert set(rows["sick"].to_pylist()) == {True}
    assert set(rows["grade"].to_pylist()) == {"high"}
    assert set(rows["score"].to_pylist()) == {0.25}
    assert {str(day) for day in rows["born"].to_pylist()} == {"1999-05-05"}
