"""Parameter checks name the parameter, the value and the range."""

import pytest

from triplea.errors import MethodError
from triplea.methods._checks import check_cells, check_fraction, check_positive, check_whole


@pytest.mark.parametrize("value", [0.0, 1.0, -1.0, float("nan")])
def test_a_fraction_lies_strictly_between_zero_and_one(value):
    with pytest.raises(MethodError, match="'share' must lie strictly between 0 and 1, got"):
        check_fraction("share", value)


@pytest.mark.parametrize("value", [1, 11, 2.5, True, "3"])
def test_a_whole_number_has_its_range(value):
    with pytest.raises(MethodError, match="'bins' must be a whole number from 2 to 10, got"):
        check_whole("bins", value, least=2, most=10)


def test_too_many_cells_are_refused_with_both_numbers():
    with pytest.raises(MethodError, match="2,000 cells, more than max_cells=1,000"):
        check_cells("m", 2000, most=1000)


@pytest.mark.parametrize("value", [0, -1.0, float("inf"), float("nan"), True, "3"])
def test_a_positive_number_is_finite_and_above_zero(value):
    with pytest.raises(MethodError, match="'rate' must be a finite number above 0, got"):
        check_positive("rate", value)
