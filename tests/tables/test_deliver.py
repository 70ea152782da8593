from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from triplea.errors import TableError
from triplea.schema import Column, Kind, Schema
from triplea.tables import deliver, open_table, write_table, write_tables
from triplea.tables.owner_view import read_all

SCHEMA = Schema(columns=(Column(name="a", kind=Kind.INTEGER, lower=0, upper=9),))
MADE = pa.table({"a": [1, 2, 3]})


def test_what_goes_in_as_a_frame_comes_back_as_one_and_files_give_arrow(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    pq.write_table(MADE, tmp_path / "t.parquet")
    kinds = {tmp_path / "t.csv": pa.Table, tmp_path / "t.parquet": pa.Table}
    for path, kind in kinds.items():
        assert isinstance(deliver(MADE, open_table(path, schema=SCHEMA)), kind)
    assert isinstance(deliver(MADE, open_table(MADE, schema=SCHEMA)), pa.Table)
    assert isinstance(deliver(MADE, open_table(pd.DataFrame({"a": [1]}), schema=SCHEMA)), pd.DataFrame)
    assert isinstance(deliver(MADE, open_table(pl.DataFrame({"a": [1]}), schema=SCHEMA)), pl.DataFrame)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_a_written_table_reads_back(tmp_path: Path, ending: str) -> None:
    table = pa.table({'odd "name", €': [1, None], "text": ['x\n"y"', None], "n": [0.1, 1e300]})
    write_table(table, tmp_path / f"out{ending}")
    back = read_all(tmp_path / f"out{ending}")
    assert back.column_names == table.column_names
    assert [str(value) for value in back.column("text").to_pylist()] == ['x\n"y"', "None"]
    assert [float(value) for value in back.column("n").to_pylist()] == [0.1, 1e300]


def test_csv_can_hold_every_type_that_a_release_has(tmp_path: Path) -> None:
    table = pa.table(
        {
            "c": pa.array(["u", None]).dictionary_encode(),
            "d": [date(2020, 1, 2), None],
            "t": pa.array([datetime(2020, 1, 2, 3, 4, 5), None], pa.timestamp("us", tz="UTC")),
            "b": [True, None],
            "m": pa.array([1, None], pa.decimal128(5, 2)),
            "i": pa.array([3, None]).dictionary_encode(),
        }
    )
    write_table(table, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        first = list(csv.reader(file))[1]
    assert first == ["u", "2020-01-02", "2020-01-02 03:04:05.000000Z", "true", "1.00", "3"]


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        TableError, match=r"out.xlsx: the ending must be .parquet, .csv or .csv.gz, got '.xlsx'"
    ):
        write_table(MADE, tmp_path / "out.xlsx")


def test_a_disk_that_fills_up_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pa_csv, "write_csv", full)
    with pytest.raises(TableError, match="cannot be written: No space left on device"):
        write_table(pa.table({"a": [1]}), tmp_path / "rows.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_parts_are_written_one_after_the_other(tmp_path: Path, ending: str) -> None:
    held = []

    def parts() -> Iterator[pa.Table]:
        for start in (0, 3, 6):
            held.append(start)
            yield pa.table({"a": [start, start + 1, start + 2]})

    assert write_tables(parts(), tmp_path / f"one{ending}") == 9
    assert held == [0, 3, 6]
    back = read_all(tmp_path / f"one{ending}").column("a").to_pylist()
    assert [int(value) for value in back] == list(range(9))


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_parts_that_cannot_be_made_leave_no_half_file(tmp_path: Path, ending: str) -> None:
    def parts() -> Iterator[pa.Table]:
        yield MADE
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_tables(parts(), tmp_path / f"rows{ending}")
    assert list(tmp_path.iterdir()) == []
