"""The demo's table and schema fit each other, and its bounds are public knowledge that holds."""

from __future__ import annotations

import pytest

from triplea.demo import SCHEMA, TARGET, load_rows
from triplea.schema import load_schema

pytest.importorskip("statsmodels")


def test_the_table_is_split_three_to_one() -> None:
    train, test = load_rows()
    assert (len(train), len(test)) == (15_143, 5_047)


def test_the_schema_names_the_columns_of_the_table() -> None:
    train, _ = load_rows()
    schema = load_schema(SCHEMA)
    assert set(schema.names) == set(train.columns)
    assert schema.target == TARGET


def test_no_entry_of_the_schema_was_observed() -> None:
    assert load_schema(SCHEMA).observed == ()


def test_the_public_bounds_hold() -> None:
    train, test = load_rows()
    for column in SCHEMA["columns"]:
        if column["kind"] == "numeric":
            for rows in (train, test):
                assert rows[column["name"]].between(column["lower"], column["upper"]).all(), column["name"]
