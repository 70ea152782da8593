"""The smallest records cannot be changed once made."""

from dataclasses import FrozenInstanceError

import pytest

from triplea.results.scores import Note, Score


def test_a_score_without_an_interval_says_so():
    assert (Score(value=0.9).low, Score(value=0.9).high) == (None, None)
    assert not Score(value=0.9).paper_metric


@pytest.mark.parametrize("record", [Score(value=1.0), Note(code="c", text="t")])
def test_records_are_frozen(record):
    with pytest.raises(FrozenInstanceError):
        record.note = "changed"
