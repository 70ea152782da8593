"""Find the code of each cell in a public list of categories, whatever the storage.

A category written as the integer 1 is found in a cell holding 1, 1.0, "1", " 1" or true; the text
"1" is found in a cell holding the number 1. Lists of many thousand categories are hashed once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
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
    family_of,
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


def _first_codes(keys: Ints, valid: Mask, size: int) -> tuple[pa.Array, Ints]:
    """Distinct valid keys and the first category that has each of them."""
    codes = np.flatnonzero(valid)
    _, first = np.unique(keys[codes], return_index=True)
    return pa.array(keys[codes][first]), codes[first].astype(np.int64)


def _index(array: pa.Array, keys: pa.Array) -> tuple[Ints, Mask]:
    index = pc.index_in(array, keys.cast(array.type), skip_nulls=True)
    return index.fill_null(0).to_numpy().astype(np.int64), valid_mask(index)


def _in_keys(values: np.ndarray, valid: Mask, keys: Parsed, size: int) -> tuple[Ints, Mask]:
    """Codes of `values` by exact equality with the categories' keys of the same numpy type."""
    distinct, codes = _first_codes(keys.values, keys.valid, size)
    if len(codes) == 0:
        return np.zeros(len(values), dtype=np.int64), np.zeros(len(values), dtype=np.bool_)
    position, found = _index(pa.array(values), distinct)
    return codes[position], found & valid


def _by_text(array: pa.Array, categories: Categories) -> Found:
    """Exact text first; then without surrounding white space. Empty text counts as no value."""
    keys = pa.array([as_text(category) for category in categories], array.type)
    exact, found = _index(array, keys)
    short = trimmed(array)
    loose, found_loose = _index(short, keys)
    present = np.asarray(
        pc.not_equal(short, "").fill_null(False).to_numpy(zero_copy_only=False), dtype=np.bool_
    )
    return Found(np.where(found, exact, loose), found | found_loose, present | found)


def _whole_numbers(array: pa.Array) -> tuple[Parsed, Mask]:
    """Integers, valid only where the cell is a whole number; and where it is a number at all."""
    ints = as_ints(array)
    if family_of(array.type) in (Family.INTEGER, Family.BOOLEAN):
        return ints, ints.valid
    whole = ints.valid & (as_floats(array) == ints.values.astype(np.float64))
    return Parsed(ints.values, whole), ints.valid


def _by_integer(array: pa.Array, categories: Categories) -> Found:
    values, present = _whole_numbers(array)
    keys, _ = _whole_numbers(_key_array(categories))
    codes, found = _in_keys(values.values, values.valid, keys, len(categories))
    return Found(codes, found, present)


def _by_float(array: pa.Array, categories: Categories) -> Found:
    floats, keys = as_floats(array), as_floats(_key_array(categories))
    if array.type in (pa.float32(), pa.float16()):
        # 0.1 stored in single precision must still be the category 0.1.
        narrow = array.type.to_pandas_dtype()
        with np.errstate(over="ignore"):
            keys = keys.astype(narrow).astype(np.float64)
    present = ~np.isnan(floats)
    codes, found = _in_keys(floats, present, Parsed(keys, np.isfinite(keys)), len(categories))
    return Found(codes, found, present)


def _by_truth(array: pa.Array, categories: Categories) -> Found:
    values, keys = as_bools(array), as_bools(_key_array(categories))
    codes, found = _in_keys(values.values, values.valid, keys, len(categories))
    present = values.valid if family_of(array.type) is Family.BOOLEAN else _by_text_presence(array)
    return Found(codes, found, present)


def _by_text_presence(array: pa.Array) -> Mask:
    if family_of(array.type) is not Family.TEXT:
        return valid_mask(array)
    return np.asarray(
        pc.not_equal(trimmed(array), "").fill_null(False).to_numpy(zero_copy_only=False), dtype=np.bool_
    )


def _key_array(categories: Categories) -> pa.Array:
    kind = category_type(categories)
    if kind is str:
        return pa.array(categories, pa.large_string())
    if kind is bool:
        return pa.array(categories, pa.bool_())
    return pa.array(categories, pa.int64() if kind is int else pa.float64())


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
    if kind is str and family is Family.TEXT:
        return _by_text(array, categories)
    return (
        _by_float(array, categories) if _needs_floats(array, categories) else _by_integer(array, categories)
    )


def _needs_floats(array: pa.Array, categories: Categories) -> bool:
    """Exact integers unless a category is a fraction (a public fact, never a cell's)."""
    if category_type(categories) is float:
        return True
    if category_type(categories) is int:
        return False
    floats = as_floats(_key_array(categories))
    return bool(np.any(np.isfinite(floats) & (floats != np.rint(floats))))
