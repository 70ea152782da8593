"""Rows in [0, 1] and back."""

import json

import numpy as np
import pytest

from tests.support.tables import MIXED, mixed_table
from triplea.approximate.codes.unit_code import CODES, SCALINGS, UnitCode
from triplea.schema import load_schema

SCHEMA = load_schema(MIXED)
ROWS = SCHEMA.encode(mixed_table(60))
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("scaling", SCALINGS)
def test_vectors_lie_in_the_cube_and_come_back_as_allowed_rows(codes, scaling):
    code = UnitCode.fitted(SCHEMA, SCHEMA.names, ROWS, codes=codes, scaling=scaling)
    vectors = code.encode(ROWS)
    assert vectors.shape == (60, code.width) and vectors.min() >= 0.0 and vectors.max() <= 1.0
    far = code.decode(RNG.normal(size=(30, code.width)) * 9, rng=RNG)
    assert SCHEMA.decode(far).num_rows == 30


@pytest.mark.parametrize("scaling", SCALINGS)
def test_numbers_survive_the_round_trip(scaling):
    code = UnitCode.fitted(SCHEMA, ("age",), ROWS, codes="ordinal", scaling=scaling)
    back = code.decode(code.encode(ROWS), rng=RNG)["age"]
    present = ROWS["age"] < SCHEMA.column("age").size
    order = np.argsort(ROWS["age"][present], kind="stable")
    assert (np.diff(back[present][order]) >= 0).all()
    if scaling == "min-max":
        assert np.array_equal(back[present], ROWS["age"][present])


def test_one_hot_categories_are_drawn_by_their_entries():
    code = UnitCode.fitted(SCHEMA, ("ward",), ROWS, codes="one-hot", scaling="min-max")
    assert code.width == SCHEMA.column("ward").cells
    entries = np.zeros((2000, code.width))
    entries[:, :2] = [0.75, 0.25]
    drawn = code.decode(entries, rng=RNG)["ward"]
    assert abs((drawn == 0).mean() - 0.75) < 0.04 and set(drawn.tolist()) == {0, 1}


def test_constant_columns_and_no_rows_are_no_trouble():
    nothing = {name: values[:0] for name, values in ROWS.items()}
    for scaling in SCALINGS:
        code = UnitCode.fitted(SCHEMA, SCHEMA.names, nothing, codes="ordinal", scaling=scaling)
        assert code.encode(nothing).shape == (0, code.width)
    same = {**ROWS, "score": np.full(60, 0.25)}
    code = UnitCode.fitted(SCHEMA, ("score",), same, codes="ordinal", scaling="min-max")
    assert np.allclose(code.decode(code.encode(same), rng=RNG)["score"], 0.25)


def test_a_short_tail_spreads_the_middle_and_cuts_the_ends():
    long, short = (
        UnitCode.fitted(SCHEMA, ("age",), ROWS, codes="ordinal", scaling="normal-quantile", tail=t).encode(
            ROWS
        )
        for t in (3.0, 1.0)
    )
    assert short.std() > 1.5 * long.std()
    assert (short == 1.0).sum() > (long == 1.0).sum()


def test_it_can_be_stored():
    code = UnitCode.fitted(SCHEMA, SCHEMA.names, ROWS, codes="one-hot", scaling="normal-quantile", tail=1.5)
    description, arrays = code.state()
    again = UnitCode.from_state(json.loads(json.dumps(description)), arrays)
    assert np.array_equal(again.encode(ROWS), code.encode(ROWS))
