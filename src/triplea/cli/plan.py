"""`triplea plan`: what a release would ask, cost and need. No row is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_table, print_text

if TYPE_CHECKING:
    from triplea.releases.expectation import Expectation

EXAMPLES = """Examples:

- `triplea plan --schema patients.yaml --epsilon 1 --delta 1e-6 --rows 20000`
- `triplea plan -s patients.yaml -e 0.5 --method clustmix --json`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", epilog=EXAMPLES)(guarded(plan))


def plan(
    *,
    schema: options.SchemaOption,
    epsilon: options.EpsilonOption = 1.0,
    delta: options.DeltaOption = 1e-5,
    method: options.MethodOption = "auto",
    variant: options.VariantOption = "provable",
    neighbours: options.NeighboursChoice = options.NeighboursOption.ADD_OR_REMOVE_ONE,
    rows: options.RowsOption = None,
    param: options.ParamOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show every question a release would ask, its price, the time and memory needed, and what to expect.

    Reads the schema only: the table is not opened, and no budget is spent. What to expect depends on the size
    of the table: guess it with --rows.
    """
    import triplea
    from triplea.schema.check import named

    preflight = triplea.plan(
        schema=schema,
        epsilon=epsilon,
        delta=delta,
        method=method,
        variant=variant,
        neighbours=neighbours.value,
        rows=rows,
        params=options.parse_pairs(param, option="--param"),
    )
    if as_json:
        print_json(preflight.to_json())
        return
    for line in preflight.outline:
        print_text(f"- {line}")
    print_table(
        title=f"{preflight.method} ({preflight.variant}): what a release would ask",
        headers=("question", "mechanism", "noise multiplier", "epsilon", "times"),
        rows=[_question(entry) for entry in preflight.ledger],
    )
    total = (
        "not proved" if preflight.epsilon_planned is None else f"epsilon = {preflight.epsilon_planned:.4g}"
    )
    print_text(f"Together: {total} at delta = {delta:g}, {preflight.neighbours}.")
    print_text(f"About {preflight.seconds:,.0f} s and {preflight.mebibytes:,.0f} MiB. No row was read.")
    if preflight.expectation is None:
        print_text("Guess the size of the table with --rows to hear what quality to expect.")
    else:
        _show_expectation(preflight.expectation)
    for text in options.weak_promises(epsilon, delta):
        print_note(f"Warning: {text}")
    if preflight.observed:
        print_note(f"Not confirmed as public knowledge: {named(preflight.observed)}.")


def _show_expectation(expected: Expectation) -> None:
    if expected.noise:
        print_table(
            title=f"Noise against counts, in a table of {expected.rows:,} rows",
            headers=("question", "noise of a count", "rows in an average cell", "an average cell is"),
            rows=[(n.label, f"{n.stddev:,.1f}", f"{n.rows_per_cell:,.1f}", n.words) for n in expected.noise],
        )
    print_text(expected.sentence)


def _question(entry: dict[str, Any]) -> tuple[object, ...]:
    """One line of the ledger; entries leave out what does not apply to their mechanism."""
    prices = (entry.get(name) for name in ("noise_multiplier", "epsilon"))
    return (entry["label"], entry["mechanism"], *prices, entry.get("times", 1))
