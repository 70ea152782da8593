"""Grids: the packaged ones load, and a mistake stops before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from triplea.bench import grid as grid_file
from triplea.bench.grid import grid_names, load_grid, load_heading, read_grid
from triplea.errors import UserError

PLAIN: dict[str, Any] = {
    "seeds": [0, 1],
    "blocks": [{"methods": ["real", "naive-bayes"], "datasets": ["diabetes"], "epsilons": [0.5, 1.0]}],
}


def test_a_grid_is_the_product_of_its_lists_and_real_rows_are_scored_once() -> None:
    cells = read_grid("g", PLAIN).cells
    assert len(cells) == 1 + 2 * 2
    assert [cell.epsilon for cell in cells if cell.method == "real"] == [None]
    assert {cell.delta for cell in cells if cell.method != "real"} == {"1/n"}


def test_a_block_overrules_the_grid() -> None:
    block = {**PLAIN["blocks"][0], "seeds": [7], "delta": 1e-6, "evaluators": "fidelity"}
    cells = read_grid("g", {**PLAIN, "delta": 0.1, "blocks": [block]}).cells
    assert {cell.seed for cell in cells} == {7}
    assert {cell.evaluator for cell in cells} == {"fidelity"}
    assert cells[-1].delta == 1e-6


def test_a_cell_that_two_blocks_name_is_run_once() -> None:
    assert len(read_grid("g", {**PLAIN, "blocks": PLAIN["blocks"] * 2}).cells) == 5


@pytest.mark.parametrize("name", grid_names())
def test_every_packaged_grid_loads(name: str) -> None:
    grid = load_grid(name)
    assert grid.cells
    assert grid.title != name
    assert grid.description


def test_the_grids_of_the_papers_are_there() -> None:
    wanted = {"3a-table-1", "dp-auto-gan", "dp-merf-tabular", "dp-merf-images", "mc-gen"}
    assert wanted | {"headline", "epsilon", "smoke"} <= set(grid_names())


def test_a_grid_file_must_be_text(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not UTF-8 text"):
        load_grid(tmp_path / "mine.yaml")


def test_a_heading_needs_no_method(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = load_grid("epsilon")
    monkeypatch.setattr(grid_file, "expand_entry", lambda *_: pytest.fail("a method was loaded"))
    heading = load_heading("epsilon")
    assert (heading.title, heading.description) == (whole.title, whole.description)


def test_what_cannot_be_run_is_said() -> None:
    assert any("credentialed" in text for text in load_grid("3a-table-1").skipped)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"seed": [1]}, "grid g: there is no key 'seed'. Did you mean 'seeds'"),
        ({"blocks": []}, "grid g: blocks is missing or empty"),
        ({"blocks": [{"methods": ["real"]}]}, "grid g, block 1: datasets is missing or empty"),
        ({"blocks": ["real"]}, "grid g, block 1: must be a mapping"),
        ({"blocks": [{**PLAIN["blocks"][0], "dataset": "x"}]}, "there is no key 'dataset'"),
        ({"blocks": [{**PLAIN["blocks"][0], "evaluators": ["auc"]}]}, "there is no evaluator 'auc'"),
        ({"blocks": [{**PLAIN["blocks"][0], "datasets": ["x"]}]}, "there is no data set 'x'"),
        ({"limit_seconds": 0}, "limit_seconds must be a positive number, got 0"),
        ({"neighbours": "near"}, "there is no neighbouring relation 'near'"),
    ],
)
def test_a_mistake_is_named_with_its_place(change: dict[str, Any], text: str) -> None:
    with pytest.raises(UserError, match=text):
        read_grid("g", {**PLAIN, **change})


def test_a_grid_can_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(PLAIN))
    assert load_grid(path).name == "mine"


@pytest.mark.parametrize("name", ["nonsense", "nonsense.yaml"])
def test_an_unknown_grid_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(UserError, match="smoke"):
        load_grid(name)


@pytest.mark.parametrize("text", ["[1, 2", "just words", ""])
def test_a_file_that_is_no_grid_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match="grid bad"):
        load_grid(path)
