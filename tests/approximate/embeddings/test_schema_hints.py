"""What a schema tells the embedding."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import Binning
from triplea.approximate.embeddings.schema_hints import (
    FREE_VALUES,
    balanced,
    class_cells,
    class_column,
    coordinates_of,
    image_shape,
    is_class,
)
from triplea.errors import MethodError
from triplea.queries import bins
from triplea.schema import load_schema


def schema(upper=1, **extras):
    numbers = [{"name": f"p{i}", "kind": "numeric", "lower": 0, "upper": 1} for i in range(6)]
    label = {"name": "y", "kind": "integer", "lower": 0, "upper": upper}
    return load_schema({"target": "y", "columns": [*numbers, label], **extras})


def test_a_whole_number_of_few_values_is_a_class_and_bins_agree():
    assert FREE_VALUES == bins.FREE_VALUES
    for upper in (1, FREE_VALUES - 1, FREE_VALUES):
        column = schema(upper=upper).column("y")
        assert is_class(column) == (not bins.needs_bins(column))


def test_a_target_of_many_values_is_no_class():
    assert class_column(schema()).name == "y"
    assert class_column(schema(upper=1000)) is None


def test_a_class_has_a_cell_for_every_value():
    name, cells = class_cells(schema())
    assert name == "y" and cells.cells == 2
    assert class_cells(schema(upper=1000)) == (None, None)


def test_coordinates_leave_the_class_out_and_take_public_ranges_where_no_scale_is_given():
    scale = Binning(edges=np.array([0.0, 0.1, 1.0]), nullable=False, countable=False)
    found = coordinates_of(schema(), {"p0": scale})
    assert "y" not in found.columns and found.numbers == 6 and found.blocks == ()
    assert found.binnings["p0"] is scale and found.binnings["p1"].edges.tolist() == [0.0, 1.0]
    assert coordinates_of(schema(upper=1000), {}).numbers == 7


def test_balanced_classes_are_only_what_the_schema_states():
    assert balanced(schema(balanced_classes=True)) and not balanced(schema())


def test_the_shape_of_an_image_must_fit_the_numbers():
    assert image_shape(schema()) is None
    assert image_shape(schema(image={"shape": [2, 3]})) == (2, 3)
    with pytest.raises(MethodError, match="2 x 2 = 4 pixels, but 6 columns"):
        image_shape(schema(image={"shape": [2, 2]}))


def test_height_and_width_say_the_same_and_anything_else_is_refused():
    assert image_shape(schema(image={"height": 3, "width": 2})) == (3, 2)
    for wrong in ("28", {"shape": 28}, {"shape": [2, 3, 1]}, {"height": 2}, {"shape": [2.0, 3.0]}):
        with pytest.raises(MethodError, match="schema: image must be"):
            image_shape(schema(image=wrong))
