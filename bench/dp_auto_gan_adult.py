"""DP-auto-GAN on Adult in the paper's setting: 13 columns, official split, delta 1e-5.

A random forest of 100 trees, trained on 32,561 synthetic rows and scored on the 16,281 real test rows; JSD
and smoothed KL summed over the paper's eight categorical columns. Prints one line of JSON per run.

    python bench/dp_auto_gan_adult.py --data FOLDER [--method dp-auto-gan] [--seeds 3] [--params '{}']
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

from triplea.evaluate.divergences import jensen_shannon, smoothed_kl
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import Encoded, Schema, load_schema
from triplea.tables import open_table

DROPPED = ("fnlwgt", "education")
EIGHT = (
    "workclass", "marital_status", "occupation", "relationship", "race", "sex", "native_country", "income",
)  # fmt: skip
PAPER = {1.01: (79.19, 0.19, 0.53), 0.51: (78.68, 0.23, 0.48), 0.36: (74.66, 0.33, 0.81)}


def paper_schema(folder: Path) -> Schema:
    """Adult without the two columns that the paper drops."""
    stored = json.loads((folder / "schemas" / "adult.json").read_text())
    stored["columns"] = [column for column in stored["columns"] if column["name"] not in DROPPED]
    return load_schema({**stored, "other_columns": [*stored.get("other_columns", []), *DROPPED]})


def scores(fake: Encoded, real: Encoded, test: Encoded, schema: Schema) -> dict[str, float]:
    """Accuracy, AUC, and the two sums over the eight columns."""

    def inputs(rows: Encoded) -> np.ndarray:
        return np.stack([np.nan_to_num(rows[name].astype(float)) for name in schema.features], axis=1)

    target = str(schema.target)
    forest = RandomForestClassifier(100, random_state=0, n_jobs=1).fit(inputs(fake), fake[target])
    shares = {
        name: [np.bincount(rows[name].astype(int), minlength=schema.column(name).cells) / len(rows[name])
               for rows in (real, fake)]
        for name in EIGHT
    }  # fmt: skip
    return {
        "accuracy": 100 * float((forest.predict(inputs(test)) == test[target]).mean()),
        "auc": float(roc_auc_score(test[target], forest.predict_proba(inputs(test))[:, 1])),
        "jsd": sum(jensen_shannon(p, q) for p, q in shares.values()),
        "smoothed_kl": sum(smoothed_kl(p, q) for p, q in shares.values()),
    }


def main() -> None:
    """Run every epsilon of the paper."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--method", default="dp-auto-gan")
    parser.add_argument("--variant", default="provable")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--params", type=json.loads, default={})
    options = parser.parse_args()
    schema = paper_schema(options.data)
    whole = pq.read_table(options.data / "adult.parquet")
    train, test = (whole.filter(pc.equal(whole["split"].cast("string"), part)) for part in ("train", "test"))
    for epsilon, (accuracy, jsd, kl) in PAPER.items():
        for seed in range(options.seeds):
            cpu = time.process_time()
            request = prepare(
                schema=schema, epsilon=epsilon, delta=1e-5, method=options.method, variant=options.variant,
                rows=train.num_rows, params=options.params,
            )  # fmt: skip
            made = run(request, open_table(train, schema=schema), seed=seed)
            fake = schema.encode(pa.concat_tables(made.tables()))
            taken = time.process_time() - cpu
            found = scores(fake, schema.encode(train), schema.encode(test), schema)
            line = {"epsilon": epsilon, "seed": seed, "cpu_seconds": taken, **found}
            print(
                json.dumps({**line, "paper": {"accuracy": accuracy, "jsd": jsd, "smoothed_kl": kl}}),
                flush=True,
            )


if __name__ == "__main__":
    main()
