"""Features of a release: whatever differs between two releases differs in some number."""

from __future__ import annotations

import numpy as np

import triplea
from triplea.audit.features import aligned, features_of, features_of_error
from triplea.audit.pairs import SURVEY, survey


def released(epsilon: float = 1.0):
    return triplea.release(survey(), schema=SURVEY, epsilon=epsilon, delta=1e-5, method="independent", seed=1)


def test_a_release_shows_its_size_its_model_and_its_rows() -> None:
    found = features_of(released(), rows=50, rng=np.random.default_rng(0))
    assert found["the number of rows"] > 0
    assert sum(found[f"rows with ward = {code}"] for code in range(4)) == 50
    assert any(name.startswith("table_") for name in found)
    assert {"mean of age in rows", "rows without score"} <= found.keys()
    assert all(np.isfinite(value) for value in found.values())


def test_the_same_release_has_the_same_features() -> None:
    one, two = (features_of(released(), rows=50, rng=np.random.default_rng(0)) for _ in range(2))
    assert one == two


def test_errors_are_told_apart_by_their_texts() -> None:
    one, two = features_of_error(ValueError("119")), features_of_error(ValueError("120"))
    assert one["ended with an error"] == two["ended with an error"] == 1.0
    assert one["text of the error"] != two["text of the error"]


def test_an_absent_feature_is_a_feature() -> None:
    names, matrix = aligned([{"a": 1.0, "b": np.inf}, {"a": 2.0}])
    assert names == ["a", "b", "absence of b"]
    assert matrix[:, 2].tolist() == [0.0, 1.0] and np.isfinite(matrix).all()
