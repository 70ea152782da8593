"""Every data set has a schema that loads."""

from __future__ import annotations

import pytest

from triplea.bench.recipes import FILES
from triplea.bench.schemas import schema_of, without
from triplea.schema import load_schema

COLUMNS = {
    "adult": 15, "census": 42, "cervical": 36, "covtype": 55, "credit": 31, "diabetes": 9, "epileptic": 179,
    "fashion_mnist": 785, "intrusion": 42, "isolet": 618, "mimic3_demo": 3, "mnist": 785, "phishing": 31,
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_schema_loads_with_all_its_columns(name: str) -> None:
    schema = load_schema(schema_of(name, ["subject_id", "gender", "icd9_008", "icd9_v58"]))
    assert len(schema.names) == COLUMNS[name]
    assert (schema.target is None) == (name == "mimic3_demo")


def test_columns_can_be_left_out() -> None:
    assert "time" not in load_schema(without(schema_of("credit", ()), ["time"])).names
