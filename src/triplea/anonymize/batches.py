"""Poisson samples for private training, cut into passes of one width for compiled code.

Samples are exact: a batch that does not fit into one pass takes several, whose sums are added before noise.
Nothing is ever cut off, so nothing needs to be accounted for; only the time of a run depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

CHUNK_NUMBERS = 1 << 20  # noise of about this many numbers at a time: 4 MiB
MOST_PASSES = 256
SPARE = 2.0  # a pass is wider than the expected batch by this many standard deviations of its size


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Some passes: row numbers (passes x slots), of which the first `counts` of a pass count.

    `ends` says which passes end a step. Only the first `used` passes are meant to run; the others are there
    so that every chunk has one shape.
    """

    slots: np.ndarray
    counts: np.ndarray
    ends: np.ndarray
    used: int

    @property
    def firsts(self) -> np.ndarray:
        """For every pass, the first pass of its step in this chunk."""
        begins = np.concatenate([[True], self.ends[:-1]])
        return np.maximum.accumulate(np.where(begins, np.arange(len(begins), dtype=np.int32), 0))

    @property
    def is_open(self) -> bool:
        """Whether its last step goes on in the next chunk."""
        return not self.ends[self.used - 1]


def chunks(
    *,
    rows: int,
    rate: float,
    expected: float,
    steps: int,
    numbers: int,
    generator: np.random.Generator,
    cuts: Collection[int] = (),
) -> Iterator[Chunk]:
    """Yield the samples of all steps; `expected` is the public expectation of a batch's size.

    A chunk ends behind every step whose number, counted from one, is in `cuts`.
    """
    passes = max(1, min(MOST_PASSES, CHUNK_NUMBERS // numbers, steps))
    width = pass_width(expected)
    slots, counts, ends = _blank(passes, width)
    used = 0
    batches = poisson_batches(rows, rate=rate, steps=steps, generator=generator)
    for step, batch in enumerate(batches, start=1):
        for start in range(0, max(len(batch), 1), width):
            part = batch[start : start + width]
            slots[used, : len(part)], counts[used] = part, len(part)
            ends[used] = last = start + width >= len(batch)
            used += 1
            if used == passes or (last and step in cuts):
                yield Chunk(slots=slots, counts=counts, ends=ends, used=used)
                slots, counts, ends = _blank(passes, width)
                used = 0
    if used:
        yield Chunk(slots=slots, counts=counts, ends=ends, used=used)


def _blank(passes: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros((passes, width), np.int32), np.zeros(passes, np.int32), np.zeros(passes, bool)


def poisson_batches(
    rows: int, *, rate: float, steps: int, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    """Yield one Poisson sample per step: every row is in it with probability `rate`, independently.

    Drawn as a binomial size and a uniform subset of that size, which is the same distribution.
    """
    for size in generator.binomial(rows, rate, steps):
        yield generator.choice(rows, size, replace=False, shuffle=False)


def pass_width(expected: float) -> int:
    """Slots of a pass: a multiple of eight that holds nearly every batch of the expected size."""
    return rounded_up(math.ceil(expected + SPARE * math.sqrt(expected)))


def rounded_up(count: int) -> int:
    """Up to a few sizes, so that nearly equal sizes share a compiled program."""
    step = 8 if count <= 256 else 2 ** (count.bit_length() - 4)
    return max(step, -(-count // step) * step)


def padded_rows(records: np.ndarray) -> np.ndarray:
    """At least one row, and a rounded number of them: tables of nearly the same size share a program."""
    padded = np.zeros((rounded_up(len(records)), records.shape[1]), np.float32)
    padded[: len(records)] = records
    return padded


def row_rate(rate: float, rows_per_unit: int) -> float:
    """The chance of a row, so that a unit of that many rows is touched with probability `rate`."""
    return 1.0 if rate == 1.0 else -math.expm1(math.log1p(-rate) / rows_per_unit)
