"""What mosaic will do with a table, from its schema alone: for the pre-flight."""

from __future__ import annotations

import numpy as np

from triplea.approximate.codes.leaf_cells import leaves_of
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.methods._base import Counted
from triplea.methods._mosaic_numbers import image_shape
from triplea.methods._mosaic_tables import FREE_CELLS, MARGINS, PAIRS, TARGET_CELLS, TableMosaic
from triplea.schema import Schema


def outline_tables(half: TableMosaic, schema: Schema) -> tuple[str, ...]:
    """The steps for a mixed table, with the numbers that the schema decides."""
    long = [name for name in schema.names if leaves_of(schema.column(name)).cells > FREE_CELLS]
    short = len(schema.names) - len(long)
    names = schema.features or schema.names
    by = "by label" if _label(schema) else "by themselves"
    teacher = f", and a teacher for {schema.target!r} to their counts by label" if _label(schema) else ""
    return (
        f"cells of {len(long)} columns are chosen from noisy counts; {short} columns keep all their values",
        f"{len(names)} columns are counted {by}; {_pairs(half, schema)} pairs of columns are counted",
        f"a mixture of {half.components} products is fitted to them{teacher}",
    )


def outline_numbers(schema: Schema) -> tuple[str, ...]:
    """The recipe for a table of numbers."""
    layout = NumberLayout.of(schema)
    pixels = "pixels of an image" if image_shape(schema) else "numbers"
    return (
        f"{len(layout.numbers)} {pixels} in {layout.classes} classes, by noisy moments; "
        f"{len(layout.counted)} columns are counted by class",
    )


def counted_tables(half: TableMosaic, schema: Schema) -> tuple[Counted, ...]:
    """Counts by label and of pairs, with the cells that a typical table would have."""
    names = schema.features or schema.names
    typical = int(np.median([min(leaves_of(schema.column(n)).cells, half.most_cells) for n in names]))
    classes = min(leaves_of(schema.column(str(schema.target))).cells, TARGET_CELLS) if _label(schema) else 1
    margins = Counted(label=MARGINS, histograms=len(names), cells=classes * typical)
    if len(schema.features) < 2:
        return (margins,)
    cells = min(typical, half.pair_cells) ** 2
    return margins, Counted(label=PAIRS, histograms=_pairs(half, schema), cells=cells)


def _label(schema: Schema) -> bool:
    return schema.target is not None and bool(schema.features)


def _pairs(half: TableMosaic, schema: Schema) -> int:
    """All pairs of features, or as many as `most_pairs` allows."""
    most = int((1 + np.sqrt(1 + 8 * half.most_pairs)) / 2)
    paired = min(len(schema.features), most)
    return paired * (paired - 1) // 2
