"""Roles of columns come from the schema alone."""

from triplea.approximate.codes.number_layout import NumberLayout
from triplea.schema import load_schema

COLUMNS = [
    {"name": "y", "kind": "integer", "lower": 1, "upper": 7},
    {"name": "town", "kind": "categorical", "categories": ["a", "b"]},
    {"name": "x", "kind": "numeric", "lower": 0, "upper": 1, "nullable": True},
    {"name": "age", "kind": "integer", "lower": 0, "upper": 99},
]


def _names(columns):
    return [column.name for column in columns]


def test_an_integer_target_of_few_values_gives_the_classes():
    layout = NumberLayout.of(load_schema({"target": "y", "columns": COLUMNS}))
    assert layout.label.name == "y" and layout.classes == 7
    assert _names(layout.numbers) == ["x", "age"]
    assert _names(layout.counted) == ["town", "x"]
    assert {name: binning.cells for name, binning in layout.binnings().items()} == {"town": 2, "x": 2, "y": 7}


def test_a_wide_target_is_one_more_number():
    layout = NumberLayout.of(load_schema({"target": "age", "columns": COLUMNS}))
    assert layout.label is None and layout.classes == 1
    assert _names(layout.numbers) == ["y", "x", "age"]


def test_a_number_alone_is_no_label():
    layout = NumberLayout.of(load_schema({"target": "y", "columns": COLUMNS[:2]}))
    assert layout.label is None and _names(layout.numbers) == ["y"]
