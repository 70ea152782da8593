"""Arrow type names, as a schema's `dtype` entry writes them."""

from __future__ import annotations

import re

import pyarrow as pa

from triplea.errors import SchemaError

_TIMESTAMP = re.compile(r"timestamp\[(s|ms|us|ns)(?:,\s*tz=([^\]]+))?\]")
_DECIMAL = re.compile(r"decimal128\((\d{1,2}),\s*(\d{1,2})\)")
_DICTIONARY = re.compile(r"dictionary<values=(\w+), indices=(\w+), ordered=([01])>")
_EXAMPLES = "int32, float, double, bool, string, dictionary, date32, timestamp[us, tz=UTC], decimal128(10, 2)"


def parse_dtype(name: str) -> pa.DataType:
    """The Arrow type of a name such as `int32`, `timestamp[us, tz=UTC]` or `dictionary`."""
    text = name.strip()
    try:
        if text == "dictionary":
            return pa.dictionary(pa.int32(), pa.string())
        if found := _TIMESTAMP.fullmatch(text):
            return pa.timestamp(found[1], tz=found[2])
        if found := _DECIMAL.fullmatch(text):
            return pa.decimal128(int(found[1]), int(found[2]))
        if found := _DICTIONARY.fullmatch(text):
            values, indices = pa.type_for_alias(found[1]), pa.type_for_alias(found[2])
            return pa.dictionary(indices, values, ordered=found[3] == "1")
        return pa.type_for_alias(text)
    except (ValueError, TypeError, pa.ArrowException):
        raise SchemaError(f"dtype {name!r} is not an Arrow type name; use one such as {_EXAMPLES}") from None
