"""The ledger keeps every charge, and survives JSON."""

import json

from tests.anonymize.door_support import AGES, door
from triplea.anonymize.ledger import LedgerEntry


def test_an_entry_survives_json():
    asked = door()
    asked.measure(AGES, label="ages")
    (entry,) = asked.ledger.entries
    assert LedgerEntry.from_json(json.loads(json.dumps(entry.to_json()))) == entry


def test_entries_hold_nothing_that_depends_on_rows():
    notes = []
    for rows in (1000, 17):
        asked = door(rows=rows)
        asked.measure(AGES, label="ages")
        notes.append(json.dumps(asked.ledger.entries[0].to_json()))
    assert notes[0] == notes[1]
