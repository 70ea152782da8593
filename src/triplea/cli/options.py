"""Options that several commands share, and how their texts become values."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from triplea.errors import UserError


def number(text: str) -> float:
    """Read a number, or say what was got and how one is written."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"got {text!r}, allowed is a number such as 0.5 or 1e-6.") from None


def whole(text: str) -> int:
    """Read a whole number, or say what was got and how one is written."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"got {text!r}, allowed is a whole number such as 1000.") from None


NUMBER: Any = {"parser": number, "metavar": "NUMBER"}
WHOLE: Any = {"parser": whole, "metavar": "N"}


class NeighboursOption(StrEnum):
    """The spellings of `--neighbours`, as in `triplea.anonymize.Neighbours`, which is slow to import."""

    ADD_OR_REMOVE_ONE = "add-or-remove-one"
    REPLACE_ONE = "replace-one"


TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A CSV or Parquet file, a folder of Parquet files, or a database address (duckdb:///file.db, "
        "sqlite:///file.db, postgresql://...) together with --query.",
        show_default=False,
    ),
]
SchemaOption = Annotated[
    Path,
    typer.Option("--schema", "-s", metavar="FILE", help="The schema: JSON or YAML.", show_default=False),
]
QueryOption = Annotated[
    str | None,
    typer.Option("--query", metavar="SQL", help="What to select, when TABLE is a database address."),
]
EpsilonOption = Annotated[
    float, typer.Option("--epsilon", "-e", **NUMBER, help="Privacy budget: smaller protects more.")
]
DeltaOption = Annotated[
    float, typer.Option("--delta", "-d", **NUMBER, help="Slack in the promise; keep it well below 1/rows.")
]
NeighboursChoice = Annotated[
    NeighboursOption,
    typer.Option(
        "--neighbours",
        metavar="RELATION",
        help="What one person's part is: add-or-remove-one or replace-one row.",
    ),
]
MethodOption = Annotated[str, typer.Option("--method", "-m", help="A name from `triplea methods`, or auto.")]
VariantOption = Annotated[
    str, typer.Option("--variant", help="provable (guarantee proved) or published (as the paper prints it).")
]
RowsOption = Annotated[
    int | None,
    typer.Option("--rows", "-n", **WHOLE, help="How many rows to make [default: a private count]."),
]
ParamOption = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="NAME=VALUE", help="A setting of the method; may be repeated."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and no progress.")]


Number = TypeVar("Number", bound=float | None)


def at_least(least: float) -> Callable[[Number], Number]:
    """A check of an option that says what it got and what is allowed."""

    def check(value: Number) -> Number:
        if value is not None and not value >= least:
            raise typer.BadParameter(f"got {value:g}, allowed is {least:g} or more.")
        return value

    return check


MOST_USUAL_EPSILON, MOST_USUAL_DELTA = 10.0, 1e-3


def weak_promises(epsilon: float, delta: float) -> Iterator[str]:
    """Say in words when the numbers asked for promise next to nothing."""
    if MOST_USUAL_EPSILON < epsilon < math.inf:
        yield (
            f"epsilon = {epsilon:g} protects little: one person may change the odds of a conclusion "
            f"{math.exp(min(epsilon, 700)):.0e}-fold. Up to 1 is strong, above {MOST_USUAL_EPSILON:g} rare."
        )
    if MOST_USUAL_DELTA < delta < 1:
        yield (
            f"delta = {delta:g} is the chance that the promise fails outright. Keep it well below one over "
            "the number of rows, for example 1e-6."
        )


def parse_pairs(pairs: list[str] | None, *, option: str, names: Iterable[str] = ()) -> dict[str, Any]:
    """Read NAME=VALUE texts; a value that is JSON (a number, true, a list) becomes that value.

    The first "=" ends the name, unless what stands before is one of `names` with its own "=".

    >>> parse_pairs(["clusters=20", "kernel=ntk"], option="--param")
    {'clusters': 20, 'kernel': 'ntk'}
    >>> parse_pairs(["sex=female=1"], option="--where", names=["sex=female"])
    {'sex=female': 1}
    """
    values: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, text = _split(pair, names)
        if not equals or not name.strip():
            raise UserError(f"{option} expects NAME=VALUE, got {pair!r}. Write for example: {option} name=3")
        if name.strip() in values:
            raise UserError(f"{option} names {name.strip()!r} twice. Keep one of them.")
        values[name.strip()] = _value(text.strip())
    return values


def _split(pair: str, names: Iterable[str]) -> tuple[str, str, str]:
    """Cut a pair at the first "=", or behind the longest name that has one of its own."""
    own = max((name for name in names if "=" in name and pair.startswith(f"{name}=")), key=len, default=None)
    return pair.partition("=") if own is None else (own, "=", pair[len(own) + 1 :])


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
