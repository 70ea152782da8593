"""The GAN rivals on Adult at epsilon 1, delta 1e-5: AUC of LightGBM, and identifiability as in ADS-GAN.

`identified` is the share of training rows with a synthetic row nearer than their nearest other training row;
`control` is the same for held-out rows in place of synthetic ones. Prints one line of JSON per method.

    python bench/gan_rivals_adult.py --data FOLDER [--methods ads-gan:published dp-gan:provable ...]
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
from lightgbm import LGBMClassifier
from sklearn.metrics import roc_auc_score

from triplea.evaluate.closeness import identifiability
from triplea.evaluate.sources import align
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import Encoded, Schema, load_schema
from triplea.tables import open_table

METHODS = ["dp-gan:provable", "dp-cgan:provable", "pate-gan:provable", "ads-gan:published"]


def auc(fake: Encoded, test: Encoded, schema: Schema) -> float:
    """The AUC on test rows of LightGBM trained on synthetic ones."""

    def inputs(rows: Encoded) -> np.ndarray:
        return np.stack([rows[name].astype(float) for name in schema.features], axis=1)

    target = str(schema.target)
    model = LGBMClassifier(n_estimators=100, n_jobs=1, verbose=-1).fit(inputs(fake), fake[target])
    return float(roc_auc_score(test[target], model.predict_proba(inputs(test))[:, 1]))


def main() -> None:
    """Run every method once per seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--params", type=json.loads, default={})
    options = parser.parse_args()
    schema = load_schema(options.data / "schemas" / "adult.json")
    whole = pq.read_table(options.data / "adult.parquet")
    train, test = (whole.filter(pc.equal(whole["split"].cast("string"), part)) for part in ("train", "test"))
    for name in options.methods:
        method, _, variant = name.partition(":")
        for seed in range(options.seeds):
            cpu = time.process_time()
            request = prepare(
                schema=schema, epsilon=1.0, delta=1e-5, method=method, variant=variant or "provable",
                rows=train.num_rows, params=options.params,
            )  # fmt: skip
            made = run(request, open_table(train, schema=schema), seed=seed)
            rows = pa.concat_tables(made.tables())
            taken = time.process_time() - cpu
            tables = [align(table, schema) for table in (train, test, rows)]
            risk = identifiability(*tables, rng=np.random.default_rng(0), rows=1_000, references=20_000)
            line = {
                "method": name, "seed": seed, "cpu_seconds": round(taken, 1),
                "auc": round(auc(schema.encode(rows), schema.encode(test), schema), 4),
                "identified": round(risk.matched.value, 3), "control": round(risk.control.value, 3),
                "certificate": made.certificate.sentence.split(":")[0][:60],
            }  # fmt: skip
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
