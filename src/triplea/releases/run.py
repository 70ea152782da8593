"""One release: price, reserve, open the door, fit, sample, certify."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from triplea.anonymize.budget_file import BudgetFile
from triplea.anonymize.certificate import Certificate, price
from triplea.anonymize.door import Door, Witness
from triplea.anonymize.neighbours import Neighbours
from triplea.engines import Engine
from triplea.errors import BudgetError, MethodError
from triplea.methods._base import Method
from triplea.releases.digest import schema_sha256
from triplea.releases.discovery import discover
from triplea.releases.fitted import FittedModel
from triplea.releases.request import Request, SchemaLike, prepare
from triplea.releases.versions import versions
from triplea.sample.draw import draw_tables
from triplea.sample.randomness import check_seed, public_generator
from triplea.schema import Schema
from triplea.schema.check import named
from triplea.tables import PrivateTable, deliver, open_table, parse_source

Stage = Callable[[str], None]
SEEDED = "Seeded noise: repeatable, therefore not private. For tests only, not for release."
WITNESSED = "The door was watched by a test. Not for release."


@dataclass(frozen=True, kw_only=True)
class Release:
    """Synthetic rows with their model and certificate. `rows` has the type of the table that went in."""

    model: FittedModel
    certificate: Certificate
    rows_seed: int

    @property
    def schema(self) -> Schema:
        """The public schema, completed by what was discovered."""
        return self.model.schema

    def tables(self) -> Iterator[pa.Table]:
        """Yield the released rows in chunks; the same rows every time."""
        rng = public_generator(self.rows_seed)
        return draw_tables(
            self.model.model, self.schema, self.certificate.rows, rng=rng, types=self.model.types
        )

    @cached_property
    def rows(self) -> Any:
        """All released rows."""
        return self.model.hand_over(pa.concat_tables(self.tables()))

    def save(self, folder: str | Path, *, csv: bool = False) -> Path:
        """Write the release folder, whole or not at all."""
        from triplea.releases.folder import save_release

        return save_release(self, Path(folder), csv=csv)


def release(
    table: Any,
    *,
    schema: SchemaLike,
    epsilon: float,
    delta: float,
    method: str | Method = "auto",
    variant: str = "provable",
    rows: int | None = None,
    neighbours: str | Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
    seed: int | None = None,
    params: Mapping[str, Any] | None = None,
    ledger: str | Path | None = None,
    query: str | None = None,
    accept_unproved: bool = False,
    progress: Stage | None = None,
) -> Release:
    """Make a synthetic version of a private table under one total (epsilon, delta).

    Args:
        table: a CSV or Parquet path, a folder of Parquet files, a database URL (with `query`), or a
            pandas, polars or pyarrow table.
        schema: public knowledge about the columns: a schema file, a dict or a `Schema`.
        epsilon: the total budget; everything that reads rows is paid from it.
        delta: the total delta; 0 asks for pure differential privacy.
        method: a method's name, or "auto".
        variant: "provable", or "published" for a paper's algorithm whose guarantee is only claimed.
        rows: how many synthetic rows; by default as many as the (noisy) count says.
        neighbours: "add-or-remove-one" or "replace-one".
        seed: for tests only; marks the certificate.
        params: parameters of the method.
        ledger: the budget file that keeps count over releases; next to the table by default for files.
        query: the SQL query, when `table` is a database URL.
        accept_unproved: must be true for a variant without a proof.
        progress: called with a short text at every stage.
    """
    check_seed(seed)
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
    if not request.proved and not accept_unproved:
        raise MethodError(
            f"method {request.method.name!r}, variant {request.method.variant!r}, has no proved guarantee: "
            "its epsilon is claimed by a paper, or there is none. Nothing was read. Choose variant "
            "'provable', or accept this with accept_unproved=True (--accept-unproved)."
        )
    source = parse_source(str(table), query) if query is not None or isinstance(table, str) else table
    private = open_table(source, schema=request.schema)
    file = BudgetFile(ledger) if ledger is not None else budget_file(private)
    reservation = None if file is None else _reserved(file, request)
    made = run(request, private, seed=seed, progress=progress)
    if file is not None and reservation is not None:
        # A reservation counts without the mark too: rows that were paid for are not lost for want of it.
        with suppress(BudgetError):
            file.complete(reservation)
    return made


def budget_file(table: PrivateTable) -> BudgetFile | None:
    """The budget file of a table: beside the file itself, by whatever name or link it was opened."""
    return None if table.path is None else BudgetFile.beside(table.path)


def _reserved(file: BudgetFile, request: Request) -> str:
    unit = None if request.schema.unit is None else request.schema.unit.column
    return file.reserve(list(request.charges.values()), request.budget, request.method.name, unit=unit)


def run(
    request: Request,
    table: PrivateTable,
    *,
    seed: int | None = None,
    engine: Engine | None = None,
    witness: Witness | None = None,
    progress: Stage | None = None,
) -> Release:
    """Carry out a priced request on an opened table."""
    say = progress or (lambda _: None)
    door = Door(
        table=table,
        schema=request.schema,
        budget=request.budget,
        charges=request.charges,
        seed=seed,
        engine=engine,
        witness=witness,
    )
    rng = public_generator(seed, stream=1)
    say("asking")
    discover(door)
    request.method.say = progress
    method = request.method.fit(door, rng=rng)
    door.charge_the_rest()
    say("sampling")
    n = request.rows or method.expected_rows
    fitted = FittedModel(
        model=method.model_, schema=door.schema, types=table.types, hand_over=partial(deliver, like=table)
    )
    rows_seed = int(rng.integers(2**62))
    return Release(model=fitted, certificate=_certify(request, door, rows=n), rows_seed=rows_seed)


def _certify(request: Request, door: Door, *, rows: int) -> Certificate:
    epsilon, curve = price(door.ledger.entries, request.budget)
    unit = request.schema.unit
    return Certificate(
        method=request.method.name,
        variant=request.method.variant,
        parameters=request.method.get_params(),
        budget=request.budget,
        unit="one row"
        if unit is None
        else f"all rows of one {unit.column!r} (at most {unit.max_rows} are used)",
        entries=tuple(door.ledger.entries),
        epsilon_proved=epsilon,
        delta_curve=curve,
        warnings=tuple(_warnings(request, door)),
        notes=(*request.method.notes_, *door.ledger.remarks),
        seeded=door.seeded,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
        rows=rows,
        schema_sha256=schema_sha256(door.schema),
    )


def _warnings(request: Request, door: Door) -> Iterator[str]:
    if door.seeded:
        yield SEEDED
    if door.witnessed:
        yield WITNESSED
    observed = request.schema.observed
    if observed:
        yield (
            f"Bounds, categories or kinds of {len(observed):,} column(s) were observed in data and not "
            f"confirmed as public knowledge: {named(observed)}. The guarantee holds only if they are public."
        )
    unit = request.schema.unit
    if unit is not None and unit.is_observed:
        yield (
            f"The row limit of the privacy unit, {unit.max_rows}, was observed in data and not confirmed as "
            "public knowledge. The guarantee holds only if it is public."
        )
