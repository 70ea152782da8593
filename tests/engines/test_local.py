from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.binning import each_value
from triplea.engines import LocalEngine
from triplea.queries import Counts, Marginals
from triplea.schema import Column, Encoded, Kind, Schema, Unit
from triplea.tables import open_table, write_table

WARD = Column(name="ward", kind=Kind.CATEGORICAL, categories=("a", "b", "c"))
AGE = Column(name="age", kind=Kind.INTEGER, lower=0, upper=9)
ID = Column(name="id", kind=Kind.IDENTIFIER)
SCHEMA = Schema(columns=(WARD, AGE))
QUERY = Marginals(
    groups=[("ward",), ("ward", "age")], binnings={c.name: each_value(c) for c in SCHEMA.columns}
)
ROWS = pa.table(
    {
        "id": [i // 4 for i in range(1000)],
        "ward": [("a", "b", "c")[i % 3] for i in range(1000)],
        "age": [i % 10 for i in range(1000)],
    }
)


def expected() -> np.ndarray:
    return QUERY.partial_sums(SCHEMA.encode(ROWS))


def test_every_container_gives_the_same_sum(tmp_path: Path) -> None:
    for ending in (".csv", ".csv.gz", ".parquet"):
        write_table(ROWS, tmp_path / f"t{ending}")
    sources = [tmp_path / f"t{ending}" for ending in (".csv", ".csv.gz", ".parquet")]
    for source in (*sources, ROWS, ROWS.to_pandas(), pl.from_arrow(ROWS)):
        table = open_table(source, schema=SCHEMA)
        assert np.array_equal(LocalEngine(batch_rows=64).total(table, SCHEMA, QUERY), expected())


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("batch_rows", [1, 7, 10_000])
def test_threads_and_batch_size_do_not_change_the_sum(threads: int, batch_rows: int) -> None:
    table = open_table(ROWS, schema=SCHEMA)
    engine = LocalEngine(threads=threads, batch_rows=batch_rows)
    assert np.array_equal(engine.total(table, SCHEMA, QUERY), expected())


def test_the_sum_of_many_batches_does_not_wrap_around() -> None:
    class Large(Marginals):
        def partial_sums(self, rows: Encoded) -> np.ndarray:  # type: ignore[misc]
            return 2**30 * super().partial_sums(rows)

    large = Large(groups=QUERY.groups, binnings=QUERY.binnings)
    total = LocalEngine(batch_rows=100).total(open_table(ROWS, schema=SCHEMA), SCHEMA, large)
    assert np.array_equal(total, 2**30 * expected())


def test_a_table_without_rows_sums_to_zero() -> None:
    table = open_table(ROWS.slice(0, 0), schema=SCHEMA)
    assert LocalEngine().total(table, SCHEMA, QUERY).tolist() == [0] * QUERY.shape[0]
    assert LocalEngine().key_counts(table, WARD) == {}
    assert {name: len(codes) for name, codes in LocalEngine().whole(table, SCHEMA).items()} == {
        "ward": 0,
        "age": 0,
    }


class RowCount(Counts):
    def __init__(self, **options: object) -> None:
        super().__init__(columns=("age",), sizes=[1])
        self.seen: list[set[str]] = []
        self.lock = threading.Lock()

    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        with self.lock:
            self.seen.append(set(rows))
        yield np.zeros(len(rows["age"]), dtype=np.int64)


def test_only_the_columns_of_the_query_are_read_and_encoded(tmp_path: Path) -> None:
    pq.write_table(ROWS, tmp_path / "t.parquet")
    query = RowCount()
    assert LocalEngine(batch_rows=300).total(
        open_table(tmp_path / "t.parquet", schema=SCHEMA), SCHEMA, query
    ) == [1000]
    assert all(seen == {"age"} for seen in query.seen)


def test_the_row_limit_of_the_unit_holds_for_sums_keys_and_whole_tables() -> None:
    schema = Schema(columns=(WARD, AGE, ID), unit=Unit(column="id", max_rows=3))
    table, engine = open_table(ROWS, schema=schema), LocalEngine(batch_rows=64)
    assert engine.total(table, schema, RowCount()).tolist() == [750]
    assert sum(engine.key_counts(table, WARD).values()) == 750
    assert len(engine.whole(table, schema)["age"]) == 750


def test_the_whole_table_keeps_its_order() -> None:
    found = LocalEngine(batch_rows=64).whole(open_table(ROWS, schema=SCHEMA), SCHEMA)
    assert found["age"].tolist() == ROWS.column("age").to_pylist()


def test_progress_counts_batches_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    steps: list[int] = []
    with caplog.at_level(logging.DEBUG):
        engine = LocalEngine(batch_rows=100, progress=steps.append)
        engine.total(open_table(ROWS, schema=SCHEMA), SCHEMA, QUERY)
    assert steps == list(range(1, 11))
    assert not caplog.records


CELLS = st.one_of(
    st.none(),
    st.text(max_size=4),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.binary(max_size=3),
    st.dates(),
)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=20))
def test_rows_of_any_objects_are_summed_without_an_error(rows: list[tuple[object, object]]) -> None:
    frame = pd.DataFrame(rows, columns=["ward", "age"], dtype=object)
    total = LocalEngine(threads=1).total(open_table(frame, schema=SCHEMA), SCHEMA, QUERY)
    assert total[:3].sum() == total[3:].sum() == len(rows)


