from __future__ import annotations

from datetime import date, time
from decimal import Decimal

import pyarrow as pa
import pytest

from triplea.tables.plain import TEXT_CODES, plain, plain_batches, plain_type


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (pa.array([1, None], pa.int16()), pa.int16()),
        (pa.array([1.5], pa.float16()), pa.float32()),
        (pa.array([Decimal("1.5")]), pa.decimal128(2, 1)),
        (pa.array([date(2020, 1, 2)], pa.date64()), pa.date32()),
        (pa.array([time(12, 30)]), pa.string()),
        (pa.nulls(2), pa.string()),
        (pa.array(["a"], pa.string_view()), pa.string()),
        (pa.array(["a"], pa.large_string()), pa.large_string()),
        (pa.array([b"a"], pa.binary(1)), pa.string()),
        (pa.array(["a", "b"]).dictionary_encode(), TEXT_CODES),
        (pa.array(["a"], pa.large_string()).dictionary_encode(), TEXT_CODES),
        (pa.array([3, 4]).dictionary_encode(), pa.int64()),
        (pa.array([b"0123456789abcdef"], pa.uuid()), pa.string()),
    ],
)
def test_every_readable_type_becomes_the_announced_plain_type(array: pa.Array, kind: pa.DataType) -> None:
    assert plain_type(array.type) == kind
    assert plain(array).type == kind
    assert plain(array).null_count == array.null_count


@pytest.mark.parametrize("kind", [pa.list_(pa.int8()), pa.struct([("a", pa.int8())]), pa.duration("s")])
def test_nested_types_and_durations_have_no_plain_type(kind: pa.DataType) -> None:
    assert plain_type(kind) is None


def test_bytes_that_are_not_utf8_are_replaced_also_inside_a_dictionary() -> None:
    broken = pa.array([b"a\xff", b"b", None]).view(pa.string())
    assert plain(broken).to_pylist() == ["a\ufffd\ue4ff", "b", None]
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), broken.slice(0, 2))
    assert plain(coded).to_pylist() == ["a\ufffd\ue4ff", "b", None]


def test_batches_are_cut_and_keep_their_row_count_without_columns() -> None:
    batch = pa.record_batch({"a": [1, 2, 3]})
    assert [part.num_rows for part in plain_batches(iter([batch]), ["a"], 2)] == [2, 1]
    assert [part.num_rows for part in plain_batches(iter([batch]), [], 2)] == [2, 1]
