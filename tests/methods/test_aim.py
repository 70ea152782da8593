"""AIM: rounds that are fixed beforehand, a model that stays within its size, and what it keeps."""

import pytest

from tests.methods.counting_support import SCHEMA, synthetic
from triplea.anonymize.budget import Budget
from triplea.errors import MethodError
from triplea.registry import create_method

QUICK = {"estimator": "numpy"}
BUDGET = Budget(epsilon=1.0, delta=1e-5)


def test_every_round_has_its_choice_and_its_measurement():
    asks = create_method("aim", params={**QUICK, "rounds_per_column": 1.5}).plan(SCHEMA, BUDGET).asks
    assert [(ask.mechanism.value, ask.times) for ask in asks] == [
        ("gaussian", 1),
        ("gaussian", 1),
        ("exponential", 6),
        ("gaussian", 6),
    ]


@pytest.mark.parametrize("options", [{}, {"neighbours": "replace-one"}, {"delta": 0.0, "epsilon": 4.0}])
def test_what_the_label_says_about_columns_is_kept(options):
    made, fake = synthetic("aim", params=QUICK, **options)
    ill = fake[fake.ill == "yes"]
    assert abs((fake.ill == "yes").mean() - 0.2) < 0.02
    assert ill.age.mean() > 60 > 50 > fake[fake.ill == "no"].age.mean()
    assert (ill.town == "C").mean() > 0.8
    assert made.certificate.epsilon_proved <= options.get("epsilon", 1.0)


def test_the_model_stays_within_its_cells():
    made, _ = synthetic("aim", params={**QUICK, "model_cells": 60, "most_bins": 4})
    assert sum(array.size for array in made.model.model.state()[1].values()) <= 60


def test_a_limit_below_any_pair_still_counts_the_smallest():
    made, _ = synthetic("aim", params={**QUICK, "model_cells": 1, "most_bins": 4})
    assert max(array.size for array in made.model.model.state()[1].values()) <= 9


def test_conditional_rows_follow_from_the_condition():
    made, _ = synthetic("aim", params=QUICK)
    drawn = made.model.sample(2000, where={"town": "C"}, seed=1).to_pandas()
    assert set(drawn.town) == {"C"}
    assert (drawn.ill == "yes").mean() > 0.8


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rounds_per_column": 0.0}, "'rounds_per_column' must be a finite number above 0, got 0.0"),
        ({"model_cells": 0}, "'model_cells' must be a whole number from 1"),
    ],
)
def test_bad_parameters_are_refused_before_reading(params, message):
    with pytest.raises(MethodError, match=message):
        create_method("aim", params=params).plan(SCHEMA, BUDGET)
