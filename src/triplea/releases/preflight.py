"""Before anything is read: the ledger as it will be, the rows, the time and the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from triplea.anonymize.accountant import epsilon_of
from triplea.anonymize.neighbours import Neighbours
from triplea.methods._base import Method
from triplea.releases.discovery import stand_in
from triplea.releases.expectation import Expectation, expect
from triplea.releases.request import SchemaLike, prepare
from triplea.schema import Schema


@dataclass(frozen=True, kw_only=True)
class Preflight:
    """What a release would ask, need and be worth. Made from the schema, the budget and `rows` alone.

    `rows`, the number of rows to make, is also the guess at the size of the private table.
    """

    method: str
    variant: str
    epsilon: float
    delta: float
    neighbours: str
    epsilon_planned: float | None
    ledger: tuple[dict[str, Any], ...]
    rows: int | None
    seconds: float
    mebibytes: float
    cells: int
    observed: tuple[str, ...]
    proved: bool
    outline: tuple[str, ...] = ()
    expectation: Expectation | None = None

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able form."""
        return asdict(self)


def plan(
    *,
    schema: SchemaLike,
    epsilon: float,
    delta: float,
    method: str | Method = "auto",
    variant: str = "provable",
    rows: int | None = None,
    neighbours: str | Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
    params: Mapping[str, Any] | None = None,
) -> Preflight:
    """Say what a release would do. Nothing is read; what cannot work is refused with what would."""
    request = prepare(
        schema=schema,
        epsilon=epsilon,
        delta=delta,
        method=method,
        variant=variant,
        rows=rows,
        neighbours=neighbours,
        params=params,
    )
    charges = list(request.charges.values())
    total = epsilon_of(charges, delta=delta, neighbours=request.budget.neighbours)
    cost = request.cost()
    public = stand_in(request.schema)
    expected = None
    if rows is not None:
        expected = expect(request.method, public, rows=rows, budget=request.budget, charges=request.charges)
    return Preflight(
        method=request.method.name,
        variant=request.method.variant,
        epsilon=epsilon,
        delta=delta,
        neighbours=request.budget.neighbours.value,
        epsilon_planned=total if request.proved else None,
        ledger=tuple(charge.to_json() for charge in charges),
        rows=rows,
        seconds=cost.seconds,
        mebibytes=cost.mebibytes,
        cells=cost.cells,
        observed=_observed(request.schema),
        proved=request.proved,
        outline=(
            *request.method.outline(public, request.budget),
            *request.method.needs(public, request.budget),
        ),
        expectation=expected,
    )


def _observed(schema: Schema) -> tuple[str, ...]:
    limit = ("the row limit of the unit",) if schema.unit is not None and schema.unit.is_observed else ()
    return (*schema.observed, *limit)
