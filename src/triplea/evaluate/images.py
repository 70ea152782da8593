"""Rows that are pictures: a few of every class, real and synthetic, for the eye."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from triplea.errors import UserError
from triplea.evaluate.rows import Rows
from triplea.results import ImageSamples

PER_CLASS = 8
MOST_CLASSES = 20


def image_size(extras: Mapping[str, Any]) -> tuple[int, int] | None:
    """Read the schema's key `image: {shape: [H, W]}` or `{height: H, width: W}`; None if it has none."""
    entry = extras.get("image")
    if entry is None:
        return None
    shape = entry.get("shape") if isinstance(entry, Mapping) else None
    if isinstance(entry, Mapping) and shape is None:
        shape = [entry.get(key) for key in ("height", "width")]
    if (
        not isinstance(shape, list | tuple)
        or len(shape) != 2
        or not all(type(size) is int and size > 0 for size in shape)
    ):
        raise UserError(f"schema: image must give height and width as positive integers, got {entry!r}")
    return shape[0], shape[1]


def sample_images(
    train: Rows,
    synthetic: Rows,
    *,
    size: tuple[int, int],
    target: str | None,
    rng: np.random.Generator,
    per_class: int = PER_CLASS,
) -> ImageSamples:
    """Draw at most `per_class` pictures of every class. Pixels are the number columns, row by row."""
    pixels = [field.name for field in train.fields if not field.is_category and field.name != target]
    if len(pixels) != size[0] * size[1]:
        raise UserError(
            f"schema: image is {size[0]} x {size[1]} = {size[0] * size[1]} pixels, but there are "
            f"{len(pixels)} number columns beside the target. Correct the size or the columns."
        )
    levels = train.field(target).levels if target is not None else None
    classes = (levels or ("",))[:MOST_CLASSES]
    chosen = [
        tuple(
            _pictures(
                rows.take(np.flatnonzero(rows[target] == code)) if levels and target else rows,
                pixels,
                per_class,
                rng,
            )
            for code in range(len(classes))
        )
        for rows in (train, synthetic)
    ]
    return ImageSamples(height=size[0], width=size[1], classes=classes, real=chosen[0], synthetic=chosen[1])


def _pictures(rows: Rows, pixels: list[str], count: int, rng: np.random.Generator) -> tuple[str, ...]:
    few = rows.sample(count, rng)
    grey = []
    for name in pixels:
        field = few.field(name)
        level = (np.nan_to_num(few[name], nan=field.lower) - field.lower) / field.width
        grey.append(np.clip(np.rint(255 * level), 0, 255).astype(np.uint8))
    stacked = np.stack(grey, axis=1) if len(few) else np.zeros((0, len(pixels)), dtype=np.uint8)
    return tuple(b64encode(row.tobytes()).decode("ascii") for row in stacked)
