"""The budget file: what all releases of one table have cost together, safe against crashes and other runs.

A release is written down before a row is read and stays counted if it crashes: the file may count too much,
never too little. Every change happens under a lock between processes, and replaces the file as a whole.
"""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.errors import BudgetError, BudgetExceeded

FORMAT = "triplea-budget"
VERSION = 1
LOCK_SECONDS = 60.0
RESERVED, COMPLETE = "reserved", "complete"


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """One release in the file. `state` is "reserved" until the release has been written out.

    `unit` is the column whose rows are protected together, or None where a row is protected by itself.
    """

    id: str
    name: str
    state: str
    at: str
    budget: Budget
    charges: tuple[Charge, ...]
    unit: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "id": self.id,
            "name": self.name,
            "state": self.state,
            "at": self.at,
            "unit": self.unit,
            "budget": self.budget.to_json(),
            "charges": [charge.to_json() for charge in self.charges],
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Reservation:
        """Read what `to_json` wrote."""
        parts = {name: str(record[name]) for name in ("id", "name", "state", "at")}
        charges = tuple(Charge.from_json(charge) for charge in record["charges"])
        unit = None if record.get("unit") is None else str(record["unit"])
        return cls(**parts, budget=Budget.from_json(record["budget"]), charges=charges, unit=unit)


@dataclass(frozen=True, kw_only=True)
class _Contents:
    limit: Budget | None = None
    releases: tuple[Reservation, ...] = ()

    @property
    def neighbours(self) -> Neighbours | None:
        if self.limit is not None:
            return self.limit.neighbours
        return self.releases[0].budget.neighbours if self.releases else None

    @property
    def charges(self) -> list[Charge]:
        return [charge for release in self.releases for charge in release.charges]


