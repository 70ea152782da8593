from __future__ import annotations

from dataclasses import replace

import numpy as np

from triplea.evaluate.cautions import find_notes
from triplea.evaluate.rows import Rows
from triplea.results import (
    ClosestRecord,
    MembershipAttack,
    ModelResult,
    Risk,
    Score,
    Utility,
)


def codes(*args: object) -> list[str]:
    return [note.code for note in find_notes(*args)]  # type: ignore[arg-type]


def scored(ours: float) -> Utility:
    def one(model: str, trained_on: str, value: float) -> ModelResult:
        return ModelResult(
            model=model, title=model, trained_on=trained_on, rows=1, scores={"roc_auc": Score(value=value)}
        )

    results = (one("lightgbm", "synthetic", ours), one("no_information", "nothing", 0.5))
    return Utility(target="ill", task="classification", headline="roc_auc", results=results)


def test_good_rows_raise_no_note(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    assert codes(train, held_out, synthetic, scored(0.9), None) == []


def test_test_rows_that_were_trained_on_are_noted(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    (note,) = find_notes(train, train.take(np.arange(20)), synthetic, None, None)
    assert note.code == "test-in-train"
    assert "100\u00a0% of the test rows equal a training row" in note.text


def test_a_constant_column_is_noted_on_either_side(train: Rows, held_out: Rows) -> None:
    flat = Rows(fields=train.fields, values={**train.values, "age": np.full(len(train), 4.0)})
    assert codes(train, held_out, flat, None, None) == ["constant-column"]
    assert codes(flat, held_out, train, None, None) == ["constant-real"]


def test_vanished_categories_are_a_warning_when_many_rows_had_them(train: Rows, held_out: Rows) -> None:
    lost = Rows(fields=train.fields, values={**train.values, "ward": np.minimum(train["ward"], 1)})
    notes = find_notes(train, held_out, lost, None, None)
    assert [(note.code, note.level) for note in notes] == [("levels-vanished", "warning")]
    assert "1 of 3 categories" in notes[0].text


def test_utility_at_the_floor_is_noted(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    assert codes(train, held_out, synthetic, scored(0.51), None) == ["utility-at-floor"]


def test_copies_and_known_members_are_noted(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    share = Score(value=0.3, low=0.2, high=0.4)
    none = Score(value=0.0, low=0.0, high=0.01)
    closest = ClosestRecord(
        rows=1,
        reference_rows=1,
        closer_to_train=share,
        levels=(),
        to_train=(),
        to_held_out=(),
        copies_of_train=share,
        copies_of_held_out=none,
    )
    member = MembershipAttack(
        attack="d",
        title="D",
        members=1,
        non_members=1,
        auc=Score(value=0.7, low=0.6, high=0.8),
        true_positives_at_one_percent=0.1,
    )
    risk = Risk(closest=closest, identifiability=None, attacks=(), membership=(member,))
    assert codes(train, held_out, synthetic, None, risk) == ["copies", "membership"]
    quiet = replace(risk, closest=replace(closest, copies_of_train=none), membership=())
    assert codes(train, held_out, synthetic, None, quiet) == []
