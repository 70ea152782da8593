"""How a synthetic table came about, if it came with a certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from triplea.results import ReleaseFacts


def facts_of(source: Any) -> ReleaseFacts | None:
    """Return the public facts of a release or a release folder; None for any other table."""
    if isinstance(source, str | Path):
        folder = Path(source)
        if not (folder / "certificate.json").is_file():
            return None
        from triplea.releases.facts import read_facts

        return read_facts(folder)
    # Asked of the class: a data frame answers `.certificate` if it has a column of that name.
    if "certificate" not in getattr(type(source), "__dataclass_fields__", {}):
        return None
    from triplea.releases.facts import release_facts

    return release_facts(source.certificate, source.schema)
