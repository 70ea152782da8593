"""`door.descend`: priced before reading, charged once, and told in the certificate what it is."""

import jax.numpy as jnp
import numpy as np
import pytest

from tests.anonymize.door_support import SCHEMA, door, table
from tests.queries.descent_support import Mean, descent
from triplea.anonymize import descending
from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Ask
from triplea.approximate.networks.optimizers import sgd
from triplea.audit.witnesses import Recorder, Replayer
from triplea.errors import BudgetExceeded, MethodError
from triplea.schema import Schema
from triplea.schema.schema import Unit

ASK = Ask(label="train", mechanism="sampled-gaussian", sampling_rate=0.1, steps=20)


def run(task=None, **options):
    layers = {"net.0": (np.zeros((1, 2), np.float32), np.zeros(2, np.float32))}
    return descent(task or Mean(), layers=layers, n_public=1000.0, optimizer=sgd(0.01), **options)


class Unreadable:
    types = None
    path = None

    def _arrow_batches(self, *_):
        raise AssertionError("rows were read")


@pytest.mark.parametrize("relation", list(Neighbours))
def test_the_ledger_holds_the_whole_run_and_its_noise(relation):
    asked = door(ASK, neighbours=relation)
    asked.descend(run(clip_norm=0.5), label="train")
    (entry,) = asked.ledger.entries
    bound = 0.5 if relation is Neighbours.ADD_OR_REMOVE_ONE else 1.0
    assert entry.sensitivity == bound
    assert entry.noise_from == pytest.approx(bound * entry.charge.noise_multiplier)
    assert (entry.charge.steps, entry.charge.sampling_rate, entry.numbers) == (20, 0.1, 4)
    total = epsilon_of(asked.ledger.charges, delta=1e-5, neighbours=relation)
    assert 0.99 < total <= 1.0
    assert "not protected against attacks on floating-point noise" in asked.ledger.remarks[0]


def test_a_second_run_is_refused_before_reading():
    asked = door(ASK)
    asked.descend(run(), label="train")
    asked._table = Unreadable()
    with pytest.raises(BudgetExceeded, match="Nothing was read"):
        asked.descend(run(), label="train")
    with pytest.raises(BudgetExceeded, match="not in the plan"):
        asked.descend(run(), label="more training")


def test_a_run_without_a_bound_is_refused_before_it_is_charged():
    asked = door(ASK, private=Unreadable())
    for broken in (run(clip_norm=0.0), run(clip_norm=float("inf")), run(clip_norm=float("nan"))):
        with pytest.raises(MethodError, match="clip_norm must be a finite number above 0"):
            asked.descend(broken, label="train")
    assert not asked.ledger.entries


def test_the_charge_of_a_diverging_run_stays():
    asked = door(ASK)
    layers = {"net.0": (np.zeros((1, 2), np.float32), np.zeros(2, np.float32))}
    wild = descent(Mean(), layers=layers, n_public=1000.0, optimizer=sgd(1e38), clip_norm=1e6)
    with pytest.raises(MethodError, match="diverged"):
        asked.descend(wild, label="train")
    assert asked.ledger.asked("train") == 1


def test_a_unit_of_several_rows_gets_noise_for_all_of_them():
    schema = Schema(columns=SCHEMA.columns, id_columns=("person",), unit=Unit(column="person", max_rows=3))
    import pyarrow as pa

    private = table(30, schema, person=pa.array(np.arange(30) // 3))
    asked = door(ASK, schema=schema, private=private)
    asked.descend(run(clip_norm=0.5), label="train")
    assert asked.ledger.entries[0].sensitivity == 1.5


def watched(witness, private=None, **options):
    return door(ASK, witness=witness, private=private).descend(run(**options), label="train")


def test_a_witness_sees_clipped_sums_along_the_run_and_hands_out_the_result():
    """The steps 1, 2, 4, 8, 16 and 20: what it sees is the sum over all rows at the released parameters."""
    witness = Recorder()
    made = watched(witness, clip_norm=0.5)
    assert len(witness.questions) == 6
    assert {(question.bound, question.norm) for question in witness.questions} == {(0.5, "L2")}
    assert np.array_equal(np.ravel(made.layers["net.0"][1]), witness.questions[-1].released[2:4])

    records = np.stack([np.repeat(np.arange(10.0), 100), np.zeros(1000)], axis=1)
    before = np.zeros(4)
    for question in witness.questions:
        gradients = before[2:4] - records
        lengths = np.maximum(np.linalg.norm(gradients, axis=1), 1e-9)
        clipped = gradients * np.minimum(1.0, 0.5 / lengths)[:, None]
        assert question.exact[2:4] == pytest.approx(clipped.sum(axis=0), rel=1e-3)
        before = question.released


def test_a_replayed_run_goes_on_with_the_recorded_parameters():
    recorder = Recorder()
    first = watched(recorder)
    replayer = Replayer(recorder.questions)
    second = watched(replayer, private=table(1001, age=np.append(np.arange(1000) % 10, 9)))
    assert not replayer.findings
    assert len(replayer.steps) == 6
    assert all(0.9 < step.measured <= 1.0 for step in replayer.steps), "one row more, clipped to one"
    assert np.array_equal(first.vector, second.vector)


def test_a_bound_that_only_holds_at_the_first_step_is_found(monkeypatch):
    """Were clipping to end after the first steps, the sum at the start alone would not show it."""
    honest = descending.clipped_sum

    def careless(task, layers, records, present, public, draws, clip_norm):
        started = jnp.any(layers["net.0"][1] != 0.0)
        return honest(task, layers, records, present, public, draws, jnp.where(started, 1e9, clip_norm))

    class Apart(Mean):
        """A task of its own, so that no other test meets what is compiled here."""

    monkeypatch.setattr(descending, "clipped_sum", careless)
    recorder = Recorder()
    watched(recorder, task=Apart())
    replayer = Replayer(recorder.questions)
    watched(replayer, private=table(1001, age=np.append(np.arange(1000) % 10, 9)), task=Apart())
    assert replayer.steps[0].holds
    assert not any(step.holds for step in replayer.steps[1:])
