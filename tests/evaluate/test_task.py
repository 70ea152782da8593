from __future__ import annotations

import numpy as np
import pytest

from triplea.errors import TableError
from triplea.evaluate.rows import Field, Rows
from triplea.evaluate.task import make_task


def with_target(rows: Rows, codes: np.ndarray) -> Rows:
    return Rows(fields=rows.fields, values={**rows.values, "ill": codes})


def test_the_last_class_by_name_is_positive_unless_another_is_named(train: Rows) -> None:
    assert make_task(train, train, train, "ill").classes == ("no", "yes")
    task = make_task(train, train, train, "ill", positive="no")
    assert task.positive == "no"
    assert (task.train.target == 1 - train["ill"]).all()


def test_an_unknown_positive_class_is_refused(train: Rows) -> None:
    with pytest.raises(
        TableError, match=r"positive class 'maybe' does not occur: the classes are \['no', 'yes'\]"
    ):
        make_task(train, train, train, "ill", positive="maybe")


def test_the_majority_share_is_measured_on_test_rows(train: Rows, held_out: Rows) -> None:
    task = make_task(train, held_out, train, "ill")
    most = int(np.bincount(train["ill"]).argmax())
    assert task.majority_share == pytest.approx((held_out["ill"] == most).mean())


def test_rows_without_a_target_are_left_out_and_counted(train: Rows) -> None:
    holes = np.where(np.arange(len(train)) < 7, -1, train["ill"])
    task = make_task(train, train, with_target(train, holes), "ill")
    assert len(task.synthetic) == len(train) - 7
    assert [note.code for note in task.notes] == ["target-lost"]
    assert "7 of 400" in task.notes[0].text


def test_one_synthetic_class_and_a_vanished_class_are_noted(train: Rows) -> None:
    task = make_task(train, train, with_target(train, np.zeros(len(train), int)), "ill")
    assert [note.code for note in task.notes] == ["one-class"]
    three = tuple(
        Field(name="ill", levels=("no", "so", "yes")) if field.name == "ill" else field
        for field in train.fields
    )
    real = Rows(fields=three, values={**train.values, "ill": np.arange(len(train)) % 3})
    ours = Rows(fields=three, values={**train.values, "ill": np.arange(len(train)) % 2})
    notes = make_task(real, real, ours, "ill").notes
    assert [note.code for note in notes] == ["class-vanished"]
    assert "yes" in notes[0].text


def test_one_real_class_is_still_a_task(train: Rows) -> None:
    flat = with_target(train, np.ones(len(train), int))
    task = make_task(flat, flat, flat, "ill")
    assert len(task.classes) == 2
    assert "test-one-class" in [note.code for note in task.notes]


def test_no_real_target_value_is_refused(train: Rows) -> None:
    empty = with_target(train, np.full(len(train), -1))
    with pytest.raises(TableError, match="column 'ill': the real training rows hold no usable target value"):
        make_task(empty, train, train, "ill")


def test_numbers_are_regression_but_two_whole_numbers_are_classes(train: Rows) -> None:
    assert not make_task(train, train, train, "age").is_classification
    fields = (Field(name="flag", lower=0, upper=1, whole=True), *train.fields)
    rows = Rows(fields=fields, values={**train.values, "flag": (np.arange(len(train)) % 2).astype(float)})
    assert make_task(rows, rows, rows, "flag").classes == ("0", "1")
