"""From a certificate and a schema to the record that pages are drawn from. Everything in it is public."""

from __future__ import annotations

import json
import math
from pathlib import Path

from triplea.anonymize.certificate import Certificate
from triplea.anonymize.ledger import LedgerEntry
from triplea.anonymize.plan import Mechanism
from triplea.results import Guarantee, PaidQuestion, PublicColumn, ReleaseFacts
from triplea.results.release import CLAIMED, NONE, PROVED
from triplea.schema import Column, Schema


def release_facts(certificate: Certificate, schema: Schema) -> ReleaseFacts:
    """Collect what may be said about a release to anybody."""
    return ReleaseFacts(
        name=schema.name,
        method=certificate.method,
        variant=certificate.variant,
        rows=certificate.rows,
        target=schema.target,
        columns=tuple(_column(column) for column in schema.columns),
        guarantee=_guarantee(certificate),
        created=certificate.created,
        parameters={name: json.dumps(value) for name, value in certificate.parameters.items()},
        versions=certificate.versions,
        data_sha256=certificate.data_sha256,
    )


def read_facts(folder: Path) -> ReleaseFacts:
    """Collect the facts of a release folder."""
    from triplea.releases.folder import SCHEMA, read_certificate
    from triplea.schema import load_schema

    return release_facts(read_certificate(folder), load_schema(folder / SCHEMA))


def _guarantee(certificate: Certificate) -> Guarantee:
    return Guarantee(
        status=_status(certificate),
        sentence=certificate.sentence,
        epsilon=certificate.budget.epsilon,
        epsilon_proved=certificate.epsilon_proved if certificate.proved else None,
        delta=certificate.budget.delta,
        neighbours=certificate.budget.neighbours.value,
        unit=certificate.unit,
        curve=certificate.delta_curve,
        questions=tuple(_questions(certificate)),
        warnings=certificate.warnings,
        notes=certificate.notes,
        not_covered=certificate.not_covered,
    )


def _status(certificate: Certificate) -> str:
    if certificate.proved:
        return PROVED
    in_the_clear = any(charge.mechanism is Mechanism.CLEAR for charge in certificate.charges)
    return NONE if in_the_clear else CLAIMED


def _questions(certificate: Certificate) -> list[PaidQuestion]:
    """Shares of mu squared: on that scale the prices of Gaussian noise add up, the others nearly."""
    prices = [charge.mu**2 for charge in certificate.charges]
    total = sum(price for price in prices if math.isfinite(price))
    return [
        _question(entry, price / total if math.isfinite(price) and total > 0 else None)
        for entry, price in zip(certificate.entries, prices, strict=True)
    ]


def _question(entry: LedgerEntry, share: float | None) -> PaidQuestion:
    return PaidQuestion(
        label=entry.charge.label,
        mechanism=entry.charge.mechanism.value,
        share=share,
        proof=entry.proof,
        times=entry.charge.uses,
        sensitivity=entry.sensitivity,
        norm=entry.norm,
        noise_from=entry.noise_from,
        noise_to=entry.noise_to,
        numbers=entry.numbers,
        reasons=entry.reasons,
    )


def _column(column: Column) -> PublicColumn:
    return PublicColumn(
        name=column.name,
        kind=column.kind.value,
        domain=column.domain,
        nullable=column.nullable,
        note=column.note,
    )
