"""Find the code of each cell in a public list of categories, whatever the storage.

A category written as the integer 1 is found in a cell holding 1, 1.0, "1", " 1" or true; the text
"1" is found in a cell holding the number 1. The list is hashed once per batch, so that thousands
of categories cost no more than a few.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from triplea.schema.parse import (
    Family,
    Ints,
    Mask,
    Parsed,
    as_bools,
    as_floats,
    as_ints,
    as_written_truths,
    family_of,
    not_blank,
    only_where,
    trimmed,
    valid_mask,
)

Category = str | int | float | bool
Categories = tuple[Category, ...]


class Found(NamedTuple):
    """Codes, where a category was found, and where the cell held something at all."""

    codes: Ints
    found: Mask
    present: Mask


def category_type(categories: Categories) -> type:
    """The one type of a checked list: str, bool, int or float (int and float mix to float)."""
    kinds = {type(category) for category in categories}
    return kinds.pop() if len(kinds) == 1 else float


def as_text(category: Category) -> str:
    """The text of a category as a CSV file would hold it."""
    if isinstance(category, bool):
        return "true" if category else "false"
    return str(category)


def key_array(categories: Categories) -> pa.Array:
    """The categories as one Arrow array of their own type."""
    by_type = {str: pa.large_string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return pa.array(categories, by_type[category_type(categories)])


def find_categories(array: pa.Array, categories: Categories) -> Found:
    """Look up every cell. `present` separates unlisted values from missing ones."""
    kind, family = category_type(categories), family_of(array.type)
    if family is Family.NULL:
        nothing = np.zeros(len(array), dtype=np.bool_)
        return Found(np.zeros(len(array), dtype=np.int64), nothing, nothing)
    if family in (Family.TIMESTAMP, Family.DATE):
        return _by_text(array.cast(pa.large_string()), categories)
    if kind is bool or family is Family.BOOLEAN:
        return _by_truth(array, categories)
    if family is not Family.TEXT:
        return _by_number(array, categories)
    found = _by_text(array, categories) if kind is str else _by_number(array, categories)
    return _or_by_truth(found, array, categories)


def _has_fractions(categories: Categories) -> bool:
    """Exact integers serve unless a category is a fraction (a public fact, never a cell's)."""
    if category_type(categories) is int:
        return False
    floats = as_floats(key_array(categories))
    return bool(np.any(np.isfinite(floats) & (floats != np.rint(floats))))


def _index(array: pa.Array, keys: pa.Array) -> tuple[Ints, Mask]:
    index = pc.index_in(array, keys.cast(array.type), skip_nulls=True)
    return index.fill_null(0).to_numpy().astype(np.int64), valid_mask(index)


def _in_keys(values: Parsed, keys: Parsed) -> tuple[Ints, Mask]:
    """The first category whose key equals the value; only valid keys and values take part."""
    if not keys.valid.any():
        return np.zeros(len(values.values), dtype=np.int64), np.zeros(len(values.values), dtype=np.bool_)
    usable = np.flatnonzero(keys.valid)
    distinct, first = np.unique(keys.values[usable], return_index=True)
    position, found = _index(pa.array(values.values), pa.array(distinct))
    return usable[first].astype(np.int64)[position], found & values.valid


def _by_text(array: pa.Array, categories: Categories) -> Found:
    """Exact text first; then without surrounding white space. Blank text counts as no value."""
    keys = pa.array([as_text(category) for category in categories], array.type)
    exact, found = _index(array, keys)
    loose, found_loose = _index(trimmed(array), keys)
    return Found(np.where(found, exact, loose), found | found_loose, found | not_blank(array))


def _by_number(array: pa.Array, categories: Categories) -> Found:
    return _by_float(array, categories) if _has_fractions(categories) else _by_integer(array, categories)


def _by_integer(array: pa.Array, categories: Categories) -> Found:
    codes, found = _in_keys(_whole_numbers(array), _whole_numbers(key_array(categories)))
    return Found(codes, found, not_blank(array))


def _whole_numbers(array: pa.Array) -> Parsed:
    """Integers, valid only where the cell is a whole number: 1.5 is neither category 1 nor 2."""
    ints = as_ints(array)
    if family_of(array.type) is Family.INTEGER:
        return ints
    return Parsed(ints.values, ints.valid & (as_floats(array) == ints.values.astype(np.float64)))


def _by_float(array: pa.Array, categories: Categories) -> Found:
    floats, keys = as_floats(array), as_floats(key_array(categories))
    if array.type in (pa.float32(), pa.float16()):
        # 0.1 stored in single precision must still be the category 0.1.
        keys = _narrowed(keys, array.type.to_pandas_dtype())
    codes, found = _in_keys(Parsed(floats, np.isfinite(floats)), Parsed(keys, np.isfinite(keys)))
    return Found(codes, found, not_blank(array))


def _narrowed(keys: npt.NDArray[np.float64], dtype: Any) -> npt.NDArray[np.float64]:
    with np.errstate(over="ignore"):
        return keys.astype(dtype).astype(np.float64)


def _by_truth(array: pa.Array, categories: Categories) -> Found:
    codes, found = _in_keys(as_bools(array), as_bools(key_array(categories)))
    return Found(codes, found, not_blank(array))


def _or_by_truth(found: Found, array: pa.Array, categories: Categories) -> Found:
    """Text that is not found, and says true or false, is found as a truth value would be."""
    truth = _by_truth(only_where(array, as_written_truths(array).valid), categories)
    return Found(np.where(found.found, found.codes, truth.codes), found.found | truth.found, found.present)
