"""`triplea audit`: a verdict, a page, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import triplea


def test_an_honest_method_ends_with_zero_and_writes_its_page(tmp_path: Path) -> None:
    done = triplea("audit", "independent", "--runs", 24, "--workers", 1, "--seed", 1, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert "independent (provable): consistent with epsilon = 1" in done.stdout
    assert (tmp_path / "independent-provable.html").exists()


def test_a_violated_claim_ends_with_one(tmp_path: Path) -> None:
    done = triplea(
        "audit", "ron-gauss", "--variant", "published", "--runs", 40, "--workers", 1, "--seed", 1, "--json",
        "--out", tmp_path,
    )  # fmt: skip
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)
    assert found["status"] == "violated" and found["measured"] > 1.0


def test_mistakes_end_with_two_and_say_what_to_do(tmp_path: Path) -> None:
    for words, arguments in (
        ("there is no method", ("audit", "nothing", "--out", tmp_path)),
        ("has no variant", ("audit", "independent", "--variant", "x", "--out", tmp_path)),
        ("there is no pair", ("audit", "independent", "--pair", "x", "--out", tmp_path)),
        ("leave them out with METHOD all", ("audit", "all", "--pair", "x", "--out", tmp_path)),
    ):
        done = triplea(*arguments)
        assert done.exit_code == 2, done.output
        assert words in done.output
