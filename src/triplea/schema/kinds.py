"""The kinds of column that a schema knows."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a column holds, which decides how it is encoded."""

    CATEGORICAL = "categorical"
    ORDINAL = "ordinal"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    NUMERIC = "numeric"
    DATETIME = "datetime"
    DATE = "date"
    IDENTIFIER = "identifier"


LISTED = (Kind.CATEGORICAL, Kind.ORDINAL)
DISCRETE = (*LISTED, Kind.BOOLEAN)
TIMED = (Kind.DATETIME, Kind.DATE)
BOUNDED = (Kind.INTEGER, Kind.NUMERIC, *TIMED)
