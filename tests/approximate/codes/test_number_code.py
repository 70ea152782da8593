"""Numbers as entries of a vector, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.normal_scores import SCORES
from triplea.approximate.codes.number_code import NumberCode, places, values_at
from triplea.schema import Column

HUGE = Column(name="h", kind="numeric", lower=-8e307, upper=8e307)
WHOLE = Column(name="w", kind="integer", lower=-5, upper=250, nullable=True)
LONG = Column(name="l", kind="integer", lower=-(2**62), upper=2**62 - 4)
FIXED = Column(name="f", kind="numeric", lower=3, upper=3)


@given(st.integers(0, 255))
def test_whole_numbers_come_back_exactly(code):
    assert values_at(WHOLE, places(WHOLE, np.array([code])))[0] == code


@given(st.floats(-1.0, 1.0))
def test_every_place_is_an_allowed_value(spot):
    assert -8e307 <= values_at(HUGE, np.array([spot]))[0] <= 8e307
    assert 0 <= values_at(LONG, np.array([spot]))[0] <= LONG.size - 1
    assert values_at(FIXED, np.array([spot]))[0] == 3.0


def test_missing_numbers_are_nan():
    assert np.isnan(places(WHOLE, np.array([256]))[0])
    assert np.isnan(places(HUGE, np.array([np.nan]))[0])


@pytest.mark.parametrize("curved", [True, False])
@pytest.mark.parametrize("knots", [None, np.array([2.0 * SCORES + 0.3, np.sinh(SCORES)])])
def test_a_code_and_its_state_round_trip(curved, knots):
    code = NumberCode(
        columns=(WHOLE, HUGE),
        centres=np.array([0.1, 0.0]),
        spreads=np.array([0.05, 0.3]),
        curved=curved,
        knots=knots,
    )
    rows = {"w": np.array([0, 7, 255]), "h": np.array([-8e307, 1e300, 8e307])}
    again = NumberCode.from_state(code.state()[0], code.state()[1])
    back = again.decode(code.encode(rows))
    assert (back["w"] == rows["w"]).all()
    assert back["h"] == pytest.approx(rows["h"], rel=1e-9)
    assert code.entry("w", 7) == code.encode(rows)[1, 0]


def test_entries_far_outside_are_held_in_the_bounds():
    code = NumberCode(columns=(WHOLE,), centres=np.zeros(1), spreads=np.ones(1), curved=True)
    assert code.decode(np.array([[1e9], [-1e9]]))["w"].tolist() == [255, 0]
