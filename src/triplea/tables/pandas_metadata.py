"""What pandas notes in the files and Arrow tables that it writes: which types its rows have decided.

A numpy column changes its type with its rows: one null turns whole numbers into floats, and decimals get as
many digits as the longest of them. So a stored type that comes from a numpy column may tell of single rows,
whatever container it has got into since.
"""

from __future__ import annotations

import json
import re

import pyarrow as pa

from triplea.tables.plain import TEXT_CODES, is_text

_KEY = b"pandas"
# Extension types, float32, times and text do not change. Objects have whatever type their values suggest.
_DECIDED = re.compile(r"u?int\d+|float64|bool|object")


def without_row_types(layout: pa.Schema) -> pa.Schema:
    """Return the layout with the null type for columns whose type the rows of a pandas table have decided.

    Categories of text stay such, with codes of one width.
    """
    decided = _decided_columns(layout)
    return pa.schema([_declared(part) if part.name in decided else part for part in layout])


def _declared(part: pa.Field) -> pa.Field:
    """Text stays text, without a word on how many bytes its codes need or whether all of it is missing."""
    if pa.types.is_dictionary(part.type) and is_text(part.type.value_type):
        return part.with_type(TEXT_CODES)
    return part.with_type(pa.string() if is_text(part.type) or pa.types.is_null(part.type) else pa.null())


def _decided_columns(layout: pa.Schema) -> set[str]:
    try:
        noted = json.loads((layout.metadata or {})[_KEY])["columns"]
        return {
            str(column.get("field_name") or column["name"])
            for column in noted
            if _DECIDED.fullmatch(str(column["numpy_type"]))
        }
    except (KeyError, TypeError, ValueError, AttributeError):  # not written by pandas, or not as we know it
        return set()
