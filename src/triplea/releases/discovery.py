"""Completing a schema under the budget: categories and bounds that the owner does not list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism
from triplea.errors import MethodError
from triplea.methods._base import measuring
from triplea.queries.magnitudes import MagnitudeCounts
from triplea.schema import Column, Kind, Schema

SHARE = 0.05  # of the whole budget, for each column to discover (at most MOST_SHARE together)
MOST_SHARE = 0.3
OTHER = "other"
WIDE = 2**40  # provisional bounds of an integer column; wider values join the outermost magnitude


def open_columns(schema: Schema) -> list[Column]:
    """Columns whose categories or bounds are to be found."""
    return [column for column in schema.columns if not column.is_known]


def discovery_asks(schema: Schema, budget: Budget) -> list[Ask]:
    """Plan one question per open column; shares are fractions of the whole budget."""
    found = open_columns(schema)
    if found and budget.delta == 0 and any(column.is_discrete for column in found):
        names = ", ".join(repr(column.name) for column in found if column.is_discrete)
        raise MethodError(
            f"column {names}: discovering categories needs delta > 0, got delta = 0. "
            "List the categories in the schema, or give a delta."
        )
    share = min(SHARE, MOST_SHARE / max(len(found), 1))
    return [_ask(column, budget, share) for column in found]


def _ask(column: Column, budget: Budget, share: float) -> Ask:
    if column.is_discrete:
        return Ask(label=_label(column), mechanism=Mechanism.THRESHOLD, share=share, slack_delta_share=share)
    return measuring(budget, _label(column), share=share)


def _label(column: Column) -> str:
    return f"{'categories' if column.is_discrete else 'bounds'} of {column.name!r}"


def stand_in(schema: Schema) -> Schema:
    """A complete schema for planning: open columns get one category, or provisional bounds."""
    for column in open_columns(schema):
        known = _listed(column, ()) if column.is_discrete else _provisional(column)
        schema = schema.replace_column(known)
    return schema


def discover(door: Door) -> None:
    """Ask for every open column and let the door go on with the completed schema."""
    schema = door.schema
    for column in open_columns(schema):
        if column.is_discrete:
            keys = door.keys(column.name, label=_label(column))
            schema = schema.replace_column(_listed(column, keys))
        else:
            schema = schema.replace_column(_bounded(door, column))
        door.refine(schema)


def _listed(column: Column, keys: tuple[str, ...]) -> Column:
    """A column with the found categories; everything else becomes "other"."""
    names = (*(key for key in keys if key != OTHER), OTHER)
    return replace(column, categories=names, unknown="other", discover=False)


def _provisional(column: Column) -> Column:
    low, high = _widest(column)
    lower = column.lower if column.lower is not None else low
    upper = column.upper if column.upper is not None else high
    return replace(column, lower=lower, upper=upper, discover=False)


def _widest(column: Column) -> tuple[Any, Any]:
    """Bounds that any value fits; times reach as far as the schema allows in their unit."""
    if column.kind in (Kind.DATE, Kind.DATETIME):
        return ("1700-01-01", "2250-01-01") if column.unit_of_time == "ns" else ("0001-01-01", "9999-12-31")
    return (-(2.0**62), 2.0**62) if column.kind is Kind.NUMERIC else (-WIDE, WIDE)


def _bounded(door: Door, column: Column) -> Column:
    """Find the powers of two that hold nearly all rows, by a noisy count of magnitudes."""
    wide = _provisional(column)
    full = door.schema
    door.refine(full.replace_column(wide))
    offset = 0 if wide.size is None else int(wide.lower or 0)
    query = MagnitudeCounts(column=column.name, offset=offset, size=wide.size)
    answer = door.measure(query, label=_label(column))
    door.refine(full)
    spread = float(np.max(answer.stddev))
    held = np.nonzero(answer.values > 4.0 * spread)[0]  # about one empty cell in 30,000 passes by noise
    low, high = (query.edges(int(held[0]))[0], query.edges(int(held[-1]))[1]) if len(held) else (0.0, 1.0)
    lower = column.lower if column.lower is not None else low
    upper = column.upper if column.upper is not None else max(high, low + 1.0)
    lower, upper = np.clip([lower, upper], *wide.bounds).tolist()
    if wide.size is not None:
        lower, upper = int(np.floor(lower)), int(np.ceil(upper))
    return replace(column, lower=lower, upper=max(upper, lower), discover=False)
