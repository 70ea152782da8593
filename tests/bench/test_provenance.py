"""Which code made a number."""

from __future__ import annotations

import pytest

from triplea import __version__
from triplea.bench import provenance


def test_versions_and_machine_are_named() -> None:
    assert provenance.all_versions()["triplea"] == __version__
    assert "cores" in provenance.machine()


def test_outside_of_git_there_is_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    provenance.commit.cache_clear()
    assert provenance.commit() is None
    provenance.commit.cache_clear()
