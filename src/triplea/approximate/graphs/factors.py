"""Tables over named columns, and what is needed to condition a network exactly: multiply, slice, sum out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from string import ascii_letters

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Factor:
    """A non-negative table with one axis per named column."""

    names: tuple[str, ...]
    values: np.ndarray

    def given(self, cells: Mapping[str, int]) -> Factor:
        """Fix some columns to a cell; their axes vanish."""
        index = tuple(cells[name] if name in cells else slice(None) for name in self.names)
        return Factor(names=tuple(n for n in self.names if n not in cells), values=self.values[index])

    def sum_out(self, name: str) -> Factor:
        """Sum over one column."""
        axis = self.names.index(name)
        names = tuple(n for n in self.names if n != name)
        return Factor(names=names, values=np.asarray(self.values.sum(axis=axis)))


def product(factors: Sequence[Factor], *, last: str) -> Factor:
    """Multiply tables into one whose last axis is the column `last`."""
    others = dict.fromkeys(name for factor in factors for name in factor.names if name != last)
    names = (*others, last)
    letter = {name: ascii_letters[place] for place, name in enumerate(names)}
    inputs = ",".join("".join(letter[name] for name in factor.names) for factor in factors)
    result = np.einsum(f"{inputs}->{''.join(letter.values())}", *(factor.values for factor in factors))
    return Factor(names=names, values=np.asarray(result))


def product_cells(factors: Sequence[Factor]) -> int:
    """Number of cells that the product would have, counted before it is built."""
    sizes = {
        name: size for factor in factors for name, size in zip(factor.names, factor.values.shape, strict=True)
    }
    return prod(sizes.values())
