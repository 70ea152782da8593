"""Checking a release folder without the data: are the totals right, and is it the certified table?"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from triplea.anonymize.certificate import Certificate, price
from triplea.errors import ReleaseError
from triplea.releases.digest import file_sha256, files_sha256, schema_sha256
from triplea.releases.folder import (
    ARRAYS,
    CERTIFICATE,
    CERTIFICATE_PAGE,
    DATA,
    MODEL,
    SCHEMA,
    damage_named,
    read_certificate,
    read_json,
)
from triplea.schema import load_schema

Curve = tuple[tuple[float, float], ...]
TOLERANCE = 1e-6  # relative; the accountant is deterministic, its libraries may differ in the last digits
CURVE_TOLERANCE, TINY = 1e-4, 1e-13  # deltas are small differences of large numbers


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The outcome: `ok` when nothing is wrong, and what was recomputed."""

    ok: bool
    problems: tuple[str, ...]
    epsilon: float | None
    epsilon_certified: float | None
    delta: float
    proved: bool
    sentence: str
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able form."""
        return asdict(self)


def verify(folder: str | Path) -> Verification:
    """Recompute the total from the ledger entries, and the hashes from the files."""
    with damage_named(Path(folder)):
        return _verify(Path(folder))


def _verify(place: Path) -> Verification:
    certificate = read_certificate(place)
    recomputed, curve = price(certificate.entries, certificate.budget)
    problems = (
        *_total_problems(certificate, recomputed),
        *_curve_problems(certificate, curve),
        *_sentence_problems(certificate, place),
        *_file_problems(certificate, place),
    )
    return Verification(
        ok=not problems,
        problems=problems,
        epsilon=recomputed if math.isfinite(recomputed) else None,
        epsilon_certified=certificate.epsilon_proved if certificate.proved else None,
        delta=certificate.budget.delta,
        proved=math.isfinite(recomputed),
        sentence=certificate.sentence,
        warnings=certificate.warnings,
    )


def _total_problems(certificate: Certificate, recomputed: float) -> list[str]:
    problems = []
    certified = certificate.epsilon_proved
    if not math.isclose(recomputed, certified, rel_tol=TOLERANCE):
        problems.append(f"the entries cost epsilon = {recomputed:.6g}, the certificate says {certified:.6g}")
    if math.isfinite(recomputed) and recomputed > certificate.budget.epsilon * (1 + TOLERANCE):
        problems.append(f"epsilon = {recomputed:.6g} is above the target, {certificate.budget.epsilon:g}")
    return problems


def _curve_problems(certificate: Certificate, curve: Curve) -> list[str]:
    """The table of other epsilons is part of what is certified."""
    certified = certificate.delta_curve
    alike = len(curve) == len(certified) and all(
        math.isclose(e, f, rel_tol=TOLERANCE) and math.isclose(d, g, rel_tol=CURVE_TOLERANCE, abs_tol=TINY)
        for (e, d), (f, g) in zip(curve, certified, strict=True)
    )
    return [] if alike else ["the entries cost other deltas than the certificate's curve says"]


def _sentence_problems(certificate: Certificate, place: Path) -> list[str]:
    """What people read is written out twice, and both must follow from the entries."""
    stored = read_json(place / CERTIFICATE)
    problems = []
    if (stored.get("sentence"), stored.get("proved")) != (certificate.sentence, certificate.proved):
        problems.append(f"the sentence of {CERTIFICATE} is not what its entries say")
    page = place / CERTIFICATE_PAGE
    if not page.is_file() or certificate.sentence not in page.read_text(encoding="utf-8", errors="replace"):
        problems.append(f"{CERTIFICATE_PAGE} is missing or does not say what {CERTIFICATE} says")
    return problems


def _file_problems(certificate: Certificate, place: Path) -> list[str]:
    data = place / DATA
    if not data.is_file():
        return [f"{DATA} is missing"]
    problems = []
    if file_sha256(data) != certificate.data_sha256:
        problems.append(f"{DATA} is not the certified file: its SHA-256 differs")
    if _rows_of(data) != certificate.rows:
        problems.append(f"{DATA} does not have the certified number of rows, {certificate.rows:,}")
    if not _is_certified_model(certificate, [place / MODEL, place / ARRAYS]):
        problems.append("model/ is missing or is not the certified model")
    schema = place / SCHEMA
    if not schema.is_file() or schema_sha256(load_schema(schema)) != certificate.schema_sha256:
        problems.append(f"{SCHEMA} is missing or is not the certified schema")
    return problems


def _is_certified_model(certificate: Certificate, files: list[Path]) -> bool:
    """Further rows are drawn from the model: it is part of the release. Old certificates do not name it."""
    if certificate.model_sha256 is None:
        return True
    return all(file.is_file() for file in files) and files_sha256(files) == certificate.model_sha256


def _rows_of(path: Path) -> int:
    try:
        return int(pa.parquet.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError):
        raise ReleaseError(f"{path.name} is not a readable Parquet file.") from None
