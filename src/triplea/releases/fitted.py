"""A fitted model in the user's terms: tables with the schema's columns and types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from triplea.approximate.model import Model
from triplea.errors import ReleaseError
from triplea.sample.draw import draw_tables
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

    def sample(
        self,
        n: int,
        *,
        where: Mapping[str, Any] | None = None,
        weights: str | None = None,
        seed: int | None = None,
    ) -> Any:
        """Return n rows in the type of the table that went in; `where` fixes columns to values.

        The condition is exact: rows are drawn from the model's distribution given those values. With
        `weights`, small classes of the target get more rows, and a column of that name says what each row
        counts for.
        """
        return self.hand_over(pa.concat_tables(self.tables(n, where=where, weights=weights, seed=seed)))

    def tables(
        self,
        n: int,
        *,
        where: Mapping[str, Any] | None = None,
        weights: str | None = None,
        seed: int | None = None,
    ) -> Iterator[pa.Table]:
        """Yield the same rows as `sample`, in Arrow tables of bounded size."""
        if type(n) is not int or not 0 <= n <= MOST_ROWS:
            raise ReleaseError(f"option n must be a whole number from 0 to {MOST_ROWS:,}, got {n!r}.")
        rng = public_generator(seed)
        return draw_tables(
            self.model, self.schema, n, rng=rng, types=self.types, where=where, weights=weights
        )
