"""Bring every Arrow array to one of a few plain types, without looking at whether the values make sense.

Plain types: booleans, integers, float32/64, decimals, text (also as a dictionary), date32 and timestamps.
Bytes that are not UTF-8 are replaced, silently: errors must not depend on rows. Every byte has a replacement
of its own, so that no two texts become one: they may be the ids of two people.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

NOT_UTF8 = "\ufffd"  # stands where bytes were no UTF-8, before a private character for each of them
MARKED = "triplea-marked"  # an error handler of codecs, for decoding and for encoding
_PRIVATE = 0xE000 - 0xD800  # from surrogates, which stand for such bytes in Python, to private characters
TEXT_CODES = pa.dictionary(pa.int32(), pa.string())
_LARGEST_WHOLE = 2.0**63 - 1024  # the last float that is an integer of 64 bits
_Rule = tuple[Callable[[pa.DataType], bool], pa.DataType]

_KEPT = (pt.is_boolean, pt.is_integer, pt.is_float32, pt.is_float64, pt.is_decimal, pt.is_timestamp)
_RULES: tuple[_Rule, ...] = (
    (pt.is_float16, pa.float32()),
    (pt.is_date, pa.date32()),
    (pt.is_null, pa.string()),
    (pt.is_time, pa.string()),
    (pt.is_large_string, pa.large_string()),
    (pt.is_large_binary, pa.large_string()),
)


def is_text(kind: pa.DataType) -> bool:
    """Say whether values are text or bytes."""
    return bool(
        pt.is_string(kind)
        or pt.is_large_string(kind)
        or pt.is_string_view(kind)
        or pt.is_binary(kind)
        or pt.is_large_binary(kind)
        or pt.is_binary_view(kind)
        or pt.is_fixed_size_binary(kind)
    )


def plain_type(kind: pa.DataType) -> pa.DataType | None:
    """Return the plain type that stands for `kind`, or None where there is none."""
    if isinstance(kind, pa.BaseExtensionType):
        return plain_type(kind.storage_type)
    if pt.is_dictionary(kind):
        return TEXT_CODES if is_text(kind.value_type) else plain_type(kind.value_type)
    if any(matches(kind) for matches in _KEPT):
        return kind
    for matches, target in _RULES:
        if matches(kind):
            return target
    return pa.string() if is_text(kind) else None


def plain(array: pa.Array) -> pa.Array:
    """Return the same values in a plain type."""
    if isinstance(array.type, pa.BaseExtensionType):
        return plain(array.storage)
    target = plain_type(array.type)
    if pt.is_dictionary(array.type):
        return _plain_dictionary(array, target)
    if is_text(array.type):
        return _text(array, target)
    if array.type == target:
        return array
    return pc.cast(array, target, safe=False)


def written(array: pa.Array) -> pa.Array:
    """Write values as text. Whole numbers look alike in all types: pandas changes types for a single row.

    >>> written(pa.array([2.0, 1e15, 0.5, None])).to_pylist()
    ['2', '1000000000000000', '0.5', None]
    """
    text = pc.cast(array, pa.string(), safe=False)
    if not pt.is_floating(array.type):
        return text
    wide = array.cast(pa.float64())
    whole = pc.and_(pc.equal(pc.floor(wide), wide), pc.less_equal(pc.abs(wide), _LARGEST_WHOLE))
    return pc.if_else(whole, pc.if_else(whole, wide, 0.0).cast(pa.int64()).cast(pa.string()), text)


def plain_batches(
    batches: Iterator[pa.RecordBatch], columns: list[str], batch_rows: int
) -> Iterator[pa.RecordBatch]:
    """Yield the asked columns of every batch in plain types, cut to `batch_rows` rows."""
    for batch in batches:
        arrays = [plain(batch.column(name)) for name in columns]
        whole = pa.RecordBatch.from_arrays(arrays, names=columns) if columns else batch.select([])
        for start in range(0, batch.num_rows, batch_rows):
            yield whole.slice(start, batch_rows)


def _plain_dictionary(array: pa.DictionaryArray, target: pa.DataType) -> pa.Array:
    if target != TEXT_CODES:
        return plain(array.dictionary_decode())
    values = _text(array.dictionary, pa.string())
    if array.type == TEXT_CODES and values is array.dictionary:
        return array
    return pa.DictionaryArray.from_arrays(pc.cast(array.indices, pa.int32(), safe=False), values)


def _text(array: pa.Array, target: pa.DataType) -> pa.Array:
    """Return valid UTF-8: a byte that is not is marked, as it is for CSV files."""
    as_bytes = pa.large_binary() if target == pa.large_string() else pa.binary()
    raw = array.cast(as_bytes)
    try:
        checked = raw.cast(target)
    except pa.ArrowInvalid:
        texts = [None if value is None else value.decode("utf-8", MARKED) for value in raw.to_pylist()]
        return pa.array(texts, target)
    return array if array.type == target else checked


def mark(code: int) -> str:
    """What stands for a byte, or for half of a surrogate pair, that is no text.

    >>> mark(0xFC) == mark(0xDCFC) == chr(0xFFFD) + chr(0xE4FC)
    True
    """
    return NOT_UTF8 + chr((code if code > 0xFF else 0xDC00 + code) + _PRIVATE)


def _marked(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace what cannot be decoded byte by byte, and what cannot be encoded surrogate by surrogate."""
    assert isinstance(error, UnicodeDecodeError | UnicodeEncodeError)
    bad = error.object[error.start : error.end]
    if isinstance(bad, bytes):
        return "".join(mark(byte) for byte in bad), error.end
    return "".join(mark(ord(half)) for half in bad).encode(), error.end


codecs.register_error(MARKED, _marked)
