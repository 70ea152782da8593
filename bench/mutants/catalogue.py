"""Mistakes planted in our own source, one at a time; the tests named with each must fail on it.

Every mutant is a text that occurs exactly once in a source file and what to put in its place, so that the
list cannot rot in silence: `tests/audit/test_mutants.py` checks every text.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One planted mistake. `file` lies in src/triplea; `tests` are what pytest is given to find it."""

    name: str
    mistake: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    @property
    def occurrences(self) -> int:
        """How often the text to replace stands in the source: once, or the mutant is out of date."""
        return (ROOT / "src" / "triplea" / self.file).read_text(encoding="utf-8").count(self.before)

    def plant(self, source: Path) -> None:
        """Put the mistake into a copy of src."""
        place = source / "triplea" / self.file
        text = place.read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            raise ValueError(f"{self.name}: the text to replace does not occur exactly once in {self.file}")
        place.write_text(text.replace(self.before, self.after), encoding="utf-8")


def all_mutants() -> tuple[Mutant, ...]:
    """The whole catalogue, in the order of the page."""
    from bench.mutants import (
        at_the_door,
        in_the_price,
        in_the_reading,
        in_the_sums,
        in_the_training,
        in_the_votes,
    )

    parts = (at_the_door, in_the_sums, in_the_training, in_the_votes, in_the_price, in_the_reading)
    return tuple(mutant for part in parts for mutant in part.MUTANTS)
