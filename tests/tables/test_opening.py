from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from triplea.errors import TableError
from triplea.tables import SqlQuery, parse_source
from triplea.tables.opening import open_source


def test_words_become_a_path_or_a_query() -> None:
    assert parse_source("visits.csv") == Path("visits.csv")
    assert parse_source("sqlite:///x.db", query="SELECT 1") == SqlQuery(
        url="sqlite:///x.db", query="SELECT 1"
    )


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("sqlite:///x.db", None, "sqlite:///x.db: the query is empty"),
        ("s3://bucket/key", None, '"s3://" cannot be read'),
        ("https://user:hunter2@host/x", None, '"https://" cannot be read'),
        (
            "visits.csv",
            "SELECT 1",
            "visits.csv: a query needs a database URL, for example sqlite:///visits.csv",
        ),
    ],
)
def test_words_that_make_no_source_are_refused_with_the_cure(
    text: str, query: str | None, words: str
) -> None:
    with pytest.raises(TableError, match=words) as caught:
        parse_source(text, query=query)
    assert "hunter2" not in str(caught.value)


def test_each_kind_of_table_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t.parquet")
    (tmp_path / "unnamed").write_bytes((tmp_path / "t.parquet").read_bytes())
    sources = {
        "csv": [tmp_path / "t.csv", str(tmp_path / "t.csv")],
        "parquet": [tmp_path / "t.parquet", tmp_path / "unnamed"],
        "arrow": [pa.table({"a": [1]}), pa.record_batch({"a": [1]})],
        "pandas": [pd.DataFrame({"a": [1]})],
        "polars": [pl.DataFrame({"a": [1]})],
    }
    for container, several in sources.items():
        assert [open_source(source).container for source in several] == [container] * len(several)


@pytest.mark.parametrize("source", [None, 5, [1, 2], {"a": [1]}, pl.LazyFrame({"a": [1]})])
def test_what_is_no_table_is_refused_with_the_list_of_what_is(source: object) -> None:
    with pytest.raises(TableError, match=r"cannot be read from|collect"):
        open_source(source)


def test_a_missing_file_and_a_wrong_file_are_table_errors(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match="No such file"):
        open_source(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="not a Parquet file"):
        open_source(tmp_path / "t.parquet")
