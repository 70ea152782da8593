"""Features: their kernel is the promised one, and phases are exact."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.coordinates import MixedCoordinates
from triplea.approximate.embeddings.random_features import FINE, TURN, draw_features
from triplea.errors import MethodError

UNIT = Binning(edges=np.array([0.0, 1.0]), nullable=False, countable=False)
CODES = Binning(edges=np.arange(4), nullable=False, countable=True)
CODE = MixedCoordinates(binnings={"a": UNIT, "b": UNIT, "c": CODES}, discrete=["c"])


def drawn(**changes):
    options = {"harmonics": (1.0, 2.0), "joint": 2000, "bandwidths": (1.0,), "turn": 0.7}
    options |= {"joint_share": 0.4, "count_share": 0.1, **changes}
    return draw_features(CODE, **options, rng=np.random.default_rng(0))


def test_joint_waves_have_the_gaussian_kernel():
    features = drawn()
    points = np.array([[0.1, 0.2], [0.8, 0.5]], dtype=np.float32)
    codes = np.array([[0], [2]])
    angles = features.phases(points, codes)[:, 4:] * (2 * np.pi / TURN)
    kernel = np.cos(angles[0] - angles[1]).mean()
    squared = ((points[0] - points[1]) ** 2).sum() / (2 / 6) + 2 * 0.7**2
    assert kernel == pytest.approx(np.exp(-squared / 2), abs=0.05)


def test_phases_are_whole_numbers_of_steps():
    features = drawn()
    rng = np.random.default_rng(1)
    numbers, codes = rng.random((50, 2)).astype(np.float32), rng.integers(0, 3, (50, 1))
    steps = np.round(numbers * np.float32(FINE)).astype(np.int64)
    exact = steps @ features.directions.T + features.angles[0][codes[:, 0]]
    assert np.array_equal(features.phases(numbers, codes)[:, 4:], exact)


def test_the_weights_add_up_to_one():
    features = drawn()
    squares = features.count_weight**2 + (features.block_weights**2).sum() + (features.wave_weights**2).sum()
    assert squares == pytest.approx(1.0)
    assert len(features.weights) == features.width


def test_a_block_in_focus_gets_its_weight_beside_its_part_of_the_rest():
    plain, focused = drawn(), drawn(focus=[0], focus_weight=0.5)
    assert (focused.weights**2)[1] == pytest.approx(0.5 + 0.5 * plain.block_weights[0] ** 2)
    assert focused.wave_weights == pytest.approx(plain.wave_weights * np.sqrt(0.5))
    squares = focused.block_weights @ focused.block_weights + focused.wave_weights @ focused.wave_weights
    assert focused.count_weight**2 + squares == pytest.approx(1.0)


def test_a_partner_is_in_every_second_wave_with_one_other_column():
    features = drawn(partner=1)
    paired = features.directions[::2]
    assert (paired[:, 1] != 0).all()
    others = (paired[:, 0] != 0).astype(int) + (features.angles[0][:, ::2] != 0).any(axis=0)
    assert (others == 1).all()
    assert (features.directions[1::2] != 0).all()


def test_frequencies_beyond_exactness_are_refused():
    with pytest.raises(MethodError, match="'bandwidths'"):
        drawn(bandwidths=(1e-9,))