@given(st.binary(max_size=200))
def test_a_csv_file_of_any_bytes_is_summed_without_an_error(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "t.csv"
    path.write_bytes(b"ward,age\n" + raw)
    total = LocalEngine(threads=1).total(open_table(path, schema=SCHEMA), SCHEMA, QUERY)
    assert total[:3].sum() == total[3:].sum()


def test_a_column_of_five_thousand_unicode_categories_is_counted(tmp_path: Path) -> None:
    words = [f"größe {i} 数" for i in range(5000)]
    column = Column(name="größe", kind=Kind.CATEGORICAL, categories=tuple(words))
    schema = Schema(columns=(column,))
    query = Marginals(groups=[("größe",)], binnings={"größe": each_value(column)})
    for ending in (".csv", ".parquet"):
        write_table(pa.table({"größe": words * 3}), tmp_path / f"t{ending}")
        total = LocalEngine().total(open_table(tmp_path / f"t{ending}", schema=schema), schema, query)
        assert total.tolist() == [3] * 5000


class Faulty(RowCount):
    def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
        raise RuntimeError("a fault of the query")


def test_a_fault_in_a_thread_is_not_swallowed() -> None:
    with pytest.raises(RuntimeError, match="a fault of the query"):
        LocalEngine(batch_rows=10).total(open_table(ROWS, schema=SCHEMA), SCHEMA, Faulty())


def test_at_most_one_batch_more_than_threads_is_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, summed, most = 0, 0, 0
    engine = LocalEngine(threads=2, batch_rows=10)

    class Watching(RowCount):
        def cells(self, rows: Encoded) -> Iterator[np.ndarray]:
            nonlocal summed, most
            with self.lock:
                most = max(most, read - summed)
                summed += 1
            yield np.zeros(len(rows["age"]), dtype=np.int64)

    table = open_table(pd.DataFrame({"age": range(1000)}), schema=Schema(columns=(AGE,)))
    batches = type(table)._arrow_batches

    def counted(self: object, *arguments: object) -> Iterator[pa.RecordBatch]:
        nonlocal read
        for batch in batches(self, *arguments):  # type: ignore[arg-type]
            read += 1
            yield batch

    monkeypatch.setattr(type(table), "_arrow_batches", counted)
    assert engine.total(table, Schema(columns=(AGE,)), Watching()).tolist() == [1000]
    assert most <= engine.threads + 1
