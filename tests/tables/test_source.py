from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from triplea.errors import TableError
from triplea.tables.frame_source import ArrowSource
from triplea.tables.opening import open_source
from triplea.tables.source import FileStamp, refuse_repeated, require_columns


def test_missing_columns_are_named_with_the_source_and_the_cure() -> None:
    source = ArrowSource(pa.table({"a": [1]}))
    with pytest.raises(
        TableError, match=r'Table: columns "b", "c" of the schema are not in the table. Rename or'
    ):
        require_columns(source, ["a", "b", "c"])


def test_a_column_of_a_nested_type_is_refused_by_name() -> None:
    source = ArrowSource(pa.table({"a": [[1]]}))
    with pytest.raises(TableError, match='column "a" has the type list'):
        require_columns(source, ["a"])


def test_repeated_names_are_told_by_position_since_they_may_be_values() -> None:
    with pytest.raises(TableError, match="columns 1 and 3 have the same name") as caught:
        refuse_repeated("t.csv", ["secret", "x", "secret"])
    assert "secret" not in str(caught.value)


def test_a_file_that_changes_between_two_questions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    stamp = FileStamp.of(path)
    stamp.check()
    os.utime(path, ns=(1, 1))
    with pytest.raises(TableError, match="was changed while it was in use"):
        stamp.check()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"nowhere.csv: No such file"):
        FileStamp.of(tmp_path / "nowhere.csv")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names of a POSIX system")
def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows.csv")
    with pytest.raises(TableError, match=r"rows\.csv: not a file.*save them to a file first"):
        open_source(tmp_path / "rows.csv")
