"""A fitted model in the user's terms: tables with the schema's columns and types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from triplea.approximate.model import Model
from triplea.errors import ReleaseError
from triplea.sample.draw import draw_table
from triplea.sample.randomness import public_generator
from triplea.schema import Schema

MOST_ROWS = 10**9  # more would fill a disk before anybody noticed a typing error


@dataclass(frozen=True, kw_only=True)
class FittedModel:
    """Draws as many synthetic rows as wanted, at no further privacy cost."""

    model: Model
    schema: Schema
    types: pa.Schema | None
    hand_over: Callable[[pa.Table], Any]

    def sample(self, n: int, *, where: Mapping[str, Any] | None = None, seed: int | None = None) -> Any:
        """Return n rows in the type of the table that went in; `where` fixes columns to values.

        The condition is exact: rows are drawn from the model's distribution given those values.
        """
        if type(n) is not int or not 0 <= n <= MOST_ROWS:
            raise ReleaseError(f"option n must be a whole number from 0 to {MOST_ROWS:,}, got {n!r}.")
        rng = public_generator(seed)
        return self.hand_over(draw_table(self.model, self.schema, n, rng=rng, types=self.types, where=where))
