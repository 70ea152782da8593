"""`door.vote`: priced before reading, as often as planned, with noise for one teacher."""

import numpy as np
import pyarrow as pa
import pytest

from tests.anonymize.door_support import SCHEMA, door, table
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Ask
from triplea.approximate.codes.binning import each_value
from triplea.audit.witnesses import Recorder
from triplea.errors import BudgetExceeded, SchemaError
from triplea.queries.votes import CellTeachers
from triplea.schema import Column, Schema, Unit

ASK = Ask(label="votes", mechanism="gaussian", times=2)
BINNINGS = {name: each_value(SCHEMA.column(name)) for name in SCHEMA.names}


class Unreadable:
    types = None
    path = None

    def _arrow_batches(self, *_):
        raise AssertionError("rows were read")


def votes(questions=16):
    rng = np.random.default_rng(0)
    some = {name: rng.integers(0, binning.cells, max(50, questions)) for name, binning in BINNINGS.items()}
    asked = {name: part[:questions] for name, part in some.items()}
    return CellTeachers(binnings=BINNINGS, label=None, generated=some, asked=asked, teachers=40, key=1)


@pytest.mark.parametrize("relation", list(Neighbours))
def test_all_votes_together_cost_the_budget(relation):
    asked = door(ASK, neighbours=relation)
    for _ in range(2):
        asked.vote(votes(), label="votes")
    bound = 4.0 if relation is Neighbours.ADD_OR_REMOVE_ONE else 8.0
    assert [entry.sensitivity for entry in asked.ledger.entries] == [bound, bound]
    entry = asked.ledger.entries[0]
    assert entry.noise_from == pytest.approx(bound * entry.charge.noise_multiplier)
    assert entry.question == "vote" and entry.numbers == 16
    assert 0.99 < epsilon_of(asked.ledger.charges, delta=1e-5, neighbours=relation) <= 1.0


def test_votes_beyond_the_plan_are_refused_before_reading():
    asked = door(ASK)
    asked.vote(votes(), label="votes")
    asked.vote(votes(), label="votes")
    asked._table = Unreadable()
    with pytest.raises(BudgetExceeded, match="Nothing was read"):
        asked.vote(votes(), label="votes")
    with pytest.raises(SchemaError, match="Nothing was read"):
        door(Ask(label="votes", mechanism="laplace"), private=Unreadable()).vote(votes(), label="votes")
    assert len(asked.ledger.entries) == 2


def test_what_is_released_is_a_noisy_count_and_no_teacher():
    witness = Recorder()
    released = door(ASK, witness=witness).vote(votes(), label="votes")
    (question,) = witness.questions
    assert question.bound == 4.0 and question.norm == "L2"
    assert set(vars(released)) == {"values", "stddev"}
    assert released.values.shape == (16,) and not np.array_equal(released.values, question.exact)


def test_every_count_has_noise_of_its_own_and_of_the_stated_size():
    witness = Recorder()
    released = door(ASK, witness=witness).vote(votes(questions=4_000), label="votes")
    noise = (released.values - witness.questions[0].exact) / released.stddev
    assert noise.std() == pytest.approx(1.0, abs=0.06)
    assert abs(np.corrcoef(noise[1:], noise[:-1])[0, 1]) < 0.08


def test_a_person_with_several_rows_is_priced_as_so_many_teachers():
    by_person = Schema(
        columns=(Column(name="who", kind="identifier"), *SCHEMA.columns), unit=Unit(column="who", max_rows=3)
    )
    private = table(schema=by_person, who=pa.array(np.arange(1000)))
    asked = door(ASK, schema=by_person, private=private)
    asked.vote(votes(), label="votes")
    assert asked.ledger.entries[0].sensitivity == 12.0


def test_votes_are_charged_before_the_rows_are_read():
    asked = door(ASK, private=Unreadable())
    with pytest.raises(AssertionError, match="rows were read"):
        asked.vote(votes(), label="votes")
    assert [entry.question for entry in asked.ledger.entries] == ["vote"]


def test_the_private_rows_decide_the_exact_counts():
    exact = []
    for rows in (10, 1000):
        witness = Recorder()
        door(ASK, private=table(rows), witness=witness).vote(votes(), label="votes")
        exact.append(witness.questions[0].exact)
    assert not np.array_equal(*exact)
