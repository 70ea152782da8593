"""What both embeddings share: ranges of parameters, and notes from released sizes."""

import pytest

import triplea
from tests.methods.counting_support import SCHEMA, rows
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method

pytest.importorskip("jax")
BUDGET = Budget(epsilon=1.0, delta=1e-5)


@pytest.mark.parametrize("method", ["dp-merf", "dp-merf-ae"])
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"joint_share": 0.96}, "must add up to less than 1"),
        ({"batch": 2}, "'batch' must be a whole number"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"bandwidths": [float("inf")]}, "'bandwidths' must list numbers above 0"),
    ],
)
def test_both_methods_refuse_the_same_parameters(method, params, message):
    with pytest.raises(MethodError, match=message):
        create_method(method, params=params).plan(SCHEMA, BUDGET)


def test_a_release_tells_how_far_training_is_and_nothing_about_rows():
    said = []
    params = {"features": 0, "steps": 100, "batch": 16, "hidden": [4]}
    options = {"schema": SCHEMA, "epsilon": 1.0, "delta": 1e-5, "seed": 0, "rows": 10}
    triplea.release(rows(500), method="dp-merf", params=params, progress=said.append, **options)
    assert said[0] == "asking" and said[-1] == "sampling"
    assert said[1].startswith("training the generator, step 50 of 100")
