from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.errors import TableError
from triplea.tables.csv_header import read_header


def header(raw: bytes) -> tuple[tuple[str, ...], str, int]:
    found = read_header(io.BytesIO(raw), name="t.csv")
    return found.names, found.delimiter, found.end


@pytest.mark.parametrize(
    ("raw", "names", "delimiter"),
    [
        (b"a,b\n1,2\n", ("a", "b"), ","),
        (b"a;b,c;d\n", ("a", "b,c", "d"), ";"),
        (b"a\tb\r\n1\t2\r\n", ("a", "b"), "\t"),
        (b"a|b", ("a", "b"), "|"),
        (b"one\n1\n", ("one",), ","),
        (b'\xef\xbb\xbf"a,b",c\n', ("a,b", "c"), ","),
        (b'"a\nb",c\r1,2', ("a\nb", "c"), ","),
        (b"\n\r\na,b\n", ("a", "b"), ","),
        ("größe,年齢\n".encode(), ("größe", "年齢"), ","),
        (b",b,\n", ("column 1", "b", "column 3"), ","),
    ],
)
def test_names_and_delimiter_are_read_from_the_header_alone(
    raw: bytes, names: tuple[str, ...], delimiter: str
) -> None:
    assert header(raw)[:2] == (names, delimiter)


def test_rows_begin_right_behind_the_header() -> None:
    raw = b'\xef\xbb\xbf"a\r\nb",c\r\n1,2\r\n'
    assert raw[header(raw)[2] :] == b"1,2\r\n"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "t.csv: the file is empty. It needs a header row"),
        (b"\xef\xbb\xbf\n\n", "the file is empty"),
        (b"1,2.5,-3e4\n", "the header is absent. Add column names"),
        (b"a,b,a\n", "columns 1 and 3 have the same name"),
        ("a,b\n".encode("utf-16"), "UTF-16. Save it as UTF-8"),
        (b'"a,b\n1,2\n', "no end of the header row"),
        (b"a" * 200_000 + b"\n", "too long"),
    ],
)
def test_a_bad_header_is_refused_with_the_file_and_the_cure(raw: bytes, words: str) -> None:
    with pytest.raises(TableError, match=words):
        header(raw)


def test_a_private_row_in_the_header_place_is_never_quoted() -> None:
    with pytest.raises(TableError) as caught:
        header(b"Jane Secret,42,Jane Secret\n")
    assert "Jane" not in str(caught.value)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_header_or_a_table_error(raw: bytes) -> None:
    try:
        names, _, end = header(raw)
    except TableError:
        return
    assert len(set(names)) == len(names) >= 1
    assert 0 < end <= len(raw)
