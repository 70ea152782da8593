from __future__ import annotations

import codecs
import csv
import gzip
import io
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplea.errors import TableError
from triplea.tables import csv_source
from triplea.tables.csv_header import Header
from triplea.tables.csv_source import CsvSource, RecordTooLong, Utf8Stream, read_rows
from triplea.tables.plain import MARKED, mark


def write(folder: Path, raw: bytes, name: str = "t.csv") -> CsvSource:
    (folder / name).write_bytes(raw)
    return CsvSource(folder / name)


def rows(source: CsvSource, *columns: str, batch_rows: int = 1000) -> list[dict[str, str | None]]:
    wanted = columns or tuple(source.layout.names)
    return [row for batch in source.batches(wanted, batch_rows) for row in batch.to_pylist()]


def test_every_column_is_text_and_an_empty_field_is_null(tmp_path: Path) -> None:
    source = write(tmp_path, b'a,b\n1,x\n,""\nNA,2020-01-01\n')
    assert source.layout == pa.schema([("a", pa.string()), ("b", pa.string())])
    assert rows(source) == [{"a": "1", "b": "x"}, {"a": None, "b": None}, {"a": "NA", "b": "2020-01-01"}]


def test_columns_come_in_the_asked_order_and_batches_in_the_asked_size(tmp_path: Path) -> None:
    source = write(tmp_path, b"a,b\n" + b"1,2\n" * 10)
    batches = list(source.batches(["b", "a"], 4))
    assert [batch.num_rows for batch in batches] == [4, 4, 2]
    assert batches[0].schema.names == ["b", "a"]
    assert sum(batch.num_rows for batch in source.batches([], 4)) == 10


def test_rows_with_another_number_of_fields_are_dropped_and_counted_for_the_owner(tmp_path: Path) -> None:
    source = write(tmp_path, b"a,b\n1,2\n3\n4,5,6\n\xff,\xfe,\xfd\n7,8\n")
    assert [row["a"] for row in rows(source)] == ["1", "7"]
    ragged: Counter[str] = Counter()
    list(source.batches_counting(["a"], 10, ragged=ragged))
    assert ragged == {"ragged": 3}


def test_bytes_that_are_not_utf8_are_replaced(tmp_path: Path) -> None:
    assert rows(write(tmp_path, b"a,b\nM\xfcller,\xe2\x82\xac\n")) == [{"a": "M\ufffd\ue4fcller", "b": "€"}]


def test_a_quoted_value_may_hold_newlines_quotes_and_delimiters(tmp_path: Path) -> None:
    assert rows(write(tmp_path, b'a,b\n"x\r\ny","1,""2"""\n')) == [{"a": "x\r\ny", "b": '1,"2"'}]


def test_a_byte_order_mark_belongs_to_no_name(tmp_path: Path) -> None:
    assert rows(write(tmp_path, b"\xef\xbb\xbfa;b\n1;2\n")) == [{"a": "1", "b": "2"}]


def test_a_gzipped_file_reads_like_a_plain_one_also_without_its_ending(tmp_path: Path) -> None:
    assert rows(write(tmp_path, gzip.compress(b"a\n1\n") + gzip.compress(b"2\n"), "t.csv.gz")) == [
        {"a": "1"},
        {"a": "2"},
    ]
    assert rows(write(tmp_path, gzip.compress(b"a\n1\n"), "t.csv")) == [{"a": "1"}]


def test_a_cut_off_gzip_file_is_an_error_that_quotes_no_row(tmp_path: Path) -> None:
    raw = gzip.compress(b"a\n" + bytes(range(48, 100)) * 1000)
    with pytest.raises(TableError, match="damaged or cut off") as caught:
        rows(write(tmp_path, raw[:-30], "t.csv.gz"))
    assert caught.value.__cause__ is None


def test_a_file_with_a_header_and_no_rows_is_a_table_without_rows(tmp_path: Path) -> None:
    assert rows(write(tmp_path, b"a,b\n")) == []
    assert rows(write(tmp_path, b"a,b\n\n\n")) == []


