"""Choosing on the training rows, as the paper does."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.unit_code import UnitCode
from triplea.approximate.mixtures.noisy_points import NoisyPoints
from triplea.errors import MissingExtra
from triplea.methods import _three_a_choice as choice
from triplea.schema import load_schema

SCHEMA = load_schema({"target": "y", "columns": [
    {"name": "x", "kind": "numeric", "lower": 0, "upper": 1},
    {"name": "z", "kind": "numeric", "lower": 0, "upper": 1},
    {"name": "y", "kind": "categorical", "categories": ["a", "b", "c"]},
]})  # fmt: skip
RNG = np.random.default_rng(0)
ROWS = {"x": RNG.random(600), "z": RNG.random(600)}
KLASS = (3 * ROWS["x"]).astype(np.int64)
ROWS["y"] = KLASS.astype(np.int32)
CODE = UnitCode.fitted(SCHEMA, ["x", "z"], ROWS, codes="ordinal", scaling="min-max")


def points(classes):
    label = ("y", each_value(SCHEMA.column("y")))
    spreads = np.full(80, 0.01)
    return NoisyPoints(
        order=SCHEMA.names, code=CODE, label=label, points=CODE.encode(ROWS)[:80], classes=classes[:80],
        spreads=spreads,
    )  # fmt: skip


GOOD, SHUFFLED = points(KLASS), points(RNG.permutation(KLASS))
TWO_OF_THREE, ONE_CLASS = points(np.minimum(KLASS, 1)), points(np.zeros(600, dtype=np.int64))


def contest():
    return choice.Contest(rows=ROWS, klass=KLASS, rng=np.random.default_rng(1))


def test_the_data_set_that_trains_best_wins_and_a_missing_class_outweighs_that():
    held = contest()
    scores = [held.enter(model) for model in (ONE_CLASS, TWO_OF_THREE, SHUFFLED, GOOD, SHUFFLED)]
    assert held.winner is GOOD and held.best == scores[3] > 0.9
    assert scores[0] < scores[1] < 0.0 < scores[2] < 0.8


def test_auc_is_the_chance_to_rank_a_pair_rightly():
    scores, klass = np.array([0.1, 0.4, 0.4, 0.9]), np.array([0, 0, 1, 1])
    chances = np.stack([1 - scores, scores], axis=1)
    assert choice.mean_auc(chances, np.array([0, 1]), klass) == pytest.approx(3.5 / 4)
    assert choice.mean_auc(chances, np.array([0, 1]), np.zeros(4, dtype=int)) == 0.5


def test_without_a_judge_it_says_what_to_install(monkeypatch):
    choice.require_judge()
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="lightgbm"):
        choice.require_judge()
