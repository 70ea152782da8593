"""What the combinations of 3A take as parameters."""

import pytest

from triplea.errors import MethodError
from triplea.methods import _three_a_checks as checks


def test_one_sigma_or_several():
    assert checks.sigmas(0.1) == (0.1,) and checks.sigmas([0.1, 1]) == (0.1, 1.0)
    assert checks.one_sigma([0.3]) == 0.3


@pytest.mark.parametrize("value", [[], 0.0, "x", [0.1, float("nan")], {}, True, None])
def test_other_sigmas_are_refused(value):
    with pytest.raises(MethodError, match="sigma_max"):
        checks.sigmas(value)


def test_several_sigmas_would_have_to_be_paid_for():
    with pytest.raises(MethodError, match="one number in the provable variant"):
        checks.one_sigma([0.1, 0.2])


@pytest.mark.parametrize("value", [-0.1, 1.1, "x", float("nan"), [], [0.5, 2], None, True])
def test_alphas_lie_between_zero_and_one(value):
    assert checks.alphas(0) == (0.0,) and checks.alphas([1, 0.5]) == (1.0, 0.5)
    with pytest.raises(MethodError, match="alpha"):
        checks.alphas(value)


def test_several_alphas_only_where_a_plan_can_pay_for_the_choice():
    assert checks.one_alpha((0.5,)) == 0.5
    with pytest.raises(MethodError, match="learn_from='cells'.*trials"):
        checks.one_alpha((0.5, 1.0))


def test_the_kernel_needs_a_ridge():
    with pytest.raises(MethodError, match="1e-8"):
        checks.check_kernel(ridge=1e-9, depth=2, steps=10)


@pytest.mark.parametrize("value", [-0.1, 1.5, "x", None, float("nan")])
def test_shares_lie_between_zero_and_one(value):
    checks.check_share("spread", 0), checks.check_share("spread", 1.0)
    with pytest.raises(MethodError, match="spread"):
        checks.check_share("spread", value)
