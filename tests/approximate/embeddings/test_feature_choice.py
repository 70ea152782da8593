"""Harmonics and bandwidths that a table gets by itself."""

import numpy as np
import pytest

from triplea.approximate.codes.coordinates import MixedCoordinates, whole_range
from triplea.approximate.embeddings.feature_choice import (
    choose_features,
    expected_width,
    harmonics_of,
    is_crowded,
)
from triplea.schema import load_schema

SCHEMA = load_schema({"columns": [{"name": "x", "kind": "numeric", "lower": 0, "upper": 1}]})


def test_harmonics_count_on_quantiles_and_double_on_public_ranges():
    assert harmonics_of(None, quantiles=True) == [1, 2, 3, 4, 5, 6]
    assert harmonics_of(None, quantiles=False) == [1, 2, 4, 8]
    assert harmonics_of(2, quantiles=False) == [1, 2] and harmonics_of(0, quantiles=True) == []


def test_very_many_numbers_get_one_harmonic_unless_they_are_an_image():
    assert is_crowded(617, quantiles=False, image=False)
    assert not is_crowded(784, quantiles=False, image=True) and not is_crowded(
        178, quantiles=False, image=False
    )
    assert harmonics_of(None, quantiles=False, crowded=True) == [1]


@pytest.mark.parametrize("quantiles", [True, False])
def test_features_are_of_length_one(quantiles):
    coordinates = MixedCoordinates(binnings={"x": whole_range(SCHEMA, "x")}, discrete=[])
    made = choose_features(coordinates, quantiles=quantiles, features=40, rng=np.random.default_rng(0))
    assert len(made.directions) == 20 and len(made.harmonic) == (6 if quantiles else 4)
    assert made.count_weight**2 + (made.wave_weights**2).sum() == pytest.approx(1.0)
    assert expected_width(SCHEMA, quantiles=quantiles, harmonics=None, features=40) == made.width
