"""Which features a table gets where nobody says otherwise: harmonics and bandwidths by the kind of scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triplea.approximate.codes.coordinates import Coordinates
from triplea.approximate.embeddings.random_features import Features, draw_features
from triplea.approximate.embeddings.schema_hints import class_column, is_class
from triplea.schema import Schema

HARMONICS, WIDE_HARMONICS = 6, 4  # on a scale of quantiles, and on public ranges
# With more numbers than this on public ranges, each gets so little of the budget that only means survive: one
# harmonic each, and hardly any joint waves. An image is spared, because its pixels are learnt together.
CROWDED = 300
JOINT_SHARE, CROWDED_JOINT_SHARE = 0.3, 0.05
FOCUS_WEIGHT = 0.5  # of all squared weights, for the columns that were chosen
BANDWIDTHS, WIDE_BANDWIDTHS = (0.5, 1.0, 2.0), (0.1, 0.3, 1.0)


def is_crowded(numbers: int, *, quantiles: bool, image: bool) -> bool:
    """Whether there are too many numbers to learn more than their means."""
    return numbers > CROWDED and not quantiles and not image


def harmonics_of(count: int | None, *, quantiles: bool, crowded: bool = False) -> list[float]:
    """Half turns over the unit range.

    Equal cells make columns nearly uniform, where low harmonics tell most. A public range may be far too
    wide: frequencies there go up by doubling.
    """
    usual = HARMONICS if quantiles else 1 if crowded else WIDE_HARMONICS
    counted = np.arange(usual if count is None else count)
    return list((counted + 1.0) if quantiles else 2.0**counted)


def expected_width(schema: Schema, *, quantiles: bool, harmonics: int | None, features: int) -> int:
    """How many features a row of this schema will have, atoms and missing numbers apart."""
    label = class_column(schema)
    numbers = sum(not is_class(column) for column in schema.columns)
    one_hot = sum(c.cells for c in schema.columns if is_class(c) and c is not label)
    crowded = is_crowded(numbers, quantiles=quantiles, image="image" in schema.extras)
    waves = len(harmonics_of(harmonics, quantiles=quantiles, crowded=crowded))
    return 1 + one_hot + 2 * numbers * waves + features


def choose_features(
    coordinates: Coordinates,
    *,
    quantiles: bool,
    features: int,
    rng: np.random.Generator,
    harmonics: int | None = None,
    bandwidths: Sequence[float] | None = None,
    turn: float = 0.0,
    joint_share: float | None = None,
    count_share: float = 0.05,
    image: bool = False,
    partner: int | None = None,
    focus: Sequence[int | None] = (),
) -> Features:
    """Draw the features; see `draw_features` for what the options mean. `features` counts cos and sin."""
    crowded = is_crowded(coordinates.numbers, quantiles=quantiles, image=image)
    if joint_share is None:
        joint_share = CROWDED_JOINT_SHARE if crowded else JOINT_SHARE
    return draw_features(
        coordinates,
        harmonics=harmonics_of(harmonics, quantiles=quantiles, crowded=crowded),
        joint=features // 2,
        bandwidths=bandwidths or (BANDWIDTHS if quantiles else WIDE_BANDWIDTHS),
        turn=turn,
        joint_share=joint_share,
        count_share=count_share,
        rng=rng,
        partner=partner,
        focus=[block for block in focus if block is not None],
        focus_weight=FOCUS_WEIGHT,
    )
