from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from triplea.errors import TableError
from triplea.schema import Column, Kind, Schema
from triplea.tables.check import check_table

SCHEMA = Schema(
    columns=(
        Column(name="age", kind=Kind.INTEGER, lower=0, upper=120),
        Column(name="dose", kind=Kind.NUMERIC, lower=0.0, upper=1.0, nullable=True),
        Column(name="ward", kind=Kind.CATEGORICAL, categories=("a", "b", "other"), unknown="other"),
        Column(name="day", kind=Kind.DATE, lower="2020-01-01", upper="2020-12-31", nullable=True),
    )
)


def found(rows: object, schema: Schema = SCHEMA) -> dict[tuple[str | None, str], int]:
    return {(finding.column, finding.problem): finding.rows for finding in check_table(rows, schema)}


def test_every_value_that_a_release_would_change_is_counted(tmp_path: Path) -> None:
    lines = ["age,dose,ward,day", "0,0,a,2020-01-01", "120,1,b,2020-12-31", "-1,1.0000001,a,2019-12-31"]
    lines += ["121,-3,c,2021-01-01", "x,,,soon", ",nan,other,", "1,2", "1,2,3,4,5"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert found(tmp_path / "t.csv") == {
        (None, "with another number of fields than the header"): 2,
        ("age", "that cannot be read as the declared kind"): 1,
        ("age", "without a value"): 1,
        ("age", "below the lower bound"): 1,
        ("age", "above the upper bound"): 1,
        ("dose", "that cannot be read as the declared kind"): 1,
        ("dose", "below the lower bound"): 1,
        ("dose", "above the upper bound"): 1,
        ("ward", "with a value that is not listed"): 1,
        ("ward", "without a value"): 1,
        ("day", "that cannot be read as the declared kind"): 1,
        ("day", "below the lower bound"): 1,
        ("day", "above the upper bound"): 1,
    }


def test_rows_that_fit_give_no_finding() -> None:
    rows = pa.table({"age": [5], "dose": [0.5], "ward": ["a"], "day": ["2020-02-02"]})
    assert check_table(rows, SCHEMA) == []


def test_columns_that_the_schema_does_not_name_are_named_to_the_owner() -> None:
    rows = pa.table({"n": [1, 2], "id": [1, 2], "ward": ["a", "b"]})
    number = Column(name="n", kind=Kind.INTEGER, lower=0, upper=9)
    assert [str(finding) for finding in check_table(rows, Schema(columns=(number,), id_columns=("id",)))] == [
        '2 rows with column "ward", which the schema does not name. '
        "A release leaves this out: add it to the schema to keep it."
    ]


def test_letters_of_another_encoding_are_found(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("town\nMünster\nKöln\nBonn\n".encode("latin-1"))
    towns = Column(name="town", kind=Kind.CATEGORICAL, categories=("Münster", "Köln", "Bonn"))
    assert found(tmp_path / "t.csv", Schema(columns=(towns,))) == {
        ("town", "with bytes that are not UTF-8"): 2,
        ("town", "with a value that is not listed"): 2,
    }


def test_a_finding_reads_as_a_sentence_with_the_cure() -> None:
    rows = pa.table({"age": [5, 500], "dose": [0.5, None], "ward": ["a", "z"], "day": ["2020-02-02", None]})
    assert [str(finding) for finding in check_table(rows, SCHEMA)] == [
        'column "age": 1 row above the upper bound. '
        "A release moves them to the bound; raise it if they are valid.",
        'column "ward": 1 row with a value that is not listed. '
        "A release takes 'other'; list the values if they are public.",
    ]


def test_columns_that_wait_for_discovery_are_left_out_and_missing_ones_are_errors() -> None:
    schema = Schema(columns=(Column(name="word", kind=Kind.CATEGORICAL, discover=True),))
    assert check_table(pa.table({"word": ["x"]}), schema) == []
    with pytest.raises(TableError, match='"word"'):
        check_table(pa.table({"Word": ["x"]}), schema)


def test_bounds_at_the_end_of_the_integers_do_not_raise() -> None:
    column = Column(name="n", kind=Kind.INTEGER, lower=0, upper=2**62)
    assert check_table(pa.table({"n": [2**63 - 1, 0]}), Schema(columns=(column,))) == []
