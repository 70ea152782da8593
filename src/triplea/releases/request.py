"""What was asked for, checked and priced: all of it before a row is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Required, TypedDict

from triplea.anonymize.accountant import calibrate
from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Plan
from triplea.errors import BudgetError, MethodError
from triplea.methods._base import Cost, Method
from triplea.registry import create_method
from triplea.releases.discovery import discovery_asks, stand_in
from triplea.releases.fitted import MOST_ROWS
from triplea.schema import Schema, load_schema

GUESSED_ROWS = 100_000
SchemaLike = Schema | Mapping[str, Any] | str | Path


@dataclass(frozen=True, kw_only=True)
class Request:
    """A release that could start now."""

    schema: Schema
    budget: Budget
    method: Method
    charges: Mapping[str, Charge]
    rows: int | None

    @property
    def proved(self) -> bool:
        """Whether every question has a proof."""
        return all(charge.mechanism.is_proved for charge in self.charges.values())

    def cost(self) -> Cost:
        """Estimate what it takes; the private row count is unknown here, so it is guessed."""
        return self.method.cost(stand_in(self.schema), self.rows or GUESSED_ROWS)


class Options(TypedDict, total=False):
    """What `prepare` takes, for those that hand all of it on."""

    schema: Required[SchemaLike]
    epsilon: Required[float]
    delta: Required[float]
    method: str | Method
    variant: str
    rows: int | None
    neighbours: str | Neighbours
    params: Mapping[str, Any] | None


def prepare(
    *,
    schema: SchemaLike,
    epsilon: float,
    delta: float,
    method: str | Method = "auto",
    variant: str = "provable",
    rows: int | None = None,
    neighbours: str | Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
    params: Mapping[str, Any] | None = None,
) -> Request:
    """Check everything that was asked for and price the whole plan."""
    known = schema if isinstance(schema, Schema) else load_schema(schema)
    budget = Budget(epsilon=epsilon, delta=delta, neighbours=_relation(neighbours))
    chosen = _method(method, variant, params)
    if rows is not None and (type(rows) is not int or not 1 <= rows <= MOST_ROWS):
        raise MethodError(
            f"option rows must be a whole number from 1 to {MOST_ROWS:,}, got {rows!r}. "
            "Leave it out for about as many as the table has."
        )
    plan = whole_plan(chosen, known, budget)
    return Request(schema=known, budget=budget, method=chosen, charges=calibrate(plan, budget), rows=rows)


def _method(method: str | Method, variant: str, params: Mapping[str, Any] | None) -> Method:
    """The method of that name, or the one that was built already, which has its parameters."""
    if isinstance(method, str):
        return create_method(method, variant=variant, params=params)
    if not isinstance(method, Method):
        raise MethodError(f"option method must be a name or a Method, got {type(method).__name__}.")
    if params:
        raise MethodError(
            f"option params is for a method's name, got it with {method!r}. Set them where that is built."
        )
    return method


def whole_plan(method: Method, schema: Schema, budget: Budget) -> Plan:
    """The method's plan behind the questions that complete the schema, in shares of one budget."""
    first = discovery_asks(schema, budget)
    asked = method.plan(stand_in(schema), budget).asks
    left = 1.0 - sum(ask.share for ask in first)
    total = sum(ask.share for ask in asked)
    return Plan(asks=(*first, *(replace(ask, share=ask.share / total * left) for ask in asked)))


def _relation(name: str | Neighbours) -> Neighbours:
    try:
        return Neighbours(name)
    except ValueError:
        allowed = ", ".join(relation.value for relation in Neighbours)
        raise BudgetError(f"option neighbours must be one of {allowed}, got {name!r}.") from None
