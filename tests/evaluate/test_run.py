from __future__ import annotations

import pytest

from tests.evaluate.toys import arrow_of
from triplea.errors import UserError
from triplea.evaluate import evaluate
from triplea.evaluate.rows import Rows
from triplea.results import Evaluation
from triplea.schema import Schema


@pytest.fixture(scope="module")
def found(train: Rows, held_out: Rows, synthetic: Rows, schema: Schema) -> tuple[Evaluation, list[float]]:
    shares: list[float] = []
    record = evaluate(
        arrow_of(synthetic),
        train=arrow_of(train),
        test=arrow_of(held_out),
        schema=schema,
        progress=lambda _, share: shares.append(share),
    )
    return record, shares


def test_one_call_gives_utility_fidelity_and_risk(found: tuple[Evaluation, list[float]]) -> None:
    record, shares = found
    assert record.rows == {"train": 400, "test": 300, "synthetic": 350}
    assert record.utility is not None
    assert record.utility.score("lightgbm") > 0.85
    assert record.risk is not None
    assert "do not publish" in record.caution
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_the_record_survives_json(found: tuple[Evaluation, list[float]]) -> None:
    record, _ = found
    assert Evaluation.from_dict(record.to_dict()).to_dict() == record.to_dict()


def test_without_a_target_there_is_no_utility(
    train: Rows, held_out: Rows, synthetic: Rows, schema: Schema
) -> None:
    import dataclasses

    record = evaluate(
        arrow_of(synthetic),
        train=arrow_of(train),
        test=arrow_of(held_out),
        schema=dataclasses.replace(schema, target=None),
    )
    assert record.utility is None
    assert record.target is None


def test_a_bad_suite_or_target_is_refused_before_rows_are_read(schema: Schema) -> None:
    with pytest.raises(UserError, match="suite must be one of quick, full, got 'huge'"):
        evaluate("x", train="y", test="z", schema=schema, suite="huge")
    with pytest.raises(UserError, match="target 'income' is not a column of the schema: it has age, dose"):
        evaluate("x", train="y", test="z", schema=schema, target="income")
