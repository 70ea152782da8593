"""The embedding of a large table through the engine: seconds, rows a second and peak memory by rows.

A folder of Parquet files holds one file of 100,000 random rows as often as needed (links, not copies), so the
table streams from disk as any other. Every size runs in a process of its own, whose peak memory is measured.

    python bench/embedding_memory.py --rows 1000000 2000000 10000000 --columns 50 --features 2000 --threads 2
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triplea.approximate.codes.coordinates import MixedCoordinates, whole_range
from triplea.approximate.embeddings.random_features import draw_features
from triplea.engines import LocalEngine
from triplea.queries.embedding import Embedding
from triplea.schema import load_schema
from triplea.tables import open_table

PART = 100_000


def folder_of(rows: int, columns: int, folder: Path) -> None:
    """As many links to one part as make up the rows."""
    rng = np.random.default_rng(0)
    part = pa.table({f"x{i}": rng.random(PART, dtype=np.float32) for i in range(columns)})
    pq.write_table(part, folder / "part-0.parquet")
    for index in range(1, max(1, rows // PART)):
        os.link(folder / "part-0.parquet", folder / f"part-{index}.parquet")


def measured(rows: int, columns: int, features: int, threads: int) -> dict[str, float]:
    """Sum the features of all rows, and see what it took."""
    entries = [{"name": f"x{i}", "kind": "numeric", "lower": 0, "upper": 1} for i in range(columns)]
    schema = load_schema({"columns": entries})
    coordinates = MixedCoordinates(
        binnings={name: whole_range(schema, name) for name in schema.names}, discrete=[]
    )
    made = draw_features(
        coordinates, harmonics=[], joint=features // 2, bandwidths=[1.0], turn=0.0, joint_share=0.9,
        count_share=0.1, rng=np.random.default_rng(0),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary:
        folder_of(rows, columns, Path(temporary))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        begin, cpu = time.perf_counter(), time.process_time()
        table = open_table(Path(temporary), schema=schema)
        total = LocalEngine(threads=threads).total(
            table, schema, Embedding(coordinates=coordinates, features=made)
        )
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    assert total[0, 0] == rows
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"rows": rows, "s": seconds, "cpu s": cpu, "MiB before": before, "peak MiB": peak}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 2_000_000])
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--features", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--inside", action="store_true", help="measure here, not in a new process")
    options = parser.parse_args()
    sizes = (options.columns, options.features, options.threads)
    if options.inside:
        print(json.dumps(measured(options.rows[0], *sizes)))
        return
    print(f"{options.columns} columns, {options.features:,} features, {options.threads} thread(s)")
    print(f"{'rows':>12} {'s':>8} {'cpu s':>8} {'cpu us/row':>11} {'MiB before':>11} {'peak MiB':>9}")
    names = ("--columns", "--features", "--threads")
    rest = [word for pair in zip(names, map(str, sizes), strict=True) for word in pair]
    for rows in options.rows:
        command = [sys.executable, __file__, "--inside", "--rows", str(rows), *rest]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        each = 1e6 * found["cpu s"] / rows
        print(
            f"{rows:12,} {found['s']:8.1f} {found['cpu s']:8.1f} {each:11.2f} {found['MiB before']:11.0f} "
            f"{found['peak MiB']:9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
