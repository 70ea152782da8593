"""The record of a release: stored and read back, with the reasons of its questions."""

from tests.report.records import claimed, facts, guarantee
from triplea.results import ReleaseFacts, jsonio


def test_the_facts_survive_a_round_trip():
    for made in (facts(), facts(guarantee=claimed(), name=None, target=None)):
        assert jsonio.from_plain(ReleaseFacts, jsonio.to_plain(made)) == made


def test_a_proved_guarantee_has_no_reasons_against_it():
    assert guarantee().reasons == ()
    assert claimed().reasons == ("The sensitivity is wrong.",)
