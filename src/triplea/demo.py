"""The whole way once, on a public table: the RAND Health Insurance Experiment, which ships with statsmodels.

20,190 person-years. To predict: did the person visit a doctor that year? Every fourth row is held out; a
model trained on synthetic rows and one trained on real rows are compared on the held-out rows. A person has
several rows and the table has no identifier, so the unit here is one person-year; and as years of one person
stand on both sides of the split, the model trained on real rows gains a little by recognising them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triplea.errors import MissingExtra

if TYPE_CHECKING:
    from triplea.anonymize.certificate import Certificate

TARGET = "any_visit"
EPSILON = 1.0
DELTA = 1e-5  # fixed and public; well below one over the number of rows

# The data dictionary is part of statsmodels' documentation of the data set. Where it gives no bound, the
# design of the experiment does: no family had to pay more than 1,000 dollars a year, and the shares of the
# bill that a family had to pay were 0, 25, 50 or 95 per cent.
SCHEMA: dict[str, Any] = {
    "name": "randhie",
    "target": TARGET,
    "columns": [
        {
            "name": "lncoins",
            "kind": "numeric",
            "lower": 0.0,
            "upper": math.log(101),
            "source": "data dictionary",
            "note": "ln(coinsurance + 1), coinsurance from 0 to 100 per cent",
        },
        {"name": "idp", "kind": "boolean", "source": "data dictionary", "note": "individual deductible plan"},
        {
            "name": "lpi",
            "kind": "numeric",
            "lower": 0.0,
            "upper": 8.0,
            "source": "reasoned",
            "note": "ln(participation payment), for a loss of at most 1,000 dollars; e^8 = 2,981",
        },
        {
            "name": "fmde",
            "kind": "numeric",
            "lower": 0.0,
            "upper": 8.3,
            "source": "reasoned",
            "note": "ln(MDE / (0.01 coinsurance)); at most ln(1,000 / 0.25) = 8.294",
        },
        {
            "name": "physlm",
            "kind": "numeric",
            "lower": 0.0,
            "upper": 1.0,
            "source": "data dictionary",
            "note": "1 if the person has a physical limitation; gaps are filled with shares in between",
        },
        {
            "name": "disea",
            "kind": "numeric",
            "lower": 0.0,
            "upper": 60.0,
            "source": "reasoned",
            "note": "index of chronic diseases; 60 is 7 standard deviations above the published mean",
        },
        {
            "name": "hlthg",
            "kind": "boolean",
            "source": "data dictionary",
            "note": "self-rated health is good",
        },
        {
            "name": "hlthf",
            "kind": "boolean",
            "source": "data dictionary",
            "note": "self-rated health is fair",
        },
        {
            "name": "hlthp",
            "kind": "boolean",
            "source": "data dictionary",
            "note": "self-rated health is poor",
        },
        {
            "name": TARGET,
            "kind": "boolean",
            "source": "data dictionary",
            "note": "at least one visit (mdvis >= 1)",
        },
    ],
}


TRAINED_ON = {
    "synthetic": "synthetic rows",
    "real": "real rows (not private)",
    "nothing": "nothing: the floor",
}


@dataclass(frozen=True, kw_only=True)
class DemoResult:
    """The guarantee, and how well LightGBM does on the held-out real rows."""

    folder: str
    certificate: Certificate
    scores: tuple[tuple[str, int, float, str], ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        names = ("trained_on", "rows", "auc", "interval")
        scores = [dict(zip(names, score, strict=True)) for score in self.scores]
        return {"folder": self.folder, "sentence": self.certificate.sentence, "scores": scores}


def load_rows() -> tuple[Any, Any]:
    """Return the training rows and the held-out rows as pandas data frames."""
    try:
        from statsmodels.datasets import randhie
    except ModuleNotFoundError:
        raise MissingExtra(package="statsmodels", extra="demo", purpose="the demo's table") from None
    table = randhie.load_pandas().data
    table[TARGET] = table["mdvis"] >= 1
    table = table.drop(columns="mdvis")
    held_out = table.index % 4 == 3
    return table[~held_out].reset_index(drop=True), table[held_out].reset_index(drop=True)


def run_demo(*, out: Path, progress: Callable[[str], None] | None = None) -> DemoResult:
    """Release the training rows into a folder, and compare models on the held-out rows."""
    import triplea
    from triplea.releases.folder import check_destination

    check_destination(out)
    train, test = load_rows()
    release = triplea.release(train, schema=SCHEMA, epsilon=EPSILON, delta=DELTA, progress=progress)
    release.save(out)
    scores = _scores(train=train, test=test, synthetic=release.rows, progress=progress)
    return DemoResult(folder=str(out), certificate=release.certificate, scores=scores)


def _scores(
    *, train: Any, test: Any, synthetic: Any, progress: Callable[[str], None] | None
) -> tuple[tuple[str, int, float, str], ...]:
    """Return who was trained on what, on how many rows, with which AUC and 95 % interval."""
    from triplea.evaluate.models import LIGHTGBM, Settings
    from triplea.evaluate.progress import Steps
    from triplea.evaluate.sources import read_tables
    from triplea.evaluate.task import make_task
    from triplea.evaluate.utility import measure_utility, utility_steps
    from triplea.schema import load_schema

    tables = read_tables(train, test, synthetic, schema=load_schema(SCHEMA))
    task = make_task(tables.train, tables.test, tables.synthetic, TARGET)
    report = None if progress is None else lambda label, _share: progress(label)
    steps = Steps(utility_steps(task, [LIGHTGBM]), report)
    utility = measure_utility(task, [LIGHTGBM], settings=Settings(), steps=steps)
    found = [
        (
            TRAINED_ON[result.trained_on],
            0 if result.trained_on == "nothing" else result.rows,
            result.scores["roc_auc"],
        )
        for result in utility.results
        if result.trained_on in TRAINED_ON and result.tested_on == "real"
    ]
    return tuple(
        (name, rows, score.value, "" if score.low is None else f"{score.low:.3f} to {score.high:.3f}")
        for name, rows, score in found
    )
