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
from typing import Any

from triplea.errors import MissingExtra

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
            "upper": round(math.log(101), 4),
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


@dataclass(frozen=True, kw_only=True)
class DemoResult:
    """The guarantee, and how well models do on the held-out real rows."""

    folder: str
    sentence: str
    method: str
    rows: dict[str, int]
    auc: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return dict(vars(self))


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
    synthetic = release.rows
    auc = {
        "synthetic rows": _auc(train=synthetic, test=test),
        "real rows (not private)": _auc(train=train, test=test),
        "nothing: the floor": 0.5,
    }
    return DemoResult(
        folder=str(out),
        sentence=release.certificate.sentence,
        method=release.certificate.method,
        rows={"synthetic": len(synthetic), "real": len(train), "held out": len(test)},
        auc=auc,
    )


def _auc(*, train: Any, test: Any) -> float:
    """Train LightGBM and return the area under its ROC curve on the test rows."""
    try:
        from lightgbm import LGBMClassifier
        from sklearn.metrics import roc_auc_score
    except ModuleNotFoundError:
        raise MissingExtra(package="lightgbm", extra="demo", purpose="the demo's comparison") from None
    features = [column["name"] for column in SCHEMA["columns"] if column["name"] != TARGET]
    model = LGBMClassifier(n_estimators=200, learning_rate=0.05, random_state=0, n_jobs=2, verbose=-1)
    model.fit(train[features].astype(float), train[TARGET].astype(int))
    scores = model.predict_proba(test[features].astype(float))[:, 1]
    return float(roc_auc_score(test[TARGET].astype(int), scores))
