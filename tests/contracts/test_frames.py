"""A row of a data frame is read alike whatever type the other rows have given its column.

pandas stores whole numbers as floats, and truth values as objects, as soon as one is missing, and anything as
objects beside a text. One row more may change how others are stored, never what is read of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from triplea.engines import LocalEngine
from triplea.schema import Schema, load_schema
from triplea.tables import open_table

DAY = {"kind": "date", "lower": "2000-01-01", "upper": "2030-01-01", "nullable": True}
INSTANT = {"kind": "datetime", "lower": "2000-01-01", "upper": "2030-01-01", "nullable": True}
NUMBER = {"lower": 0, "upper": 100, "nullable": True}
CASES: list[tuple[dict[str, Any], list[Any]]] = [
    ({"kind": "integer", **NUMBER}, [1, 2, 30]),
    ({"kind": "numeric", **NUMBER}, [1, 2, 30]),
    ({"kind": "numeric", **NUMBER}, [0.5, 2.0, 30.0]),
    ({"kind": "integer", **NUMBER}, [True, False]),
    ({"kind": "numeric", **NUMBER}, [True, False]),
    ({"kind": "boolean", "nullable": True}, [True, False]),
    ({"kind": "boolean", "nullable": True}, [1, 0]),
    *(
        ({"kind": "categorical", "categories": categories, "nullable": True}, [True, False])
        for categories in (["no", "yes"], ["true", "false"], [0, 1], ["0", "1", "other"])
    ),
    *(
        ({"kind": "categorical", "categories": categories, "nullable": True}, values)
        for categories in (["1", "2", "30"], [1, 2, 30], [1.0, 2.0, 30.0])
        for values in ([1, 2, 30], [1.0, 2.0, 30.0])
    ),
    ({**DAY, "format": "%Y%m%d"}, [20200131, 20210101]),
    ({**DAY, "format": "%d%m%Y"}, [1022020, 31012021]),
    ({**INSTANT, "format": "%Y%m%d%H%M%S"}, [20200131235958, 20210101000000]),
]
ODD_VALUES = [None, "odd", 2.5, 10**30]


@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize(("entries", "values"), CASES)
def test_one_row_more_changes_nothing_that_is_read_of_others(
    entries: dict[str, Any], values: list[Any], odd: object, tmp_path: Path
) -> None:
    schema = load_schema({"columns": [{"name": "x", **entries}]})
    alone, beside = pd.DataFrame({"x": values}), pd.DataFrame({"x": [*values, odd]})
    expected = codes(alone, schema)
    assert len(np.unique(expected)) == len(values)
    np.testing.assert_array_equal(codes(beside, schema)[: len(values)], expected)
    if odd is None:  # a mixed column is no Parquet file
        beside.to_parquet(tmp_path / "rows.parquet")
        np.testing.assert_array_equal(codes(tmp_path / "rows.parquet", schema)[: len(values)], expected)


@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize("values", [[True, False], [1, 2], [0.5, 2.0, 1e15], [48123456789012, 7]])
def test_categories_to_discover_have_one_name_each(values: list[Any], odd: object) -> None:
    """Else a release would show, by the names of its categories, whether the odd row is there."""
    schema = load_schema({"columns": [{"name": "x", "kind": "categorical", "discover": True}]})
    found = []
    for rows in (values, [*values, odd]):
        table = open_table(pd.DataFrame({"x": rows}), schema=schema)
        found.append(set(LocalEngine().key_counts(table, schema.column("x"))))
    assert found[0] <= found[1] and len(found[1] - found[0]) == (odd is not None)


def codes(source: Any, schema: Schema) -> np.ndarray:
    return LocalEngine().whole(open_table(source, schema=schema), schema)["x"]
