"""Methods follow scikit-learn's conventions."""

import pytest

from triplea.anonymize.budget import Budget
from triplea.anonymize.plan import Mechanism
from triplea.errors import MethodError
from triplea.methods._base import measuring
from triplea.registry import create_method, find_method, method_names


@pytest.mark.parametrize("name", method_names())
def test_parameters_round_trip(name):
    method = create_method(name, variant=find_method(name).variants[0])
    again = type(method)(**method.get_params())
    assert again.get_params() == method.get_params() == type(method).defaults()
    assert repr(method).startswith(type(method).__name__)


def test_unknown_parameters_are_refused():
    with pytest.raises(MethodError, match="no parameter 'depth'"):
        create_method("independent").set_params(depth=3)


def test_a_budget_without_delta_is_measured_with_laplace_noise():
    pure = measuring(Budget(epsilon=1.0, delta=0.0), "x", share=1.0)
    usual = measuring(Budget(epsilon=1.0, delta=1e-6), "x", share=1.0)
    assert (pure.mechanism, usual.mechanism) == (Mechanism.LAPLACE, Mechanism.GAUSSIAN)
