"""Contribution bounding: at most `max_rows` rows of every privacy unit are ever seen.

Which rows are kept is drawn per unit from the operating system's entropy, once for the life of a table,
so all questions see the same rows. A unit's draw depends on nothing but the secret and that unit's own
rows: removing all rows of one unit removes at most `max_rows` kept rows and changes no other. Proof:
docs/proofs/units.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Keys = np.ndarray[tuple[int], np.dtype[np.uint64]]
Places = np.ndarray[tuple[int], np.dtype[np.int64]]
Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]

_NULL_UNIT = np.uint64(0)
_HALF = np.uint64(32)  # bits; there are never 2^32 units of more rows than they may have
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def kept_rows(ids: Iterator[pa.Array], *, max_rows: int, secret: bytes | None = None) -> Mask:
    """Return which rows are kept, given the unit ids of all rows in order; null ids are one unit together.

    Memory: up to 60 bytes a row while it works, one byte a row afterwards. Text ids are told apart by 64
    bits of a keyed hash; two units with the same hash would share one allowance (among 10 million units:
    odds of 3 in a million).
    """
    key = secret if secret is not None else secrets.token_bytes(32)
    hashed = [_hashed(part, key) for part in ids]
    units = np.concatenate(hashed) if hashed else np.zeros(0, dtype=np.uint64)
    hashed.clear()
    kept = np.ones(len(units), dtype=bool)
    order, sizes = _crowded(units, max_rows)
    if len(sizes):
        # Sorting by draw moves rows inside their group only, so the numbers in a group stay where they are.
        number = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        draw = _mixed(units[order] ^ _mixed(number.astype(np.uint64) + _word(key)))
        kept[order[_by_draw(draw, sizes)]] = number < max_rows
    return kept


def _crowded(units: Keys, max_rows: int) -> tuple[Places, Places]:
    """Return the rows of all units with more than `max_rows`, unit by unit, and how many each has."""
    order = np.argsort(units, kind="stable")
    ranked = units[order]
    starts = np.ones(len(units), dtype=bool)
    starts[1:] = ranked[1:] != ranked[:-1]
    sizes = np.diff(np.flatnonzero(starts), append=len(units))
    many = sizes > max_rows
    return order[np.repeat(many, sizes)], sizes[many]


def _by_draw(draw: Keys, sizes: Places) -> Places:
    """Sort by draw within every group: the group's number and the draw take half of the key each.

    The halves are fixed. Were the draw cut to the room that the groups leave, one unit more could decide by
    which bits another unit's rows are told apart. Equal draws are told apart by the order of the unit's rows.
    """
    group = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
    return np.argsort((group << _HALF) | (draw >> _HALF), kind="stable")


def _hashed(ids: pa.Array, key: bytes) -> Keys:
    """Return a keyed 64-bit hash of every id; the same id gives the same hash in every batch."""
    if pa.types.is_integer(ids.type):
        # Scrambling is one-to-one, so whole numbers never share a hash.
        numbers = pc.fill_null(ids, 0).to_numpy(zero_copy_only=False).astype(np.int64).view(np.uint64)
        present = pc.is_valid(ids).to_numpy(zero_copy_only=False)
        return np.where(present, _mixed(numbers ^ _word(key)), _NULL_UNIT)
    coded = ids if isinstance(ids, pa.DictionaryArray) else _as_text(ids).dictionary_encode()
    table = [_hash(value, key) for value in coded.dictionary.to_pylist()]
    codes = pc.fill_null(coded.indices, len(table)).to_numpy(zero_copy_only=False)
    spread: Keys = np.array([*table, _NULL_UNIT], dtype=np.uint64)[codes]
    return spread


def _as_text(ids: pa.Array) -> pa.Array:
    """Write ids as text; NaN is no id."""
    if pa.types.is_floating(ids.type):
        ids = pc.if_else(pc.is_nan(ids), None, ids)
    return ids if pa.types.is_string(ids.type) else pc.cast(ids, pa.string(), safe=False)


def _hash(value: str | None, key: bytes) -> int:
    if value is None:
        return int(_NULL_UNIT)
    digest = int.from_bytes(
        blake2b(value.encode("utf-8", "replace"), key=key, digest_size=8).digest(), "little"
    )
    return digest or 1


def _word(key: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(key, digest_size=8).digest(), "little"))


def _mixed(words: Keys) -> Keys:
    """Scramble every word (splitmix64). Not a cipher: any rule that looks at one unit alone is valid."""
    with np.errstate(over="ignore"):
        mixed = words + _GOLDEN
        mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX[0]
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX[1]
        return mixed ^ (mixed >> np.uint64(31))
