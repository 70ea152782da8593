"""Results are appended line by line, and survive a crash in the middle of one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.support import cell, record
from triplea.bench.records import (
    CLAIMED,
    FAILED,
    NON_PRIVATE,
    PROVED,
    append_records,
    expected_guarantee,
    read_records,
)
from triplea.errors import UserError


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "results.jsonl"
    given = [record(), record(seed=1, params={"a": [1]})]
    append_records(path, given[:1])
    append_records(path, given[1:])
    assert read_records(path) == given


def test_the_last_record_of_a_cell_counts(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    append_records(path, [replace(record(), status=FAILED), record(seed=1), record()])
    assert [found.status for found in read_records(path)] == ["ok", "ok"]


def test_a_line_that_was_cut_short_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    append_records(path, [record()])
    path.write_text(path.read_text() + path.read_text()[:40])
    append_records(path, [record(seed=1)])
    assert [found.cell.seed for found in read_records(path)] == [0, 1]


def test_a_file_that_is_not_there_is_answered_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="triplea bench run"):
        read_records(tmp_path / "none.jsonl")


@pytest.mark.parametrize("content", [b'{"format": "other"}\n[1]\n', b"PAR1\xff\xfe\x00"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match="no line of it is a record"):
        read_records(path)


def test_what_was_asked_for_tells_the_guarantee_of_a_failed_cell() -> None:
    assert expected_guarantee(cell()) == PROVED
    assert expected_guarantee(cell(variant="published")) == CLAIMED
    assert expected_guarantee(cell(method="real")) == NON_PRIVATE
