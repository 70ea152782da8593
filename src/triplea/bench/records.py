"""What became of a cell, one JSON line each, appended to a file that a stopped run can go on with."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from triplea.bench.cells import REAL, Cell
from triplea.errors import UserError

FORMAT = "triplea-bench/1"
OK, FAILED, TIMEOUT = "ok", "failed", "timeout"
PROVED, CLAIMED, NON_PRIVATE = "proved", "claimed", "non-private"


@dataclass(frozen=True, kw_only=True)
class Record:
    """The outcome of one cell: scores, or the reason why there are none.

    `guarantee` is "proved", "claimed" (by a paper, not proved) or "non-private".
    """

    cell: Cell
    status: str
    guarantee: str
    reason: str | None = None
    scores: dict[str, float] = field(default_factory=dict)
    epsilon_proved: float | None = None
    delta: float | None = None
    rows: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_mib: float | None = None
    versions: dict[str, str] = field(default_factory=dict)
    commit: str | None = None
    machine: str | None = None
    finished: str | None = None
    grid: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {"format": FORMAT, "id": self.cell.id, **asdict(self), "cell": self.cell.to_json()}

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> Record:
        """Rebuild a record; unknown keys of later versions are left out."""
        known = {name: state[name] for name in cls.__dataclass_fields__ if name in state}
        return cls(**{**known, "cell": Cell.from_json(state["cell"])})


def expected_guarantee(cell: Cell) -> str:
    """Return the guarantee of a cell that came to nothing, by what was asked for."""
    if cell.method == REAL:
        return NON_PRIVATE
    return PROVED if cell.variant == "provable" else CLAIMED


def append_records(path: Path, records: Iterable[Record]) -> None:
    """Append lines. A line that a crash cut short is closed first, so that it spoils no other."""
    text = "".join(json.dumps(record.to_json(), sort_keys=True, allow_nan=False) + "\n" for record in records)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        size = file.seek(0, 2)
        if size:
            file.seek(size - 1)
            text = text if file.read(1) == b"\n" else "\n" + text
        file.write(text.encode())


def read_records(path: Path) -> list[Record]:
    """Read a results file: the last record of every cell, in the order of their first appearance."""
    if not path.is_file():
        raise UserError(f"{path}: there is no such file. Make one with: triplea bench run GRID --out {path}")
    latest: dict[str, Record] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        record = _parse(line)
        if record is not None:
            latest[record.cell.id] = record
    if not latest and path.stat().st_size:
        raise UserError(f"{path}: no line of it is a record of {FORMAT}. Name a file of `triplea bench run`.")
    return list(latest.values())


def _parse(line: str) -> Record | None:
    """Read one line; None for a line that was cut short or is of another kind."""
    try:
        state = json.loads(line)
        return Record.from_json(state) if state.get("format") == FORMAT else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
