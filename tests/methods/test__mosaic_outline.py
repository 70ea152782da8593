"""What mosaic says beforehand is what it does."""

import dataclasses

import triplea
from tests.methods.counting_support import SCHEMA, rows
from triplea.methods.mosaic import Mosaic
from triplea.schema import load_schema

NUMBERS = load_schema(
    {
        "target": "y",
        "image": {"shape": [4, 6]},
        "columns": [
            *({"name": f"x{i}", "kind": "numeric", "lower": -1, "upper": 1} for i in range(24)),
            {"name": "y", "kind": "categorical", "categories": [0, 1]},
        ],
    }
)


def test_the_outline_names_the_numbers_that_the_schema_decides():
    lines = Mosaic(components=7).outline(dataclasses.replace(SCHEMA, targets=("town",)))
    assert "3 columns are counted by label; 3 pairs of columns are counted" in lines
    assert any("7 products" in line for line in lines)
    assert lines[-1] == "further targets with a tutor: town"
    assert any("24 pixels of an image in 2 classes" in line for line in Mosaic().outline(NUMBERS))


def test_without_a_label_columns_are_counted_by_themselves():
    lines = Mosaic().outline(dataclasses.replace(SCHEMA, target=None))
    assert any("4 columns are counted by themselves; 6 pairs" in line for line in lines)
    assert not any("teacher" in line for line in lines[1:])


def test_counts_are_those_of_the_ledger():
    counted = {entry.label: entry for entry in Mosaic().counted(SCHEMA)}
    made = triplea.release(
        rows(n=20_000), schema=SCHEMA, epsilon=1.0, delta=1e-5, rows=5, seed=1, params={"steps": 2}
    )
    for entry in made.certificate.entries:
        if entry.charge.label in counted:
            assert entry.sensitivity == counted[entry.charge.label].histograms ** 0.5
