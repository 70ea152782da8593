"""A sum over many rows of Parquet: this package beside the same counts written directly.

Writes a table of 4 text and 4 number columns, then counts every column's cells (categories, or 32 equal
parts of the range) in four ways, each in a process of its own: `LocalEngine`, pyarrow streaming, pyarrow
on the whole table, and polars. All must give the same counts. Prints a table and JSON.

    python bench/engine_sum.py --rows 20000000 --repeat 3
"""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

BINS = 32
CATEGORIES = {"region": 50, "product": 400, "sex": 2, "grade": 7}
BOUNDS = {"age": (0, 119), "visits": (0, 999), "income": (0.0, 200_000.0), "score": (-4.0, 4.0)}
WHOLE = ("age", "visits")
WAYS = ("ours", "pyarrow streaming", "pyarrow in memory", "polars")


def make(path: Path, rows: int) -> None:
    """Write the table, one million rows at a time."""
    rng = np.random.default_rng(0)
    lists = {name: pa.array([f"{name} {i:03d}" for i in range(size)]) for name, size in CATEGORIES.items()}
    writer = None
    for start in range(0, rows, 1 << 20):
        n = min(1 << 20, rows - start)
        columns: dict[str, pa.Array] = {
            name: pa.DictionaryArray.from_arrays(rng.integers(0, size, n).astype(np.int32), lists[name])
            for name, size in CATEGORIES.items()
        }
        columns["age"] = pa.array(rng.integers(0, 110, n).astype(np.int32))
        columns["visits"] = pa.array(rng.poisson(5, n).astype(np.int64))
        columns["income"] = pa.array(rng.lognormal(10, 0.7, n))
        columns["score"] = pa.array(rng.normal(size=n).astype(np.float32))
        batch = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, batch.schema)
        writer.write_table(batch)
    if writer is not None:
        writer.close()


def ours(path: Path) -> dict[str, list[int]]:
    from triplea.approximate.codes.binning import each_value, equal_width
    from triplea.engines import LocalEngine
    from triplea.queries import Marginals
    from triplea.schema import Column, Kind, Schema
    from triplea.tables import open_table

    listed = [
        Column(name=name, kind=Kind.CATEGORICAL, categories=tuple(f"{name} {i:03d}" for i in range(size)))
        for name, size in CATEGORIES.items()
    ]
    numbers = [
        Column(name=name, kind=Kind.INTEGER if name in WHOLE else Kind.NUMERIC, lower=low, upper=high)
        for name, (low, high) in BOUNDS.items()
    ]
    schema = Schema(columns=(*listed, *numbers))
    binnings = {c.name: each_value(c) if c.is_discrete else equal_width(c, BINS) for c in schema.columns}
    query = Marginals(groups=[(name,) for name in schema.names], binnings=binnings)
    units = LocalEngine().total(open_table(path, schema=schema), schema, query)
    return {group[0]: counts.tolist() for group, counts in query.tables(units).items()}


def _edges(name: str) -> np.ndarray:
    """Lower edges of all cells but the first, as the package's equal-width cells have them."""
    low, high = BOUNDS[name]
    if name in WHOLE:
        return np.unique(np.round(np.linspace(0, high - low + 1, BINS + 1)).astype(np.int64))[1:-1]
    return np.linspace(low, high, BINS + 1)[1:-1]


def _arrow_counts(batch: pa.RecordBatch | pa.Table) -> dict[str, np.ndarray]:
    out = {}
    for name, size in CATEGORIES.items():
        counts = np.zeros(size, dtype=np.int64)
        for entry in pc.value_counts(batch.column(name)).to_pylist():
            counts[int(entry["values"][-3:])] = entry["counts"]
        out[name] = counts
    for name, (low, high) in BOUNDS.items():
        values = np.clip(batch.column(name).to_numpy(), low, high)
        cells = np.searchsorted(_edges(name), values, side="right")
        out[name] = np.bincount(cells, minlength=len(_edges(name)) + 1)
    return out


def pyarrow_streaming(path: Path) -> dict[str, list[int]]:
    total: dict[str, np.ndarray] = {}
    for batch in ds.dataset(path).scanner(batch_size=1 << 17).to_batches():
        for name, counts in _arrow_counts(batch).items():
            total[name] = total.get(name, 0) + counts
    return {name: counts.tolist() for name, counts in total.items()}


def pyarrow_in_memory(path: Path) -> dict[str, list[int]]:
    return {name: counts.tolist() for name, counts in _arrow_counts(pq.read_table(path)).items()}


def polars(path: Path) -> dict[str, list[int]]:
    import polars as pl

    frame = pl.scan_parquet(path)
    counted = [frame.group_by(name).len() for name in CATEGORIES]
    for name, (low, high) in BOUNDS.items():
        cell = pl.col(name).clip(low, high).cut(_edges(name).tolist(), left_closed=True).to_physical()
        counted.append(frame.select(cell.alias(name)).group_by(name).len())
    out = {}
    for table in pl.collect_all(counted, engine="streaming"):
        name = table.columns[0]
        size = CATEGORIES.get(name) or len(_edges(name)) + 1
        counts = np.zeros(size, dtype=np.int64)
        places = [int(v[-3:]) for v in table[name].cast(str)] if name in CATEGORIES else table[name].to_list()
        counts[places] = table["len"].to_numpy()
        out[name] = counts.tolist()
    return out


def one(way: str, path: Path) -> None:
    """Run one way and print what it found; imports are not timed."""
    work = {"ours": ours, "pyarrow streaming": pyarrow_streaming, "pyarrow in memory": pyarrow_in_memory}
    for module in ("triplea.approximate.codes.binning", "triplea.engines") if way == "ours" else ("polars",):
        importlib.import_module(module)
    start = time.perf_counter()
    counts = work.get(way, polars)(path)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mib": peak, "counts": counts}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--one", choices=WAYS)
    parser.add_argument("--path", type=Path)
    options = parser.parse_args()
    if options.one:
        one(options.one, options.path)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.path or Path(folder) / "rows.parquet"
        if not path.exists():
            make(path, options.rows)
        report(path, options.rows, options.repeat)


def report(path: Path, rows: int, repeat: int) -> None:
    """Run the ways in turn, several rounds, and print the best time and the largest memory of each."""
    runs: dict[str, list[dict]] = {way: [] for way in WAYS}
    for _ in range(repeat):
        for way in WAYS:
            command = [sys.executable, __file__, "--one", way, "--path", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            runs[way].append(json.loads(done.stdout))
    assert all(run["counts"] == runs["ours"][0]["counts"] for way in WAYS for run in runs[way]), (
        "counts differ"
    )
    result = {
        "rows": rows,
        "file_mib": round(path.stat().st_size / 2**20),
        "seconds": {way: round(min(run["seconds"] for run in runs[way]), 2) for way in WAYS},
        "peak_mib": {way: round(max(run["peak_mib"] for run in runs[way])) for way in WAYS},
    }
    mine = result["seconds"]["ours"]
    result["ratio"] = {way: round(mine / result["seconds"][way], 2) for way in WAYS}
    print(f"{'':20}{'seconds':>9}{'ours / it':>11}{'peak MiB':>10}")
    for way in WAYS:
        print(f"{way:20}{result['seconds'][way]:>9}{result['ratio'][way]:>11}{result['peak_mib'][way]:>10}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
