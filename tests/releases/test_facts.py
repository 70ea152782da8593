"""The public facts of a release: what the certificate and the schema say, and shares that add up."""

from dataclasses import replace

import pytest

from triplea.anonymize.charges import Charge
from triplea.anonymize.ledger import LedgerEntry
from triplea.anonymize.plan import Mechanism
from triplea.releases.facts import read_facts, release_facts
from triplea.releases.folder import read_certificate


def test_the_facts_are_those_of_the_certificate(release):
    facts = release_facts(release.certificate, release.schema)
    assert facts.guarantee.status == "proved"
    assert facts.guarantee.sentence == release.certificate.sentence
    assert facts.rows == release.certificate.rows
    assert [column.name for column in facts.columns] == list(release.schema.names)


def test_shares_of_the_budget_add_up_to_one(release):
    questions = release_facts(release.certificate, release.schema).guarantee.questions
    assert sum(question.share for question in questions) == pytest.approx(1.0)


def test_a_folder_gives_the_facts_of_its_certificate(release, folder):
    expected = release_facts(read_certificate(folder), release.schema)
    assert read_facts(folder) == expected


@pytest.mark.parametrize(("mechanism", "status"), [(Mechanism.CLAIMED, "claimed"), (Mechanism.CLEAR, "none")])
def test_what_is_not_proved_has_no_share_and_says_why(release, mechanism, status):
    entry = LedgerEntry(
        charge=Charge(label="rows", mechanism=mechanism),
        question="as_claimed",
        proof="none",
        reasons=("Why.",),
    )
    unproved = replace(release.certificate, entries=(entry,), epsilon_proved=float("inf"), delta_curve=())
    guarantee = release_facts(unproved, release.schema).guarantee
    assert guarantee.status == status
    assert guarantee.epsilon_proved is None
    assert guarantee.questions[0].share is None
    assert guarantee.reasons == ("Why.",)
