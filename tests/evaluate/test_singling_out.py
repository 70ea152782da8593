from __future__ import annotations

import numpy as np

from triplea.evaluate.rows import Field, Rows
from triplea.evaluate.singling_out import (
    Clause,
    fits_one,
    multivariate_predicates,
    random_predicates,
    singling_out,
    univariate_predicates,
)


def test_a_predicate_fits_one_row_or_not() -> None:
    rows = Rows(
        fields=(Field(name="x", lower=0, upper=9), Field(name="c", levels=("u", "v"))),
        values={"x": np.array([1.0, 5.0, np.nan]), "c": np.array([0, 0, -1])},
    )
    assert fits_one((Clause(column="x", operator=">=", value=5.0),), rows)
    assert fits_one((Clause(column="x", operator="missing"), Clause(column="c", operator="missing")), rows)
    assert not fits_one((Clause(column="c", operator="==", value=0.0),), rows)
    assert not fits_one((Clause(column="x", operator=">=", value=9), Clause(column="c", operator="==")), rows)


def test_univariate_predicates_are_rare_values_and_extremes() -> None:
    rows = Rows(
        fields=(Field(name="x", lower=0, upper=9), Field(name="c", levels=("u", "v"))),
        values={"x": np.array([1.0, 5.0, 5.0, 8.0]), "c": np.array([0, 0, 0, 1])},
    )
    found = {(p[0].column, p[0].operator, p[0].value) for p in univariate_predicates(rows)}
    assert found == {("x", ">=", 8.0), ("x", "<=", 1.0), ("x", "==", 1.0), ("x", "==", 8.0), ("c", "==", 1.0)}


def test_multivariate_predicates_fit_one_synthetic_row_each(synthetic: Rows) -> None:
    found = multivariate_predicates(synthetic, wanted=40, columns=3, rng=np.random.default_rng(0))
    assert len(set(found)) == 40
    assert all(fits_one(predicate, synthetic) and len(predicate) == 3 for predicate in found)


def test_random_predicates_stay_in_the_schema(train: Rows) -> None:
    for predicate in random_predicates(train.fields, wanted=50, columns=2, rng=np.random.default_rng(0)):
        for clause in predicate:
            field = train.field(clause.column)
            upper = len(field.levels) - 1 if field.levels is not None else field.upper
            assert field.lower <= clause.value <= upper or field.is_category


def test_a_copy_singles_out_members_and_fresh_rows_do_not(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    for columns in (1, 4):
        copy = singling_out(
            held_out, train, held_out, attacks=150, columns=columns, rng=np.random.default_rng(0)
        )
        assert copy.rate.value == 1
        assert copy.risk.value > 0.9
        fresh = singling_out(
            train, held_out, synthetic, attacks=150, columns=columns, rng=np.random.default_rng(0)
        )
        assert fresh.risk.low is not None
        assert fresh.risk.low < 0.1
