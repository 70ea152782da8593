"""Dates are recognised as they are written in different countries, and come back in that form."""

from __future__ import annotations

import pyarrow as pa
import pytest

from triplea.schema import Column, load_schema
from triplea.tables.check import check_table
from triplea.tables.draft import draft_schema
from triplea.tables.draft_times import YEARS, from_time_texts


def entry_of(*texts: str) -> dict[str, object] | None:
    entry = from_time_texts(pa.chunked_array([pa.array(texts)]))
    if entry is not None:
        Column(**{"name": "seen", **entry})
    return entry


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("31.12.1958", "1.2.1960"), {"kind": "date", "format": "%d.%m.%Y", "lower": "1958-01-01"}),
        (("03/14/2001", "01/02/2003"), {"kind": "date", "format": "%m/%d/%Y", "upper": "2003-12-31"}),
        (("14/03/2001", "01/02/2003"), {"kind": "date", "format": "%d/%m/%Y"}),
        (("2001/03/14",), {"kind": "date", "format": "%Y/%m/%d"}),
        (("20010314", "19991231"), {"kind": "date", "format": "%Y%m%d", "lower": "1999-01-01"}),
        (("31.12.2019 23:59",), {"kind": "datetime", "format": "%d.%m.%Y %H:%M", "time_unit": "s"}),
        (("12/31/2019 23:59:01",), {"kind": "datetime", "format": "%m/%d/%Y %H:%M:%S"}),
        (("2020-05-04",), {"kind": "date", "format": None}),
        (("2020-05-04T10:00Z",), {"kind": "datetime", "format": None, "tz": "UTC"}),
    ],
)
def test_the_form_of_a_date_is_found(texts: tuple[str, ...], expected: dict[str, object]) -> None:
    entry = entry_of(*texts) or {}
    assert {key: entry.get(key) for key in expected} == expected
    assert entry["note"] == YEARS


def test_dates_that_can_be_read_both_ways_ask_the_owner() -> None:
    entry = entry_of("01/02/2003", "03/04/2005") or {}
    assert entry["format"] == "%d/%m/%Y"
    assert "the day first and with the month first: check the format" in str(entry["note"])


@pytest.mark.parametrize(
    "texts",
    [
        ("31.12.2019", "soon"),
        ("31.02.2019",),
        ("12345678", "20200101"),
        ("99990101",),
        ("13/13/2020",),
        ("1.2.3",),
        ("10:30",),
    ],
)
def test_what_is_not_always_a_date_is_none(texts: tuple[str, ...]) -> None:
    assert entry_of(*texts) is None


def test_rows_with_such_dates_fit_their_draft_and_come_back_as_they_were_written() -> None:
    texts = [f"{day:02d}.{month:02d}.1969" for day in range(1, 29) for month in range(1, 13)]
    table = pa.table({"born": texts})
    schema = load_schema(draft_schema(table))
    assert check_table(table, schema) == []
    assert schema.decode(schema.encode(table), types=table.schema).column("born").to_pylist() == texts
