"""The toy table split in three, and its schema."""

from __future__ import annotations

import pytest

from tests.evaluate.toys import make_rows
from triplea.evaluate.rows import Rows
from triplea.schema import Schema, load_schema


@pytest.fixture(scope="session")
def train() -> Rows:
    return make_rows(400, 1)


@pytest.fixture(scope="session")
def held_out() -> Rows:
    return make_rows(300, 2)


@pytest.fixture(scope="session")
def synthetic() -> Rows:
    return make_rows(350, 3)


@pytest.fixture(scope="session")
def schema() -> Schema:
    return load_schema(
        {
            "name": "toy",
            "target": "ill",
            "columns": [
                {"name": "age", "kind": "integer", "lower": 0, "upper": 80},
                {"name": "dose", "kind": "numeric", "lower": -4, "upper": 4, "nullable": True},
                {"name": "ward", "kind": "categorical", "categories": ["a", "b", "c"], "nullable": True},
                {"name": "ill", "kind": "categorical", "categories": ["no", "yes"]},
            ],
        }
    )
