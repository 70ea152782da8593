"""What a schema tells about features: which columns have classes, which is the label, what is an image."""

from __future__ import annotations

from collections.abc import Mapping

from triplea.approximate.codes.binning import Binning, each_value
from triplea.approximate.codes.coordinates import MixedCoordinates, whole_range
from triplea.errors import MethodError
from triplea.schema import Column, Schema

FREE_VALUES = 16  # a whole number with at most so many values is kept as a block; as in queries.bins
BALANCED = "balanced_classes"  # schema key: the owner states as public that classes are equally large


def is_class(column: Column) -> bool:
    """Whether a column is kept as a block of values, not as a number."""
    return column.is_discrete or (column.size is not None and column.size <= FREE_VALUES)


def class_column(schema: Schema) -> Column | None:
    """The target, where it has classes."""
    column = None if schema.target is None else schema.column(schema.target)
    return column if column is not None and is_class(column) else None


def class_cells(schema: Schema) -> tuple[str | None, Binning | None]:
    """The name of the target and a cell for each of its values, where it has classes."""
    column = class_column(schema)
    return (None, None) if column is None else (column.name, each_value(column))


def coordinates_of(schema: Schema, scales: Mapping[str, Binning]) -> MixedCoordinates:
    """Every column but the class: numbers on their scale, by default the public range; others as blocks."""
    kept = [column for column in schema.columns if column is not class_column(schema)]
    binnings = {
        column.name: each_value(column)
        if is_class(column)
        else scales.get(column.name) or whole_range(schema, column.name)
        for column in kept
    }
    return MixedCoordinates(binnings=binnings, discrete=[column.name for column in kept if is_class(column)])


def balanced(schema: Schema) -> bool:
    """Whether the schema states that the classes are equally large."""
    return schema.extras.get(BALANCED) is True


def image_shape(schema: Schema) -> tuple[int, int] | None:
    """Height and width, where the schema says that all numbers are the pixels of an image, row by row."""
    hint = schema.extras.get("image")
    if hint is None:
        return None
    entry = hint if isinstance(hint, Mapping) else {}
    shape = entry.get("shape", [entry.get("height"), entry.get("width")])
    sides = shape if isinstance(shape, list | tuple) else ()
    if len(sides) != len(("height", "width")) or not all(type(side) is int and side > 0 for side in sides):
        raise MethodError(f"schema: image must be {{shape: [height, width]}}, got {hint!r}. Usual: [28, 28].")
    height, width = sides
    numbers = sum(not is_class(column) for column in schema.columns)
    if height * width != numbers:
        raise MethodError(
            f"schema: image.shape is {height} x {width} = {height * width} pixels, but {numbers} columns are "
            "numbers. Set other columns aside or correct the shape."
        )
    return height, width
