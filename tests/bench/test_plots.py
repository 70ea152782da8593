"""The privacy-utility picture."""

from __future__ import annotations

import pytest

from tests.bench.test_curves import records
from triplea.bench import plots
from triplea.bench.summary import summarise
from triplea.errors import MissingExtra


def test_claimed_lines_are_dashed_and_the_picture_is_small_and_repeatable() -> None:
    pytest.importorskip("matplotlib")
    lines = summarise(records())
    svg = plots.draw(lines, title="T")
    assert svg == plots.draw(lines, title="T")
    assert len(svg) < 150_000
    assert "stroke-dasharray" in svg
    for text in ("naive-bayes, proved", "naive-bayes (published), claimed", "real, NON-PRIVATE"):
        assert text in svg


def test_without_matplotlib_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ImportError

    monkeypatch.setattr(plots.importlib, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"triplea\[report\]"):
        plots.draw(summarise(records()), title="T")
