"""Mistakes planted in our own source: the catalogue fits the source, and its quickest entries are noticed.

The whole catalogue takes minutes: `python bench/mutants/run.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.mutants.catalogue import Mutant, all_mutants
from bench.mutants.run import check_that_the_copy_is_tested, copy_of_source, judged, run_tests

MUTANTS = {mutant.name: mutant for mutant in all_mutants()}
QUICK = ["asked-again-for-free", "clip-removed", "one-row-too-many-of-a-unit", "limit-checked-too-late"]


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS.keys())
def test_the_text_to_replace_occurs_exactly_once_in_the_source(mutant: Mutant) -> None:
    assert mutant.occurrences == 1, f"{mutant.file} has changed: bring {mutant.name} up to date"
    assert mutant.before != mutant.after


def test_every_mutant_has_a_name_of_its_own_and_tests_that_exist(root: Path) -> None:
    assert len(MUTANTS) == len(all_mutants()) >= 20
    places = {test.partition("::")[0] for mutant in MUTANTS.values() for test in mutant.tests}
    assert all((root / place).is_file() for place in places)
    files = Counter(mutant.file.partition("/")[0] for mutant in MUTANTS.values())
    assert {"anonymize", "queries", "tables", "schema", "releases", "engines", "methods", "audit"} <= set(
        files
    )


def test_the_page_shows_every_mutant(root: Path) -> None:
    page = (root / "docs" / "results" / "mutants.md").read_text(encoding="utf-8")
    shown = {line.split("|")[1].strip(" `") for line in page.splitlines() if line.startswith("| `")}
    assert shown == set(MUTANTS)


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_mistake_is_noticed(name: str) -> None:
    verdict = judged(MUTANTS[name])
    assert verdict.state == "killed", verdict


def test_the_same_tests_pass_on_an_unchanged_copy(tmp_path: Path) -> None:
    """The control: it is the mistake that the tests notice, in the copy and not in the installed package."""
    source = copy_of_source(tmp_path)
    check_that_the_copy_is_tested(source)
    tests = sorted({test for name in QUICK for test in MUTANTS[name].tests})
    assert run_tests(source, tests, seconds=300) == ("survived", "")
