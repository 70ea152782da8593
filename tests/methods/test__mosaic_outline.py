"""What mosaic says beforehand is what it does."""

import dataclasses

import triplea
from tests.methods.counting_support import SCHEMA, rows
from triplea.anonymize.budget import Budget
from triplea.methods.mosaic import Mosaic
from triplea.schema import load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)
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
    lines = Mosaic(components=7).outline(dataclasses.replace(SCHEMA, targets=("town",)), BUDGET)
    counted = (
        "3 columns are counted by label; 3 pairs of columns are counted, on cells as coarse as noise asks for"
    )
    assert counted in lines
    assert any("7 products" in line for line in lines)
    assert lines[-1] == "further targets with a tutor: town"
    assert any("24 pixels of an image in 2 classes" in line for line in Mosaic().outline(NUMBERS, BUDGET))


def test_without_a_label_columns_are_counted_by_themselves():
    lines = Mosaic().outline(dataclasses.replace(SCHEMA, target=None), BUDGET)
    assert any("4 columns are counted by themselves; 6 pairs" in line for line in lines)
    assert not any("teacher" in line for line in lines[1:])


def test_without_a_delta_it_says_that_pairs_are_left_out():
    loud, quiet = Budget(epsilon=1.0, delta=0.0), Budget(epsilon=3.0, delta=0.0)
    assert any("independent within a class" in line for line in Mosaic().outline(SCHEMA, loud))
    assert any("3 pairs of columns" in line for line in Mosaic().outline(SCHEMA, quiet))
    assert [entry.label for entry in Mosaic().counted(SCHEMA, loud)] == ["counts by label"]
    unlabelled = Mosaic().outline(dataclasses.replace(SCHEMA, target=None), loud)
    assert any("independent of each other" in line for line in unlabelled)


def test_parts_are_announced_where_they_are_planned():
    method = Mosaic(wide_from=4)
    plain = dataclasses.replace(NUMBERS, extras={})
    lines = {e: method.outline(plain, Budget(epsilon=e, delta=1e-5)) for e in (1.0, 4.0)}
    assert not any("parts" in line for line in lines[1.0])
    assert any("parts of classes are looked for, at most 24" in line for line in lines[4.0])
    image = method.outline(NUMBERS, Budget(epsilon=4.0, delta=1e-5))
    assert any("parts of classes are looked for, at most 12" in line for line in image)


def test_counts_are_those_of_the_ledger():
    counted = {entry.label: entry for entry in Mosaic().counted(SCHEMA, BUDGET)}
    made = triplea.release(
        rows(n=20_000), schema=SCHEMA, epsilon=1.0, delta=1e-5, rows=5, seed=1, params={"steps": 2}
    )
    for entry in made.certificate.entries:
        if entry.charge.label in counted:
            assert entry.sensitivity == counted[entry.charge.label].histograms ** 0.5
