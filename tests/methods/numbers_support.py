"""Made-up tables of numbers with classes that differ in a known way."""

import numpy as np
import pyarrow as pa

from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import load_schema
from triplea.tables import open_table


def schema_of(width, *, lower=-10.0, upper=10.0, **more):
    columns = [{"name": f"x{i}", "kind": "numeric", "lower": lower, "upper": upper} for i in range(width)]
    return load_schema({"target": "y", "columns": [*columns, {"name": "y", "kind": "boolean"}], **more})


def table_of(rows, label):
    return pa.table({**{f"x{i}": rows[:, i] for i in range(rows.shape[1])}, "y": label})


def two_classes(n, width, *, rare=0.02, shift=0.0, stretch=1.0, seed=0):
    """Standard normal rows; the rare class is shifted and stretched in its first four columns."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < rare
    rows = rng.standard_normal((n, width))
    rows[label, :4] = rows[label, :4] * stretch + shift
    return rows, label


def fitted(table, schema, *, epsilon=1.0, delta=1e-5, seed=0, **params):
    from triplea.registry import create_method

    method = create_method("mosaic-numbers", params=params)
    request = prepare(schema=schema, epsilon=epsilon, delta=delta, method=method)
    made = run(request, open_table(table, schema=schema), seed=seed)
    return made, request.method
