"""A whole release of a large table by the command: seconds and peak memory by rows.

Rows of a data set are drawn with replacement into one Parquet file, and `triplea release` makes as many
synthetic ones of it, in a process of its own, whose peak memory is measured.

    python bench/release_memory.py --rows 1000000 10000000
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triplea.bench.datasets import Dataset, load_dataset

PART = 500_000


def drawn(dataset: Dataset, rows: int, path: Path) -> None:
    """That many of the training rows, with replacement."""
    rng = np.random.default_rng(0)
    with pq.ParquetWriter(path, dataset.train.schema) as writer:
        for begin in range(0, rows, PART):
            picks = rng.integers(0, dataset.train.num_rows, min(PART, rows - begin))
            writer.write_table(dataset.train.take(pa.array(picks)))


def measured(dataset: Dataset, rows: int, epsilon: float) -> dict[str, float]:
    """Release the table by the command, and see what it took."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        drawn(dataset, rows, folder / "rows.parquet")
        (folder / "schema.json").write_text(json.dumps(dataset.schema))
        command = [
            str(Path(sys.executable).parent / "triplea"), "release", "rows.parquet",
            "--schema", "schema.json", "--out", "release",
            "--epsilon", str(epsilon), "--delta", str(1.0 / rows),
        ]  # fmt: skip
        begin = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        assert os.waitstatus_to_exitcode(status) == 0
        made = pq.read_metadata(folder / "release" / "data.parquet").num_rows
    return {"rows": rows, "synthetic rows": made, "s": seconds, "peak MiB": usage.ru_maxrss / 1024}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", default="adult")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    given = parser.parse_args()
    dataset = load_dataset(given.data)
    for rows in given.rows:
        print(json.dumps(measured(dataset, rows, given.epsilon)), flush=True)


if __name__ == "__main__":
    main()
