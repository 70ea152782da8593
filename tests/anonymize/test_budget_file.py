import json
import multiprocessing
import os
from pathlib import Path

import pytest

from tests.anonymize.charge_examples import CLEAR, exponential, gaussian, laplace
from tests.anonymize.spender import spend_five_times
from triplea.anonymize import budget_file as module
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.budget import Budget
from triplea.anonymize.budget_file import BudgetFile
from triplea.anonymize.neighbours import Neighbours
from triplea.errors import BudgetError, BudgetExceeded

BUDGET = Budget(epsilon=1.0, delta=1e-6)
ADD = Neighbours.ADD_OR_REMOVE_ONE


@pytest.fixture
def file(tmp_path: Path) -> BudgetFile:
    return BudgetFile(tmp_path / "rows.csv.budget.json")


def test_a_table_without_a_file_has_spent_nothing(file: BudgetFile) -> None:
    assert file.total(1e-6) == 0
    assert file.releases == ()
    assert file.limit is None
    assert not file.path.exists()


def test_the_file_lies_beside_its_table(tmp_path: Path) -> None:
    assert BudgetFile.beside(tmp_path / "rows.csv").path == tmp_path.resolve() / "rows.csv.budget.json"


def test_a_reservation_counts_at_once_and_completing_it_changes_no_total(file: BudgetFile) -> None:
    reservation = file.reserve([gaussian(5.0)], BUDGET, "spring")
    assert file.total(1e-6) == epsilon_of([gaussian(5.0)], delta=1e-6, neighbours=ADD)
    assert [release.state for release in file.releases] == ["reserved"]
    before = file.total(1e-6)
    file.complete(reservation)
    assert [(release.name, release.state) for release in file.releases] == [("spring", "complete")]
    assert file.total(1e-6) == before


def test_releases_are_composed_and_not_added_up(file: BudgetFile) -> None:
    charges = [gaussian(5.0), exponential(0.1), laplace(0.05)]
    for name in ("spring", "summer", "autumn"):
        file.reserve(charges, BUDGET, name)
    total = file.total(1e-6)
    assert total == epsilon_of(charges * 3, delta=1e-6, neighbours=ADD)
    assert total < 3 * epsilon_of(charges, delta=1e-6, neighbours=ADD)


def test_a_release_beyond_the_limit_is_refused_with_both_numbers_and_not_written(
    file: BudgetFile,
) -> None:
    file.set_limit(Budget(epsilon=1.5, delta=1e-6))
    file.reserve([gaussian(5.0)], BUDGET, "spring")
    before = file.path.read_bytes()
    with pytest.raises(BudgetExceeded) as refusal:
        file.reserve([gaussian(3.0)], BUDGET, "summer")
    needed = epsilon_of([gaussian(5.0), gaussian(3.0)], delta=1e-6, neighbours=ADD)
    for part in (
        "'summer'",
        f"epsilon={needed:.6g}",
        "limit is epsilon=1.5",
        "Nothing was read",
        "Lower the release",
    ):
        assert part in str(refusal.value)
    assert file.path.read_bytes() == before


def test_a_release_that_just_fits_the_limit_is_taken(file: BudgetFile) -> None:
    exact = epsilon_of([gaussian(5.0, times=2)], delta=1e-6, neighbours=ADD)
    file.set_limit(Budget(epsilon=exact, delta=1e-6))
    file.reserve([gaussian(5.0)], BUDGET, "spring")
    file.reserve([gaussian(5.0)], BUDGET, "summer")
    with pytest.raises(BudgetExceeded):
        file.reserve([laplace(1e-3)], BUDGET, "autumn")


def test_reading_in_the_clear_passes_every_limit(file: BudgetFile) -> None:
    file.set_limit(Budget(epsilon=100.0, delta=1e-6))
    with pytest.raises(BudgetExceeded, match="epsilon=inf"):
        file.reserve([CLEAR], BUDGET, "raw")


def test_a_limit_below_what_is_spent_stops_all_further_releases(file: BudgetFile) -> None:
    file.reserve([gaussian(1.0)], BUDGET, "spring")
    file.set_limit(Budget(epsilon=0.1, delta=1e-6))
    with pytest.raises(BudgetExceeded, match="spent so far"):
        file.reserve([gaussian(1000.0)], BUDGET, "summer")


def test_one_file_never_mixes_two_relations(file: BudgetFile) -> None:
    replacing = Budget(epsilon=1.0, delta=1e-6, neighbours=Neighbours.REPLACE_ONE)
    file.reserve([gaussian(5.0)], BUDGET, "spring")
    before = file.path.read_bytes()
    with pytest.raises(BudgetError, match="counts neighbours=add-or-remove-one, got replace-one"):
        file.reserve([gaussian(5.0)], replacing, "summer")
    with pytest.raises(BudgetError, match="A total over both has no meaning"):
        file.set_limit(replacing)
    assert file.path.read_bytes() == before


