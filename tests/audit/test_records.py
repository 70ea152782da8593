"""Audits on disk: a stopped run goes on, and the table has a row for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.test_verdicts import CLAIMED, PROVED, bound, report
from triplea.audit import records
from triplea.audit.attack import Settings
from triplea.errors import MethodError


def test_a_saved_audit_comes_back(tmp_path: Path) -> None:
    found = report(CLAIMED, bound(float("inf")))
    records.save(found, tmp_path)
    assert records.load_all(tmp_path) == [found]
    assert (tmp_path / "m-provable.html").exists() and (tmp_path / "m-provable.json").exists()


def test_the_last_record_counts_and_a_cut_line_is_left_out(tmp_path: Path) -> None:
    records.save(report(CLAIMED, bound(1.0)), tmp_path)
    records.save(report(CLAIMED, bound(2.0)), tmp_path)
    with (tmp_path / records.LINES).open("a") as lines:
        lines.write('{"format": "triplea-au')
    (kept,) = records.load_all(tmp_path)
    assert kept.measured == 2.0


def test_all_are_audited_once_and_refusals_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [("m", "provable"), ("refuses", "provable")]
    monkeypatch.setattr(records, "is_compiled", lambda name: name == "m")
    calls = []

    def audited(method: str, variant: str, settings: Settings):
        calls.append(method)
        if method == "refuses":
            raise MethodError("not today")
        return report(PROVED, bound(0.5, mu=0.1))

    monkeypatch.setattr(records, "everything", lambda: iter(entries))
    monkeypatch.setattr(records, "audit", audited)
    settings = Settings(workers=1)
    (found,) = records.audit_all(settings, tmp_path)
    assert found.verdict.startswith("consistent")
    records.audit_all(settings, tmp_path)
    assert calls == ["m", "refuses", "refuses"], "what is there is not run again"
    assert "| m | provable |" in (tmp_path / "audit.md").read_text()


def test_the_table_shows_claim_bound_and_verdict() -> None:
    text = records.markdown([report(PROVED, bound(0.839, mu=0.23))])
    assert "| 1 (proved) | >= 0.83 | 86 % | 200 | **consistent** |" in text


def test_every_method_and_variant_is_on_the_list() -> None:
    assert ("independent", "provable") in list(records.everything())
    assert ("mc-gen", "published") in list(records.everything())
