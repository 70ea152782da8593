from dataclasses import replace

from tests.report.records import HOSTILE, risk
from triplea.report.risk import risk_section, worst_membership


def test_risk_is_never_called_a_guarantee():
    written = risk_section(risk())
    assert "it is no guarantee" in written
    assert HOSTILE not in written


def test_every_attack_stands_beside_its_control_and_a_guess():
    written = risk_section(risk())
    for words in ("Who was in the table?", "Distance to the closest record", "Identifiability", "control"):
        assert words in written


def test_what_was_not_measured_is_left_out():
    written = risk_section(replace(risk(), attacks=(), membership=(), closest=None, identifiability=None))
    assert "<h3>" not in written


def test_the_strongest_membership_attack_counts():
    assert worst_membership(risk()).auc.value == 0.52
    assert worst_membership(replace(risk(), membership=())) is None
