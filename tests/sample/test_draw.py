"""Rows are drawn in chunks and decoded to the schema."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.approximate.mixtures.product_mixture import ProductMixture
from triplea.errors import SchemaError, UserError
from triplea.sample.draw import draw_tables
from triplea.schema import Column, Schema

SCHEMA = Schema(columns=(Column(name="a", kind="categorical", categories=("x", "y")),))
MODEL = ProductMixture(
    weights=np.ones(1), tables={"a": np.array([[0.25, 0.75]])}, binnings={"a": each_value(SCHEMA.columns[0])}
)


@pytest.mark.parametrize(("n", "sizes"), [(0, [0]), (1, [1]), (10, [4, 4, 2]), (8, [4, 4])])
def test_chunks_add_up(n, sizes):
    chunks = draw_tables(MODEL, SCHEMA, n, rng=np.random.default_rng(0), chunk_rows=4)
    assert [len(chunk) for chunk in chunks] == sizes


def test_conditions_are_written_as_users_write_them():
    (table,) = draw_tables(MODEL, SCHEMA, 5, rng=np.random.default_rng(0), where={"a": "y"})
    assert table["a"].to_pylist() == ["y"] * 5


def test_a_condition_outside_the_schema_is_refused():
    with pytest.raises(SchemaError, match="'z' is not allowed"):
        draw_tables(MODEL, SCHEMA, 5, rng=np.random.default_rng(0), where={"a": "z"})


def test_weights_are_a_further_column_of_every_chunk():
    schema = Schema(columns=SCHEMA.columns, target="a")
    chunks = list(draw_tables(MODEL, schema, 10, rng=np.random.default_rng(0), weights="w", chunk_rows=4))
    assert [chunk.column_names for chunk in chunks] == [["a", "w"]] * 3
    assert sum(sum(chunk["w"].to_pylist()) for chunk in chunks) == pytest.approx(10)


def test_weights_are_refused_before_a_row_is_drawn():
    with pytest.raises(UserError, match="the schema has none"):
        draw_tables(MODEL, SCHEMA, 5, rng=np.random.default_rng(0), weights="w")
