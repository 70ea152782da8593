from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.evaluate.toys import arrow_of
from triplea.errors import UserError
from triplea.evaluate import evaluate
from triplea.evaluate.fitting import fit_classifier
from triplea.evaluate.marginals import mean_distance
from triplea.evaluate.models import LIGHTGBM, Settings
from triplea.evaluate.ranking_scores import roc_auc
from triplea.evaluate.rows import Rows
from triplea.evaluate.sources import read_tables
from triplea.evaluate.task import make_task
from triplea.results import Evaluation
from triplea.schema import Schema, load_schema


@pytest.fixture(scope="module")
def found(train: Rows, held_out: Rows, synthetic: Rows, schema: Schema) -> tuple[Evaluation, list[float]]:
    shares: list[float] = []
    record = evaluate(
        arrow_of(synthetic),
        train=arrow_of(train),
        test=arrow_of(held_out),
        schema=dataclasses.replace(schema, targets=("ill", _other(schema))),
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


def test_every_target_has_its_own_utility(found: tuple[Evaluation, list[float]], schema: Schema) -> None:
    record, _ = found
    assert record.utility is not None
    assert record.utility.target == record.target == "ill"
    assert [utility.target for utility in record.further] == [_other(schema)]


def _other(schema: Schema) -> str:
    return next(c.name for c in schema.columns if c.is_discrete and c.name != schema.target)


def test_the_record_survives_json(found: tuple[Evaluation, list[float]]) -> None:
    record, _ = found
    assert Evaluation.from_dict(record.to_dict()).to_dict() == record.to_dict()


def test_without_a_target_there_is_no_utility(
    train: Rows, held_out: Rows, synthetic: Rows, schema: Schema
) -> None:
    record = evaluate(
        arrow_of(synthetic),
        train=arrow_of(train),
        test=arrow_of(held_out),
        schema=dataclasses.replace(schema, target=None),
    )
    assert record.utility is None
    assert record.target is None


def test_a_target_without_features_has_no_utility(train: Rows, held_out: Rows, schema: Schema) -> None:
    record = evaluate(
        arrow_of(train),
        train=arrow_of(train),
        test=arrow_of(held_out),
        schema=dataclasses.replace(schema, columns=(schema.column("ill"),)),
    )
    assert record.utility is None


@pytest.mark.parametrize("strange", ["constant column", "one class", "one row", "no target"])
def test_strange_synthetic_rows_give_a_defined_record(
    strange: str, train: Rows, held_out: Rows, synthetic: Rows, schema: Schema
) -> None:
    table = arrow_of(synthetic)
    size = len(synthetic)
    changed = {
        "constant column": table.set_column(0, "age", pa.array([3] * size)),
        "one class": table.set_column(3, "ill", pa.array(["no"] * size)),
        "one row": table.slice(0, 1),
        "no target": table.set_column(3, "ill", pa.nulls(size, pa.string())),
    }[strange]
    record = evaluate(changed, train=arrow_of(train), test=arrow_of(held_out), schema=schema, threads=1)
    assert record.utility is not None
    assert record.utility.score("lightgbm") == 0.5 or strange == "constant column"
    assert {note.code for note in record.notes} & {"constant-column", "one-class"}
    json.dumps(record.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_adult_has_its_known_real_auc_and_bootstrap_distance(data_folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.read_parquet(data_folder / "adult.parquet")
    real = table[table["split"] == "train"]
    drawn = real.sample(len(real), replace=True, random_state=0)
    tables = read_tables(
        real,
        table[table["split"] == "test"],
        drawn,
        schema=load_schema(data_folder / "schemas" / "adult.json"),
    )
    assert mean_distance(tables.train, tables.synthetic) == pytest.approx(0.012, abs=0.001)
    task = make_task(tables.train, tables.test, tables.train, "income")
    fitted = fit_classifier(LIGHTGBM, task.train.features, task.train.target, 2, settings=Settings())
    scores, _ = fitted.predict(task.test.features)
    found = roc_auc(task.test.target == 1, scores[:, 1], np.ones((1, len(task.test))))[0]
    assert found == pytest.approx(0.928, abs=0.001)


def test_a_bad_suite_or_target_is_refused_before_rows_are_read(schema: Schema) -> None:
    with pytest.raises(UserError, match="suite must be one of quick, full, got 'huge'"):
        evaluate("x", train="y", test="z", schema=schema, suite="huge")
    with pytest.raises(UserError, match="target 'income' is not a column of the schema: it has age, dose"):
        evaluate("x", train="y", test="z", schema=schema, target="income")


@pytest.mark.parametrize(
    "bad",
    [{"seed": -1}, {"seed": "a"}, {"threads": 0}, {"min_child_weight": -1.0}, {"min_child_weight": math.nan}],
)
def test_bad_settings_are_refused_before_rows_are_read(schema: Schema, bad: dict[str, Any]) -> None:
    (name,) = bad
    with pytest.raises(UserError, match=f"{name} must be"):
        evaluate("x", train="y", test="z", schema=schema, **bad)
