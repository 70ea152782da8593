from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial, reduce
from multiprocessing import get_context

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.binning import each_value
from triplea.engines import Engine, LocalEngine, keys_of_batch, part_of, sum_of_batch
from triplea.engines.base import IntArray
from triplea.errors import SchemaError
from triplea.queries import Marginals, SumQuery
from triplea.schema import Column, Encoded, Kind, Schema
from triplea.tables import PrivateTable, open_table

WARD = Column(name="ward", kind=Kind.CATEGORICAL, categories=("a", "b", "c"), nullable=True)
AGE = Column(name="age", kind=Kind.INTEGER, lower=0, upper=9)
SCHEMA = Schema(columns=(WARD, AGE))
QUERY = Marginals(groups=[("ward", "age")], binnings={c.name: each_value(c) for c in SCHEMA.columns})


class ElsewhereEngine:
    """What a cluster engine looks like: batches go to other processes, partial sums come back."""

    def __init__(self, *, batch_rows: int = 10) -> None:
        self.batch_rows = batch_rows

    def total(self, table: PrivateTable, schema: Schema, query: SumQuery) -> IntArray:
        part = part_of(schema, query.columns)
        batches = table._arrow_batches(part.names, self.batch_rows)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as workers:
            partials = workers.map(partial(sum_of_batch, schema=part, query=query), batches)
            return reduce(np.add, partials, np.zeros(query.shape, dtype=np.int64))

    def key_counts(self, table: PrivateTable, column: Column) -> dict[str, int]:
        return dict(
            sum(map(keys_of_batch, table._arrow_batches([column.name])), start=keys_of_batch(_nothing()))
        )

    def whole(self, table: PrivateTable, schema: Schema) -> Encoded:
        raise NotImplementedError("rows stay where they are")


def _nothing() -> pa.RecordBatch:
    return pa.record_batch({"x": pa.array([], pa.string())})


def test_an_engine_that_maps_batches_in_another_process_gives_the_same_sums() -> None:
    rows = pa.table({"ward": ["a", "b", None, "zzz"] * 10, "age": list(range(40))})
    elsewhere: Engine = ElsewhereEngine()
    here: Engine = LocalEngine()
    table = open_table(rows, schema=SCHEMA)
    assert np.array_equal(elsewhere.total(table, SCHEMA, QUERY), here.total(table, SCHEMA, QUERY))
    assert elsewhere.key_counts(table, WARD) == here.key_counts(table, WARD) == {"a": 10, "b": 10, "zzz": 10}


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c", "?", None]), st.integers(-3, 12)), max_size=40),
    st.data(),
)
def test_the_sum_of_a_table_is_the_sum_of_its_parts(
    rows: list[tuple[str | None, int]], data: st.DataObject
) -> None:
    batch = pa.record_batch(
        {
            "ward": pa.array([w for w, _ in rows], pa.string()),
            "age": pa.array([a for _, a in rows], pa.int64()),
        }
    )
    cut = data.draw(st.integers(0, len(rows)))
    parts = [sum_of_batch(part, SCHEMA, QUERY) for part in (batch.slice(0, cut), batch.slice(cut))]
    assert np.array_equal(parts[0] + parts[1], sum_of_batch(batch, SCHEMA, QUERY))


def test_the_part_of_a_schema_holds_the_asked_columns_and_at_least_one() -> None:
    assert part_of(SCHEMA, ("age", "age")).names == ("age",)
    assert part_of(SCHEMA, None) is SCHEMA
    assert part_of(SCHEMA, ()).names == ("ward",)
    with pytest.raises(SchemaError, match='"wing" is not a column'):
        part_of(SCHEMA, ("wing",))


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        (pa.array(["x", "y", "x", None]), {"x": 2, "y": 1}),
        (pa.array(["x", "y", "x", None]).dictionary_encode(), {"x": 2, "y": 1}),
        (pa.array([1, 2, 1, None]), {"1": 2, "2": 1}),
        (pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["x", "x"])), {"x": 2}),
        (pa.array([], pa.string()), {}),
    ],
)
def test_keys_are_counted_once_a_row_and_nulls_not_at_all(values: pa.Array, counts: dict[str, int]) -> None:
    assert keys_of_batch(pa.RecordBatch.from_arrays([values], names=["k"])) == counts
