from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.errors import TableError
from triplea.tables.parquet_source import ParquetSource


def read(source: ParquetSource, *columns: str) -> pa.Table:
    return pa.Table.from_batches(source.batches(columns or source.layout.names, 3))


def test_one_file_gives_its_columns_and_keeps_text_as_a_dictionary(tmp_path: Path) -> None:
    table = pa.table({"a": list(range(10)), "b": ["x", "y"] * 5, "dotted.name": [1.5] * 10})
    pq.write_table(table, tmp_path / "t.parquet")
    source = ParquetSource(tmp_path / "t.parquet")
    found = read(source, "dotted.name", "b")
    assert pa.types.is_dictionary(found.schema.field("b").type)
    assert found.to_pylist() == table.select(["dotted.name", "b"]).to_pylist()
    assert source.layout.field("b").type == pa.string()
    assert sum(batch.num_rows for batch in source.batches([], 4)) == 10


def test_a_folder_is_one_table_and_hidden_files_are_not_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    pq.write_table(pa.table({"a": pa.array([1, 2], pa.int32())}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [None, 4.0]}), tmp_path / "sub" / "2.parquet")
    pq.write_table(pa.table({"a": [9]}), tmp_path / "_tmp.parquet")
    source = ParquetSource(tmp_path)
    assert source.layout.field("a").type == pa.float64()
    assert read(source).column("a").to_pylist() == [1.0, 2.0, None, 4.0]


def test_one_missing_value_in_a_file_rounds_no_number_in_another(tmp_path: Path) -> None:
    """pandas writes whole numbers beside a missing value as floats; ids of 18 digits would become one."""
    ids = [2**59 + 1, 2**59 + 2]
    for name, more in (("1", []), ("2", [None, 5]), ("3", [2**59])):
        pd.DataFrame({"id": more if name == "2" else [*ids, *more]}).to_parquet(tmp_path / f"{name}.parquet")
    source = ParquetSource(tmp_path)
    assert source.declared.field("id").type == pa.null()
    found = read(source).column("id").to_pylist()
    assert found == [*map(str, ids), None, "5", *map(str, ids), str(2**59)]


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (pa.table({"b": [1]}), "2.parquet: its columns are not those of"),
        (pa.table({"a": ["x"]}), "2.parquet: a column's type does not go with"),
    ],
)
def test_parts_that_do_not_go_together_are_named(tmp_path: Path, second: pa.Table, words: str) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "1.parquet")
    pq.write_table(second, tmp_path / "2.parquet")
    with pytest.raises(TableError, match=words):
        ParquetSource(tmp_path)


def test_an_empty_folder_and_repeated_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no file in this folder ends in .parquet"):
        ParquetSource(tmp_path)
    pq.write_table(
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "t.parquet"
    )
    with pytest.raises(TableError, match="columns 1 and 2 have the same name"):
        ParquetSource(tmp_path / "t.parquet")


@given(st.integers(4, 400), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_is_a_table_error_or_still_a_table(
    tmp_path_factory: pytest.TempPathFactory, place: int, junk: bytes
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "t.parquet"
    pq.write_table(pa.table({"a": ["secret", "words"] * 10, "b": range(20)}), path)
    raw = bytearray(path.read_bytes())
    raw[place : place + len(junk)] = junk
    path.write_bytes(raw)
    try:
        read(ParquetSource(path))
    except TableError as error:
        assert "secret" not in str(error)
