"""A folder with a made-up diabetes file, so that tests need no data set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from triplea.bench.schemas import schema_of


def diabetes_like(rows: int = 768, seed: int = 0) -> pa.Table:
    """Rows over the schema of diabetes whose outcome follows glucose."""
    rng = np.random.default_rng(seed)
    columns = {}
    for entry in schema_of("diabetes", ())["columns"]:
        if entry["kind"] == "integer":
            columns[entry["name"]] = rng.integers(entry["lower"], entry["upper"] + 1, rows).astype(np.int32)
        elif entry["kind"] == "numeric":
            columns[entry["name"]] = rng.uniform(entry["lower"], entry["upper"], rows).astype(np.float32)
    ill = columns["glucose"] + rng.normal(0, 20, rows) > 120
    return pa.table({**columns, "outcome": ill.astype(np.int16)})


@pytest.fixture
def small_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `diabetes` loadable, and nothing else."""
    folder = tmp_path / "data"
    folder.mkdir()
    pq.write_table(diabetes_like(), folder / "diabetes.parquet")
    monkeypatch.setenv("TRIPLEA_DATA", str(folder))
    return folder