def test_a_value_longer_than_a_block_is_read_with_a_larger_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_source, "_BLOCK_BYTES", (64, 4096))
    source = write(tmp_path, b"a,b\n" + b"1,2\n" * 50 + b'"' + b"x" * 1000 + b'",r\n3\n' + b"5,6\n" * 3)
    found = rows(source)
    assert len(found) == 54
    assert found[50] == {"a": "x" * 1000, "b": "r"}


def test_a_quote_that_is_never_closed_ends_the_table_silently_and_the_owner_can_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_source, "_BLOCK_BYTES", (64, 128))
    source = write(tmp_path, b"a,b\n" + b"1,2\n" * 50 + b'"x\n' + b"5,6\n" * 300)
    ragged: Counter[str] = Counter()
    kept = [row for batch in source.batches_counting(["a"], 10, ragged=ragged) for row in batch.to_pylist()]
    assert kept == [{"a": "1"}] * 50 == [{"a": row["a"]} for row in rows(source)]
    assert ragged["cut off"] == 1


@given(st.binary(max_size=300), st.sampled_from([b"a,b\n", b"a;b\r\n", b"a\n", b""]))
def test_any_bytes_give_a_table_or_a_table_error(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, head: bytes
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "t.csv"
    path.write_bytes(head + raw)
    try:
        source = CsvSource(path)
    except TableError:
        return
    assert rows(source) == rows(source, batch_rows=3)


@given(
    st.lists(st.tuples(*[st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))] * 2))
)
def test_what_the_standard_library_writes_comes_back(
    tmp_path_factory: pytest.TempPathFactory, table: list[tuple[str, str]]
) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *table])
    source = write(tmp_path_factory.mktemp("round"), file.getvalue().encode())
    assert [(row["a"] or "", row["b"] or "") for row in rows(source)] == table


@given(st.binary(), st.integers(1, 7))
def test_the_utf8_stream_equals_replacing_in_one_go(raw: bytes, size: int) -> None:
    stream = Utf8Stream(io.BytesIO(raw))
    parts = list(iter(lambda: stream.read(size), b""))
    assert all(len(part) <= size for part in parts)
    assert b"".join(parts).decode() == raw.decode("utf-8", MARKED).replace("\0", mark(0))
    assert size == 1 or not any(a.endswith(b"\r") and b.startswith(b"\n") for a, b in pairwise(parts))


FIELDS = [
    b"1", b"", b"x y", b'"q,r"', b'"l\r\nm"', b'"l\nm"', b'"d""q"', b'a"b', b"caf\xe9", "caf\xe9".encode(),
    b"\0", codecs.BOM_UTF8, b'"' + b"w\r\n" * 9 + b'"', b"z" * 30,
]  # fmt: skip
RECORDS = st.builds(
    lambda fields, end: b",".join(fields) + end,
    st.lists(st.sampled_from(FIELDS), min_size=2, max_size=3),
    st.sampled_from([b"\n", b"\r\n", b"\r\n\r\n"]),
)


@settings(max_examples=300)
@given(st.lists(RECORDS, min_size=1, max_size=12), st.sampled_from([48, 64, 101]))
def test_what_is_read_of_a_row_does_not_depend_on_rows_before_it(records: list[bytes], block: int) -> None:
    """Neither by its place in a block, nor by standing first."""
    together = rows_in(b"".join(records), blocks=(block, 1 << 10, 1 << 20))
    assert together == [row for record in records for row in rows_in(record, blocks=(1 << 20,))]


def test_bytes_that_are_not_utf8_do_not_make_records_too_long() -> None:
    plain = b"%0100d,2\n" % 7
    odd = plain.replace(b"0", b"\xe9", 1)
    assert len(rows_in(plain * 10_500 + odd + plain * 500, blocks=(1 << 12,))) == 11_001


def rows_in(raw: bytes, *, blocks: Sequence[int]) -> list[dict[str, str | None]]:
    """The rows of two columns, read with the first of these sizes for which no record is too long."""
    header = Header(names=("a", "b"), delimiter=",", end=0)
    for size in blocks:
        try:
            batches = read_rows(io.BytesIO(raw), header, header.names, 7, block_bytes=size, ragged=Counter())
            return [row for batch in batches for row in batch.to_pylist()]
        except RecordTooLong:
            continue
    raise AssertionError("a record is too long for all sizes")
