"""The record of one evaluation. It was computed from real rows: it belongs to the owner alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triplea.results import jsonio
from triplea.results.fidelity import Fidelity
from triplea.results.images import ImageSamples
from triplea.results.release import ReleaseFacts
from triplea.results.risk import Risk
from triplea.results.scores import Note
from triplea.results.utility import Utility

FORMAT = "triplea-evaluation/1"
OWNER_ONLY = "Computed from real rows and not covered by the guarantee: for the owner, do not publish."


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Utility, fidelity and risk of one synthetic table, with notes on everything odd.

    `utility` is about the first target, `further` about the others. `release` says how the table was made, if
    it came with a certificate.
    """

    format: str = FORMAT
    caution: str = OWNER_ONLY
    source: str
    suite: str
    seed: int
    rows: dict[str, int]
    columns: tuple[str, ...]
    target: str | None
    utility: Utility | None
    further: tuple[Utility, ...] = ()
    fidelity: Fidelity
    risk: Risk | None
    release: ReleaseFacts | None = None
    images: ImageSamples | None = None
    notes: tuple[Note, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON-able values."""
        plain: dict[str, Any] = jsonio.to_plain(self)
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Evaluation:
        """Rebuild a record from `to_dict`."""
        if plain.get("format") != FORMAT:
            raise ValueError(
                f"not an evaluation record: format is {plain.get('format')!r}, expected {FORMAT!r}"
            )
        return jsonio.from_plain(cls, plain)

    def save(self, path: str | Path) -> Path:
        """Write the record as a JSON file."""
        return jsonio.dump(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Evaluation:
        """Read a record written by `save`."""
        import json

        return cls.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
