"""Which questions a mixed table is asked, by the schema and the budget."""

import dataclasses

import pytest

from tests.methods.counting_support import SCHEMA, synthetic
from triplea.anonymize.budget import Budget
from triplea.methods._mosaic_shares import (
    CROSSED,
    LEAVES,
    MARGINS,
    MISSES,
    PAIRS,
    PURE,
    SHARES,
    is_stretched,
    last_look,
    looks,
    needy,
    planned,
)
from triplea.schema import Column, load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)
SHORT = load_schema(
    {"target": "b", "columns": [{"name": "a", "kind": "boolean"}, {"name": "b", "kind": "boolean"}]}
)


def pure(epsilon):
    return Budget(epsilon=epsilon, delta=0.0)


def test_shares_are_the_whole_budget():
    assert sum(SHARES.values()) == pytest.approx(1.0)
    assert all(sum(shares.values()) == pytest.approx(1.0) for _, shares in PURE)


def test_long_numbers_are_stretched_and_short_or_listed_ones_are_not():
    assert is_stretched(Column(name="a", kind="numeric", lower=0, upper=1))
    assert is_stretched(Column(name="a", kind="integer", lower=0, upper=99))
    assert not is_stretched(Column(name="a", kind="integer", lower=0, upper=9))
    assert not is_stretched(Column(name="a", kind="categorical", categories=tuple(range(99))))


def test_only_what_a_table_has_is_asked_for():
    assert needy(SCHEMA) and not needy(SHORT)
    assert set(planned(SCHEMA, BUDGET)) == set(SHARES)
    assert set(planned(SHORT, BUDGET)) == {MARGINS, MISSES}
    unlabelled = dataclasses.replace(SCHEMA, target=None)
    assert set(planned(unlabelled, BUDGET)) == {LEAVES, MARGINS, PAIRS}
    assert not looks(unlabelled, BUDGET) and not last_look(unlabelled, BUDGET)


@pytest.mark.parametrize(
    ("epsilon", "asked"),
    [
        (0.1, {LEAVES, MARGINS}),
        (1.9, {LEAVES, MARGINS}),
        (2.0, {LEAVES, MARGINS, PAIRS}),
        (6.0, {LEAVES, MARGINS, PAIRS, MISSES}),
    ],
)
def test_without_a_delta_the_louder_noise_is_the_fewer_questions_share_the_budget(epsilon, asked):
    assert set(planned(SCHEMA, pure(epsilon))) == asked
    assert CROSSED not in asked and not last_look(SCHEMA, pure(epsilon))


def test_without_a_delta_or_a_label_the_teacher_is_not_asked_about():
    unlabelled = dataclasses.replace(SCHEMA, target=None)
    assert set(planned(unlabelled, pure(8.0))) == {LEAVES, MARGINS, PAIRS}
    assert looks(SCHEMA, pure(8.0)) == (MISSES,) * 3


@pytest.mark.parametrize("epsilon", [1.0, 3.0, 8.0])
def test_what_is_planned_without_a_delta_is_what_is_asked(epsilon):
    made, fake = synthetic("mosaic", epsilon=epsilon, delta=0.0)
    asked = {entry.charge.label for entry in made.certificate.entries}
    assert asked == set(planned(SCHEMA, pure(epsilon)))
    assert made.certificate.budget.delta == 0.0
    assert (fake.ill == "yes").mean() == pytest.approx(0.2, abs=0.03)
