import re

from tests.report.records import HOSTILE, HOSTILE_VALUE, claimed, facts
from triplea.report.datasheet import LIMITS, datasheet_html


def test_the_receiver_finds_columns_guarantee_method_loading_and_limits():
    written = datasheet_html(facts())
    anchors = re.findall(r'<section id="([a-z]+)"', written)
    assert anchors == ["guarantee", "columns", "method", "load", "limits"]
    for words in ("✓ Proved", "ward</bdi> (target)", "naive-bayes", "read_parquet", "Timing.", LIMITS[-1]):
        assert words in written


def test_names_of_strangers_are_never_markup():
    written = datasheet_html(facts())
    assert HOSTILE not in written
    assert HOSTILE_VALUE not in written


def test_a_claim_is_marked_as_one():
    assert "Claimed, not proved" in datasheet_html(facts(guarantee=claimed()))


def test_the_record_has_no_place_for_numbers_outside_the_guarantee():
    """The datasheet is drawn from `ReleaseFacts`, which knows no scores and no real rows."""
    assert {"utility", "fidelity", "risk", "real"}.isdisjoint(facts().__dataclass_fields__)
