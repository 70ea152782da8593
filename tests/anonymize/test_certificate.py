"""The certificate says what is proved, what is only claimed, and nothing else."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.anonymize.door_support import AGES, door
from triplea.anonymize.certificate import Certificate, price, rounded_up
from triplea.anonymize.plan import Ask
from triplea.errors import ReleaseError


def _certificate(asked, **changes):
    epsilon, curve = price(asked.ledger.entries, asked.budget)
    made = Certificate(
        method="m",
        variant="provable",
        parameters={},
        budget=asked.budget,
        unit="one row",
        entries=tuple(asked.ledger.entries),
        epsilon_proved=epsilon,
        delta_curve=curve,
        warnings=(),
        seeded=True,
        created="2026-01-01T00:00:00+00:00",
        versions={},
        rows=10,
        schema_sha256="0" * 64,
    )
    return replace(made, **changes)


def _proved():
    asked = door()
    asked.measure(AGES, label="ages")
    return _certificate(asked)


def test_a_proved_certificate_says_proved():
    certificate = _proved()
    assert certificate.proved
    assert "adding or removing one row: proved" in certificate.sentence
    assert certificate.epsilon_proved <= 1.0


def test_a_seeded_run_does_not_say_that_its_table_is_private():
    """The sentence is what people copy; a warning beside it stays behind."""
    seeded = _proved()
    assert seeded.sentence.startswith("NOT FOR RELEASE, the noise is seeded. With fresh noise this table")
    assert replace(seeded, seeded=False).sentence.startswith("This table is (epsilon = ")


def test_the_curve_falls_and_meets_the_target():
    points = dict(_proved().delta_curve)
    assert points[1.0] <= 1e-5 * (1 + 1e-9)
    assert list(points.values()) == sorted(points.values(), reverse=True)


def test_a_claim_is_never_called_proved():
    asked = door(Ask(label="paper", mechanism="claimed"))
    asked.as_claimed(lambda rows, rng: None, label="paper", reasons=["H1"])
    certificate = _certificate(asked)
    assert math.isinf(certificate.epsilon_proved)
    assert "NOT proved" in certificate.sentence
    assert certificate.to_json()["epsilon_proved"] is None
    assert certificate.reasons == ("H1",)


def test_reading_in_the_clear_is_called_non_private():
    asked = door(Ask(label="rows", mechanism="clear"))
    asked.read_in_the_clear(label="rows", reasons=["no guarantee"])
    assert _certificate(asked).sentence.startswith("NON-PRIVATE")


def test_it_survives_json():
    certificate = _proved()
    assert Certificate.from_json(json.loads(json.dumps(certificate.to_json()))) == certificate


def test_a_damaged_certificate_is_refused():
    state = _proved().to_json()
    del state["entries"]
    with pytest.raises(ReleaseError, match="damaged"):
        Certificate.from_json(state)


@given(st.floats(1e-300, 1e9), st.integers(1, 6))
def test_a_bound_is_never_written_smaller_than_it_is(value, digits):
    written = float(rounded_up(value, digits))
    assert value <= written <= value * (1 + 1.0001 * 10.0 ** (1 - digits))


def test_bounds_that_are_short_are_written_as_they_are():
    assert [rounded_up(x, 3) for x in (1.0, 1e-5, 0.25, 123.0, 0.0)] == ["1", "1e-05", "0.25", "123", "0"]
