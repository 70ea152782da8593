"""Mixed rows become vectors of bounded norm and come back as they were."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.tables import mixed_schema, mixed_table
from triplea.approximate.codes.vectors import BlockKind, VectorCode
from triplea.schema import load_schema

SCHEMA = mixed_schema()
CODE = VectorCode(SCHEMA)
ROWS = SCHEMA.encode(mixed_table(300))


def test_rows_come_back_exactly_where_floats_allow():
    back = CODE.decode(CODE.encode(ROWS))
    for column in SCHEMA.columns:
        one, two = ROWS[column.name], back[column.name]
        if column.name in ("score", "dose", "fixed", "seen"):  # numbers, and times counted in microseconds
            assert np.allclose(one, two, equal_nan=True, rtol=1e-9)
        else:
            assert np.array_equal(one, two), column.name


def test_every_row_keeps_the_stated_norms():
    matrix = CODE.encode(ROWS)
    radius, reach = CODE.norm_bounds()
    assert np.abs(matrix).max() <= 1.0
    assert np.linalg.norm(matrix, axis=1).max() <= radius
    assert np.abs(matrix).sum(axis=1).max() <= reach
    some = np.flatnonzero(CODE.owner <= 2)
    assert np.linalg.norm(matrix[:, some], axis=1).max() <= CODE.norm_bounds(some)[0] == np.sqrt(3)


def test_kinds_of_blocks():
    kinds = {block.column.name: block.kind for block in CODE.blocks}
    assert kinds["ward"] is BlockKind.CHOICE
    assert kinds["sick"] is BlockKind.TWO
    assert kinds["grade"] is BlockKind.NUMBER
    assert kinds["fixed"] is BlockKind.CONSTANT
    assert CODE.blocks[-1].stop == CODE.width


@given(st.integers(0, 2**32))
def test_any_matrix_decodes_to_allowed_rows(seed):
    matrix = np.random.default_rng(seed).normal(0, 3, (20, CODE.width))
    for rng in (None, np.random.default_rng(1)):
        rows = CODE.decode(matrix, rng)
        for column in SCHEMA.columns:
            values = rows[column.name]
            if column.size is not None:
                assert ((values >= 0) & (values < column.cells)).all()
            else:
                inside = values[~np.isnan(values)]
                assert ((inside >= column.lower) & (inside <= column.upper)).all()
                assert column.nullable or len(inside) == 20


def test_categories_can_be_drawn_by_their_weights():
    schema = load_schema({"columns": [{"name": "c", "kind": "categorical", "categories": list("abc")}]})
    matrix = np.tile([0.7, -3.0, 0.3], (20_000, 1))
    drawn = VectorCode(schema).decode(matrix, np.random.default_rng(0))["c"]
    assert np.allclose(np.bincount(drawn, minlength=3) / 20_000, [0.7, 0.0, 0.3], atol=0.02)


@pytest.mark.parametrize(
    "column",
    [
        {"kind": "numeric", "lower": -8e307, "upper": 8e307},
        {"kind": "numeric", "lower": 0, "upper": 5e-324},
        {"kind": "integer", "lower": -(2**62), "upper": 2**62 - 3},
        {"kind": "categorical", "categories": ["only"]},
    ],
)
def test_extreme_columns_stay_in_bounds(column):
    schema = load_schema({"columns": [{"name": "x", **column}]})
    code = VectorCode(schema)
    ends = schema.column("x")
    values = np.array([ends.bounds[0], ends.bounds[1]]) if ends.size is None else np.array([0, ends.size - 1])
    matrix = code.encode({"x": values})
    assert np.isfinite(matrix).all()
    back = code.decode(np.vstack([matrix, 5 * matrix, -5 * matrix]))["x"]
    assert back[0] == values[0] and len(back) == 6
    assert (back >= values[0]).all() and (back <= values[1]).all()
