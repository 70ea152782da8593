"""What a command shows: JSON that every reader accepts, and quiet where nobody watches."""

from __future__ import annotations

import json
import math

import pytest

from triplea.cli.output import print_json, print_table, progress_bar


def test_json_has_no_bare_infinity_or_nan(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"epsilon": math.inf, "scores": [math.nan, 1.5], "pair": (1, -math.inf)})
    shown = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(name))
    assert shown == {"epsilon": "infinity", "scores": [None, 1.5], "pair": [1, "-infinity"]}


def test_a_table_shows_brackets_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(title="T", headers=("name", "rows"), rows=[("[bold]x[/]", 1234), (None, 5)])
    shown = capsys.readouterr().out
    assert "[bold]x[/]" in shown
    assert "1,234" in shown


@pytest.mark.parametrize("hidden", [True, False])
def test_progress_is_silent_when_stderr_is_not_a_terminal(
    hidden: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar(title="work", hidden=hidden) as stage:
        stage("half way")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("width", "framed"), [(60, True), (36, False)])
def test_a_narrow_terminal_costs_the_frame_and_never_a_number(
    width: int, framed: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(
        title="T", headers=("method", "words", "score"), rows=[("mosaic", "a few long words " * 2, "0.9127")]
    )
    shown = capsys.readouterr().out
    assert ("│" in shown) == framed
    assert "0.9127" in shown
    assert "mosaic" in shown
    assert shown.count("words") == 3


def test_a_table_may_be_empty(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(title="T", headers=("method", "score"), rows=[])
    assert "method" in capsys.readouterr().out
