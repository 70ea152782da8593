"""Feature tables for models: a pandas frame with categories, or a numeric matrix with one-hot columns.

What is learnt here (means, deviations) is learnt from the rows a model is trained on, never from test rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from triplea.evaluate.extras import need
from triplea.evaluate.rows import Rows


def frame_of(rows: Rows) -> Any:
    """Return a pandas frame: pandas categories over the schema's levels, and floats.

    Columns are named by their place: LightGBM refuses names with commas, quotes, colons or brackets.
    """
    pandas = need("pandas")
    columns = {}
    for place, field in enumerate(rows.fields):
        values = rows[field.name]
        if field.levels is None:
            columns[f"c{place}"] = values.astype(float)
        else:
            columns[f"c{place}"] = pandas.Categorical.from_codes(values, categories=list(field.levels))
    return pandas.DataFrame(columns)


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """How rows become a float matrix: one-hot categories (missing: all zero), numbers shifted and scaled."""

    shift: dict[str, float]
    scale: dict[str, float]

    @classmethod
    def standard(cls, train: Rows) -> Matrix:
        """Numbers get mean 0 and deviation 1 over the training rows."""
        shift, scale = {}, {}
        for field in train.fields:
            if not field.is_category:
                values = train[field.name]
                present = values[~np.isnan(values)]
                shift[field.name] = float(present.mean()) if present.size else 0.0
                scale[field.name] = max(float(present.std()), 1e-9 * field.width) if present.size else 1.0
        return cls(shift=shift, scale=scale)

    @classmethod
    def public(cls, train: Rows, *, low: float = -1.0, high: float = 1.0) -> Matrix:
        """Numbers are put into [low, high] by the schema's bounds, as MC-GEN scales its features."""
        numbers = [field for field in train.fields if not field.is_category]
        stretch = {field.name: field.width / (high - low) for field in numbers}
        return cls(
            shift={field.name: field.lower - low * stretch[field.name] for field in numbers}, scale=stretch
        )

    def apply(self, rows: Rows) -> np.ndarray:
        """Return the matrix of `rows`, float32."""
        blocks = []
        for field in rows.fields:
            values = rows[field.name]
            if field.levels is None:
                scaled = (values - self.shift[field.name]) / self.scale[field.name]
                # A missing number stands at the centre of the scale.
                blocks.append(np.nan_to_num(scaled, nan=0.0).astype(np.float32)[:, None])
            else:
                blocks.append(onehot(values, len(field.levels)))
        return np.concatenate(blocks, axis=1) if blocks else np.zeros((len(rows), 0), dtype=np.float32)


def onehot(codes: np.ndarray, levels: int) -> np.ndarray:
    """Return one 0/1 column a level; a missing value is all zero."""
    block = np.zeros((len(codes), levels), dtype=np.float32)
    present = np.flatnonzero(codes >= 0)
    block[present, codes[present]] = 1.0
    return block