class BudgetFile:
    """Keeps count across releases of one table. The file appears with the first reservation or limit."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # One file has one name: two links to it must share a lock, and a rename must not cut a link.
        self.path = Path(path).resolve()

    @classmethod
    def beside(cls, table: str | os.PathLike[str]) -> BudgetFile:
        """The budget file next to a table: `rows.csv` has `rows.csv.budget.json`."""
        place = Path(table).resolve()
        return cls(place.with_name(place.name + ".budget.json"))

    def reserve(
        self, charges: Sequence[Charge], budget: Budget, release_name: str, *, unit: str | None = None
    ) -> str:
        """Count a release before it reads a row; returns the reservation's id.

        `unit` is the column of the privacy unit, if it is more than a row. Raises `BudgetExceeded`, and
        writes nothing, if the table's limit would be passed.
        """
        release = Reservation(
            id=uuid.uuid4().hex,
            name=release_name,
            state=RESERVED,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            budget=budget,
            charges=tuple(charges),
            unit=unit,
        )
        with self._locked():
            contents = self._read()
            self._refuse_mixed_neighbours(contents, budget.neighbours)
            self._refuse_mixed_units(contents, unit)
            after = replace(contents, releases=(*contents.releases, release))
            self._refuse_beyond_limit(contents, after, release_name)
            self._write(after)
        return release.id

    def complete(self, reservation_id: str) -> None:
        """Mark a reservation as released. It was counted before; nothing changes in the total."""
        with self._locked():
            contents = self._read()
            if all(release.id != reservation_id for release in contents.releases):
                raise BudgetError(
                    f"{self.path}: no reservation with id {reservation_id!r}. "
                    "Use the id that `reserve` gave, and the file it wrote to."
                )
            releases = tuple(
                replace(release, state=COMPLETE) if release.id == reservation_id else release
                for release in contents.releases
            )
            self._write(replace(contents, releases=releases))

    def set_limit(self, limit: Budget) -> None:
        """Set the most that all releases of the table may cost together, from now on."""
        with self._locked():
            contents = self._read()
            self._refuse_mixed_neighbours(replace(contents, limit=None), limit.neighbours)
            self._write(replace(contents, limit=limit))

    @property
    def limit(self) -> Budget | None:
        """The table's limit, if one was set."""
        return self._read().limit

    @property
    def releases(self) -> tuple[Reservation, ...]:
        """All reservations so far, oldest first."""
        return self._read().releases

    def total(self, delta: float) -> float:
        """The epsilon of all releases together at this delta, whether completed or only reserved."""
        return _total(self._read(), delta)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self.path.with_name(self.path.name + ".lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(lock, timeout=LOCK_SECONDS):
                yield
        except Timeout:
            raise BudgetError(
                f"{lock}: another run has held the lock for {LOCK_SECONDS:g} seconds. Wait for it to end and "
                "try again."
            ) from None
        except OSError as error:
            raise BudgetError(
                f"{self.path}: the budget file cannot be written: {error.strerror}. Change the rights of the "
                "folder, make room there, or keep the file elsewhere: name a place with --ledger (ledger=)."
            ) from None

    def _read(self) -> _Contents:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return _Contents()
        except (OSError, UnicodeDecodeError) as error:
            raise self._unreadable(str(error)) from error
        try:
            return _parse(json.loads(text))
        except (BudgetError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._unreadable(f"{type(error).__name__}: {error}") from error

    def _unreadable(self, reason: str) -> BudgetError:
        return BudgetError(
            f"{self.path}: this is not a budget file that this version can read ({reason}); allowed is "
            f"{FORMAT} version {VERSION}. The file was left as it is and nothing was read from the table. "
            "Restore it from a copy; without it, what was spent is not known."
        )

    def _write(self, contents: _Contents) -> None:
        record = {
            "format": FORMAT,
            "version": VERSION,
            "limit": None if contents.limit is None else contents.limit.to_json(),
            "releases": [release.to_json() for release in contents.releases],
        }
        write_whole(self.path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")

    def _refuse_mixed_neighbours(self, contents: _Contents, neighbours: Neighbours) -> None:
        if contents.neighbours not in (None, neighbours):
            raise BudgetError(
                f"{self.path}: counts neighbours={contents.neighbours!s}, got {neighbours!s}. A total over "
                f"both has no meaning. Use neighbours={contents.neighbours!s}, or keep a second budget file "
                "and add the two by hand."
            )

    def _refuse_mixed_units(self, contents: _Contents, unit: str | None) -> None:
        other = next((release for release in contents.releases if release.unit != unit), None)
        if other is not None:
            raise BudgetError(
                f"{self.path}: release {other.name!r} protects {_protected(other.unit)}, this one would "
                f"protect {_protected(unit)}. A total over both has no meaning. Nothing was read. Use the "
                "same unit in the schema, or keep a second budget file, which counts nothing of the first."
            )

    def _refuse_beyond_limit(self, before: _Contents, after: _Contents, release_name: str) -> None:
        limit = before.limit
        if limit is None:
            return
        total = _total(after, limit.delta)
        if total > limit.epsilon * (1 + 1e-9):
            raise BudgetExceeded(
                f"release {release_name!r}: all releases of this table would cost epsilon={total:.6g} at "
                f"delta={limit.delta:.3g}, the limit is epsilon={limit.epsilon:.6g} "
                f"(spent so far: {_total(before, limit.delta):.6g}). Nothing was read. "
                f"Lower the release's epsilon, or raise the limit: triplea budget {self.path} --limit EPSILON"
            )


def _protected(unit: str | None) -> str:
    return "single rows" if unit is None else f"all rows of one {unit!r}"


def _parse(record: dict[str, Any]) -> _Contents:
    if record["format"] != FORMAT or record["version"] != VERSION:
        raise ValueError(f"format {record['format']!r}, version {record['version']!r}")
    return _Contents(
        limit=None if record["limit"] is None else Budget.from_json(record["limit"]),
        releases=tuple(Reservation.from_json(release) for release in record["releases"]),
    )


def _total(contents: _Contents, delta: float) -> float:
    neighbours = contents.neighbours or Neighbours.ADD_OR_REMOVE_ONE
    return epsilon_of(contents.charges, delta=delta, neighbours=neighbours)


def write_whole(path: Path, text: str) -> None:
    """Replace a file so that a crash leaves the old one or the new one, on disk, and nothing between."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    if os.name == "posix":  # elsewhere a folder cannot be opened, and renames are durable by other means
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