def test_one_file_never_mixes_rows_with_people(file: BudgetFile) -> None:
    """A sum of epsilons per row and per person bounds neither a row's nor a person's risk."""
    file.reserve([gaussian(5.0)], BUDGET, "spring", unit="person")
    file.reserve([gaussian(5.0)], BUDGET, "summer", unit="person")
    before = file.path.read_bytes()
    with pytest.raises(BudgetError, match="all rows of one 'person', this one would protect single rows"):
        file.reserve([gaussian(5.0)], BUDGET, "autumn")
    with pytest.raises(BudgetError, match="protect all rows of one 'family'. .* Nothing was read"):
        file.reserve([gaussian(5.0)], BUDGET, "autumn", unit="family")
    assert file.path.read_bytes() == before
    assert [release.unit for release in file.releases] == ["person", "person"]


def test_a_file_that_names_no_units_is_about_rows(file: BudgetFile) -> None:
    file.reserve([gaussian(5.0)], BUDGET, "spring")
    record = json.loads(file.path.read_text())
    del record["releases"][0]["unit"]
    file.path.write_text(json.dumps(record))
    file.reserve([gaussian(5.0)], BUDGET, "summer")
    with pytest.raises(BudgetError, match="protects single rows"):
        file.reserve([gaussian(5.0)], BUDGET, "autumn", unit="person")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "triplea-budget", "version": 99, "limit": null, "releases": []}',
        '{"format": "other", "version": 1, "limit": null, "releases": []}',
        '{"format": "triplea-budget", "version": 1, "limit": null, "releases": [{"id": "a"}]}',
        '{"format": "triplea-budget", "version": 1, "limit": {"epsilon": -1, "delta": 0, "neighbours": "x"}, '
        '"releases": []}',
    ],
)
def test_a_file_that_cannot_be_read_is_kept_and_stops_the_release(file: BudgetFile, text: str) -> None:
    file.path.write_text(text)
    with pytest.raises(BudgetError, match="left as it is and nothing was read from the table. Restore it"):
        file.reserve([gaussian(5.0)], BUDGET, "spring")
    with pytest.raises(BudgetError, match="budget file"):
        file.total(1e-6)
    assert file.path.read_text() == text


def test_completing_an_unknown_reservation_is_refused(file: BudgetFile) -> None:
    with pytest.raises(BudgetError, match="no reservation with id 'lost'"):
        file.complete("lost")


def test_a_crash_while_writing_leaves_the_old_file(file: BudgetFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.reserve([gaussian(5.0)], BUDGET, "spring")
    before = file.path.read_bytes()

    def power_cut(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.os, "replace", power_cut)
    with pytest.raises(KeyboardInterrupt):
        file.reserve([gaussian(5.0)], BUDGET, "summer")
    assert file.path.read_bytes() == before
    assert {place.name for place in file.path.parent.iterdir()} <= {file.path.name, file.path.name + ".lock"}


def test_a_place_that_cannot_be_written_is_named_with_the_cure(
    file: BudgetFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(module, "FileLock", refuse)
    with pytest.raises(BudgetError, match=r"json: the budget file .*: Read-only file system\. .* --ledger"):
        file.reserve([gaussian(5.0)], BUDGET, "spring")


@pytest.mark.skipif(os.name != "posix", reason="links and modes of a POSIX system")
def test_a_link_and_its_file_are_one_budget_and_the_mode_is_kept(file: BudgetFile) -> None:
    file.reserve([gaussian(5.0)], BUDGET, "spring")
    file.path.chmod(0o640)
    link = file.path.with_name("link.json")
    link.symlink_to(file.path)
    BudgetFile(link).reserve([gaussian(5.0)], BUDGET, "summer")
    assert link.is_symlink()
    assert len(file.releases) == 2
    assert file.path.stat().st_mode & 0o777 == 0o640


def test_a_held_lock_is_reported_with_the_cure(file: BudgetFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.05)
    other = BudgetFile(file.path)
    with file._locked(), pytest.raises(BudgetError, match=r"another run has held the lock .* try again"):
        other.reserve([gaussian(5.0)], BUDGET, "spring")


@pytest.mark.parametrize("room", [100, 8])
def test_processes_side_by_side_lose_nothing_and_never_pass_the_limit(file: BudgetFile, room: int) -> None:
    """Four processes try five releases each; with room for 8, exactly 8 get through."""
    limit = epsilon_of([gaussian(10.0, times=room)], delta=1e-6, neighbours=ADD)
    file.set_limit(Budget(epsilon=limit, delta=1e-6))
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["tests.anonymize.spender"])
    with server.Pool(4) as pool:
        taken = sum(pool.map(spend_five_times, [str(file.path)] * 4, chunksize=1))
    expected = min(20, room)
    assert taken == expected == len(file.releases)
    assert {release.state for release in file.releases} == {"complete"}
    assert file.total(1e-6) == pytest.approx(
        epsilon_of([gaussian(10.0, times=expected)], delta=1e-6, neighbours=ADD), rel=1e-12
    )
    assert json.loads(file.path.read_text())["version"] == 1
