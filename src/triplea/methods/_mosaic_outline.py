"""What mosaic will do with a table, from its schema and the budget alone: for the pre-flight."""

from __future__ import annotations

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.approximate.codes.leaf_cells import leaves_of
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.methods import _mosaic_image_parts, _mosaic_parts
from triplea.methods._base import Counted
from triplea.methods._mosaic_numbers import NumberMosaic, image_shape
from triplea.methods._mosaic_shares import FREE_CELLS, MARGINS, PAIRS, planned
from triplea.methods._mosaic_tables import TARGET_CELLS, TableMosaic
from triplea.schema import Schema


def outline_tables(half: TableMosaic, schema: Schema, budget: Budget) -> tuple[str, ...]:
    """The steps for a mixed table, with the numbers that the schema and the budget decide."""
    long = [name for name in schema.names if leaves_of(schema.column(name)).cells > FREE_CELLS]
    short = len(schema.names) - len(long)
    counted = len(schema.features or schema.names)
    by = "by label" if _label(schema) else "by themselves"
    cells = (
        f"cells of {len(long)} columns are chosen from noisy counts; {short} columns keep all their values"
    )
    if PAIRS not in planned(schema, budget) and len(schema.features) > 1:
        apart = "independent within a class" if _label(schema) else "independent of each other"
        return cells, f"{counted} columns are counted {by}; pairs are not, without a delta: they are {apart}"
    teacher = f", and a teacher for {schema.target!r} to their counts by label" if _label(schema) else ""
    return (
        cells,
        f"{counted} columns are counted {by}; {_pairs(half, schema)} pairs of columns are counted, on cells "
        "as coarse as noise asks for",
        f"a mixture of {half.components} products is fitted to them{teacher}",
    )


def outline_numbers(half: NumberMosaic, schema: Schema, budget: Budget) -> tuple[str, ...]:
    """The recipe for a table of numbers."""
    layout = NumberLayout.of(schema)
    image = image_shape(schema) is not None
    pixels = "pixels of an image" if image else "numbers"
    parts = any(ask.label == _mosaic_parts.PARTS for ask in half.plan(schema, budget).asks)
    most = (_mosaic_image_parts if image else _mosaic_parts).MOST_PARTS
    return (
        f"{len(layout.numbers)} {pixels} in {layout.classes} classes, by noisy moments; "
        f"{len(layout.counted)} columns are counted by class",
        *((f"parts of classes are looked for, at most {most} each",) if parts else ()),
    )


def counted_tables(half: TableMosaic, schema: Schema, budget: Budget) -> tuple[Counted, ...]:
    """Counts by label and of pairs, with the cells that a typical table would have."""
    names = schema.features or schema.names
    typical = int(np.median([min(leaves_of(schema.column(n)).cells, half.most_cells) for n in names]))
    classes = min(leaves_of(schema.column(str(schema.target))).cells, TARGET_CELLS) if _label(schema) else 1
    margins = Counted(label=MARGINS, histograms=len(names), cells=classes * typical)
    if PAIRS not in planned(schema, budget):
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
