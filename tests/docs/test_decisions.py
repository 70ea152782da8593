"""The decision records: each stands in the index, and each says where it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
RECORDS = sorted(path.name for path in FOLDER.glob("[0-9]*.md") if not path.name.startswith("0000"))


@pytest.mark.parametrize("name", RECORDS)
def test_every_decision_is_in_the_index(name: str) -> None:
    assert f"({name})" in (FOLDER / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RECORDS)
def test_every_decision_has_a_title_with_its_number_and_a_status(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text.startswith(f"# {name[:4]}. ")
    assert re.search(r"^Status: (proposed|accepted|replaced by \d{4})$", text, flags=re.MULTILINE)


def test_no_number_is_used_twice() -> None:
    numbers = [name[:4] for name in RECORDS]
    assert len(numbers) == len(set(numbers))
