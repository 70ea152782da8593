"""`triplea evaluate`: how good and how risky a synthetic table is, measured on real rows."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplea.cli import options
from triplea.cli.guard import guarded
from triplea.cli.output import print_json, print_note, print_table, print_text, progress_bar
from triplea.cli.places import check_folder, whole_file

if TYPE_CHECKING:
    from triplea.results import Evaluation, Utility

EXAMPLES = """Examples:

- `triplea evaluate release/ --train train.parquet --test test.parquet --schema adult.json --out scores/`
- `triplea evaluate other.csv --train train.csv --test test.csv --schema s.yaml --out scores/ --suite full`
"""


class SuiteOption(StrEnum):
    """How much to measure."""

    QUICK = "quick"
    FULL = "full"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("evaluate", epilog=EXAMPLES)(guarded(evaluate))


def evaluate(
    release: Annotated[
        str,
        typer.Argument(
            metavar="RELEASE",
            help="A release folder, or any CSV or Parquet file of synthetic rows.",
            show_default=False,
        ),
    ],
    *,
    train: Annotated[
        str, typer.Option("--train", help="The real rows it was made from.", show_default=False)
    ],
    test: Annotated[str, typer.Option("--test", help="Real rows that were held out.", show_default=False)],
    schema: options.SchemaOption,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Where to write evaluation.json and report.html.",
            show_default=False,
        ),
    ],
    suite: Annotated[
        SuiteOption, typer.Option("--suite", help="quick (a minute) or full.")
    ] = SuiteOption.QUICK,
    target: Annotated[
        str | None, typer.Option("--target", help="Column to predict [default: the schema's, all of them].")
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option("--positive", help="The positive one of two classes [default: last by name]."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", **options.WHOLE, help="Seed of models and samples.")] = 0,
    threads: Annotated[int, typer.Option("--threads", **options.WHOLE, help="Processor cores to use.")] = 2,
    min_child_weight: Annotated[
        float, typer.Option("--min-child-weight", **options.NUMBER, help="LightGBM's option of that name.")
    ] = 1e-3,
    as_json: options.JsonOption = False,
) -> None:
    """Measure utility, fidelity and risk against real rows. For the owner's eyes only: do not publish."""
    from triplea.evaluate import evaluate as measure
    from triplea.report.owner import write_owner_report

    check_folder(out)  # before minutes of work
    with progress_bar(title="evaluate", hidden=as_json) as stage:
        found = measure(
            release,
            train=train,
            test=test,
            schema=schema,
            target=target,
            suite=str(suite),
            positive=positive,
            seed=seed,
            threads=threads,
            min_child_weight=min_child_weight,
            progress=lambda label, share: stage(f"{label} ({share:.0%})"),
        )
    out.mkdir(parents=True, exist_ok=True)
    written, page = out / "evaluation.json", out / "report.html"
    with whole_file(written) as record, whole_file(page) as drawn:
        found.save(record)
        write_owner_report(found, drawn)
    if as_json:
        print_json(found.to_dict())
        return
    _show(found)
    print_text(f"Written to {written} and {page}.")
    print_note(found.caution)


def _show(found: Evaluation) -> None:
    for utility in (found.utility, *found.further):
        if utility is not None:
            _show_utility(utility)
    fidelity = found.fidelity
    print_table(
        title="Fidelity: mean total-variation distance of marginals (0 is best)",
        headers=("marginals", "synthetic", "real bootstrap", "uniform rows"),
        rows=[(f"{m.ways}-way", m.mean, m.floor, m.uniform) for m in fidelity.marginals],
    )
    if found.risk is not None:
        rows: list[tuple[object, ...]] = [
            (attack.title, attack.rate.value, attack.baseline.value, attack.control.value, attack.risk.value)
            for attack in found.risk.attacks
        ]
        rows += [(f"Membership: {m.title}", m.auc.value, 0.5, None, None) for m in found.risk.membership]
        print_table(
            title="Risk: success of attacks (membership: AUC). Empirical, no guarantee",
            headers=("attack", "on members", "random", "on others", "risk"),
            rows=rows,
        )
    for note in found.notes:
        if note.level == "warning" or note.column is None:  # remarks on single columns are in the report
            print_note(f"{note.column + ': ' if note.column else ''}{note.text}")


def _show_utility(utility: Utility) -> None:
    names = (utility.headline, *(("accuracy", "f1") if utility.task == "classification" else ()))
    rows = [
        (
            result.title,
            result.trained_on,
            *(f"{result.scores[name].value:.4f}" for name in names),
            f"{result.scores[names[0]].low:.4f} to {result.scores[names[0]].high:.4f}",
        )
        for result in utility.results
        if result.tested_on == "real"
    ]
    print_table(
        title=f"Utility: predicting {utility.target} on real test rows",
        headers=("model", "trained on", *names, f"95 % of {names[0]}"),
        rows=rows,
    )
    if utility.majority_share is not None:
        share = f"{100 * utility.majority_share:.1f} %"
        print_text(f"Always saying the most common class is right on {share} of the rows.")
