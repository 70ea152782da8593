"""Features of a row whose mean stands in for a distribution: one-hot codes, harmonics and random waves.

h(row) = (1, one-hot of every block, (cos, sin) of every wave). A wave is either a harmonic of one number, or
a random direction over all of them (random Fourier features, Rahimi and Recht 2008) that may also turn by an
angle for every category, which is the same wave on the one-hot vector. Each part has length at most 1 and
carries a weight: the kernel is the weighted sum of the parts' kernels, and the noise of a part is divided by
its weight.

Frequencies and angles are whole numbers of 2^-16 and 2^-32 turns, and coordinates are rounded to 2^-16, so
that a phase is a sum of products of integers: exact in float64, whatever the order of addition, and the same
for a row alone and for a row among others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from triplea.approximate.codes.coordinates import Coordinates
from triplea.errors import MethodError

FINE = 2**16  # steps of a coordinate, and of a turn per unit
TURN = FINE * FINE  # steps of a whole turn in a phase


@dataclass(frozen=True, kw_only=True)
class Features:
    """Frequencies in 2^-16 turns per unit of a coordinate, angles in 2^-32 turns, weights of all parts."""

    numbers: int
    blocks: tuple[int, ...]
    harmonic_of: np.ndarray  # which number, for each harmonic
    harmonic: np.ndarray  # its frequency
    directions: np.ndarray  # joint waves x numbers
    angles: tuple[np.ndarray, ...] = ()  # for each block, cells x joint waves; none if they do not turn
    count_weight: float = 1.0
    block_weights: np.ndarray = field(default_factory=lambda: np.zeros(0))
    wave_weights: np.ndarray = field(default_factory=lambda: np.zeros(0))  # harmonics, then joint waves

    @property
    def waves(self) -> int:
        """Number of (cos, sin) pairs."""
        return len(self.harmonic) + len(self.directions)

    @property
    def flags(self) -> int:
        """Entries that count rows: the constant and the one-hot codes."""
        return 1 + sum(self.blocks)

    @property
    def width(self) -> int:
        """Entries of h."""
        return self.flags + 2 * self.waves

    @property
    def weights(self) -> np.ndarray:
        """The weight of every entry: constant, blocks, all cosines, all sines."""
        cells = np.repeat(self.block_weights, self.blocks)
        return np.concatenate([[self.count_weight], cells, self.wave_weights, self.wave_weights])

    def __post_init__(self) -> None:
        """Refuse frequencies so high that a phase would not be exact."""
        reach = np.abs(self.directions).sum(axis=1).max(initial=0) * FINE + len(self.blocks) * TURN
        if reach >= 2**53 or np.abs(self.harmonic).max(initial=0) * FINE >= 2**53:
            raise MethodError("frequencies are too high for this many columns: raise 'bandwidths'.")

    def phases(self, numbers: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """The phase of every wave for every row, in 2^-32 turns (int64, exact)."""
        steps = np.round(np.clip(numbers, 0.0, 1.0) * np.float32(FINE)).astype(np.float64)
        waves = np.empty((len(numbers), self.waves))
        cut = len(self.harmonic)
        np.multiply(steps[:, self.harmonic_of], self.harmonic, out=waves[:, :cut])
        if len(self.directions):
            np.matmul(steps, self.directions.T.astype(np.float64), out=waves[:, cut:])
            for block, angles in enumerate(self.angles):
                waves[:, cut:] += angles[codes[:, block]]
        return waves.astype(np.int64)


def draw_features(
    coordinates: Coordinates,
    *,
    harmonics: Sequence[float],
    joint: int,
    bandwidths: Sequence[float],
    turn: float,
    joint_share: float,
    count_share: float,
    rng: np.random.Generator,
    partner: int | None = None,
    focus: Sequence[int] = (),
    focus_weight: float = 0.0,
) -> Features:
    """Choose public features for some coordinates.

    `harmonics` are half turns over the unit range, used for every number. `joint` random waves follow
    Gaussian kernels whose widths are `bandwidths` times sqrt(numbers / 6), the root mean square distance of
    two uniform points, in equal parts; categories turn them by N(0, turn^2). `joint_share` of the squared
    weights goes to joint waves, `count_share` to the constant, and the rest in equal parts to all columns.
    Where a number is the `partner` (a target that is no class), every second joint wave is over it and one
    other column only: the product of a Gaussian kernel on the label and one on that column. Blocks in
    `focus` get `focus_weight` of all squared weights, beside their part of the rest.
    """
    numbers, blocks = coordinates.numbers, coordinates.blocks
    joint = joint if numbers + (len(blocks) if turn > 0 else 0) > 0 else 0
    scale = np.sqrt(max(numbers, 1) / 6.0)
    widths = scale * np.asarray(bandwidths, dtype=float)[np.arange(joint) % max(len(bandwidths), 1)]
    directions = rng.standard_normal((joint, numbers)) / widths[:, None]
    angles = tuple(_whole(turn * rng.standard_normal((cells, joint)), TURN) % TURN for cells in blocks)
    if partner is not None:
        _pair_up(directions, angles, partner)
    harmonic = np.pi * np.tile(np.asarray(harmonics, dtype=float), numbers)
    of = np.repeat(np.arange(numbers), len(harmonics))

    joint_share = joint_share if joint else 0.0
    parts = len(blocks) + (numbers if len(harmonics) else 0)
    each = (1.0 - joint_share - count_share) / max(parts, 1)
    falling = 1.0 / (1.0 + np.arange(len(harmonics)))  # later harmonics say less: half the energy and so on
    per_wave = np.sqrt(each * falling / max(falling.sum(), 1e-300))
    spread = np.full(joint, np.sqrt(joint_share / max(joint, 1)))
    rest = np.sqrt(1.0 - focus_weight) if len(focus) else 1.0
    block_weights = np.full(len(blocks), rest * np.sqrt(each))
    for block in focus:
        block_weights[block] = np.hypot(block_weights[block], np.sqrt(focus_weight / len(focus)))
    return Features(
        numbers=numbers,
        blocks=blocks,
        harmonic_of=of,
        harmonic=_whole(harmonic, FINE),
        directions=_whole(directions, FINE),
        angles=angles if turn > 0 and joint else (),
        count_weight=float(rest * np.sqrt(count_share)),
        block_weights=block_weights,
        wave_weights=rest * np.concatenate([np.tile(per_wave, numbers), spread]),
    )


def _pair_up(directions: np.ndarray, angles: tuple[np.ndarray, ...], partner: int) -> None:
    """Let every second wave see the partner and one other number or block, in turns, as if there were two."""
    numbers = directions.shape[1]
    others = [number for number in range(numbers) if number != partner]
    places = [*others, *range(-1, -1 - len(angles), -1)]
    for turn, wave in enumerate(range(0, len(directions) if places else 0, 2)):
        place = places[turn % len(places)]
        kept = np.zeros(numbers, dtype=bool)
        kept[[partner, place] if place >= 0 else [partner]] = True
        directions[wave] = np.where(kept, directions[wave] * np.sqrt(numbers / 2.0), 0.0)
        for block, turned in enumerate(angles):
            if block != -1 - place:
                turned[:, wave] = 0


def _whole(radians: np.ndarray, steps: int) -> np.ndarray:
    """Radians as whole numbers of 1/steps turns."""
    return np.round(radians / (2.0 * np.pi) * steps).astype(np.int64)


def describe(features: Features) -> dict[str, Any]:
    """How many features of each sort there are, for notes."""
    return {
        "one-hot": sum(features.blocks),
        "harmonics": len(features.harmonic),
        "joint waves": len(features.directions),
    }
