"""The network draws from its own law, and conditions on it exactly."""

import json
from itertools import product

import numpy as np
import pytest

from triplea.approximate.codes.binning import each_value
from triplea.approximate.graphs import bayes_network
from triplea.approximate.graphs.bayes_network import BayesNetwork, draw_by_config
from triplea.approximate.graphs.factors import Factor
from triplea.errors import ReleaseError
from triplea.schema import Column

SIZES = {"a": 2, "b": 3, "c": 2, "d": 3}
GROUPS = [("a",), ("a", "b"), ("b", "a", "c"), ("c", "b", "d")]


def network(seed=0):
    rng = np.random.default_rng(seed)
    factors = [Factor(names=g, values=rng.random([SIZES[n] for n in g])) for g in GROUPS]
    binnings = {
        name: each_value(Column(name=name, kind="ordinal", categories=tuple(range(size))))
        for name, size in SIZES.items()
    }
    return BayesNetwork(factors=factors, binnings=binnings)


def law(model):
    """The joint distribution by enumeration."""
    joint = np.zeros([SIZES[n] for n in SIZES])
    for cells in product(*(range(size) for size in SIZES.values())):
        at = dict(zip(SIZES, cells, strict=True))
        joint[cells] = np.prod([f.values[tuple(at[n] for n in f.names)] for f in model.factors])
    return joint


def frequencies(rows):
    table = np.zeros([SIZES[n] for n in SIZES])
    np.add.at(table, tuple(rows[name] for name in SIZES), 1)
    return table / table.sum()


def test_rows_follow_the_network():
    model = network()
    assert law(model).sum() == pytest.approx(1.0)
    drawn = frequencies(model.sample(200_000, rng=np.random.default_rng(1)))
    assert np.abs(drawn - law(model)).max() < 0.004


@pytest.mark.parametrize("fixed", [{"d": 2}, {"b": 1}, {"d": 0, "a": 1}, {"c": 1, "d": 1, "b": 0}])
def test_conditions_are_exact(fixed):
    model = network(3)
    joint = law(model)
    index = tuple(fixed.get(name, slice(None)) for name in SIZES)
    wanted = np.zeros_like(joint)
    wanted[index] = joint[index] / joint[index].sum()
    drawn = model.sample(200_000, rng=np.random.default_rng(2), where=fixed)
    assert all(set(drawn[name]) == {value} for name, value in fixed.items())
    assert np.abs(frequencies(drawn) - wanted).max() < 0.004


def test_where_tables_would_not_fit_rows_are_rejected_until_they_match(monkeypatch):
    model = network(4)
    monkeypatch.setattr(bayes_network, "MOST_CELLS", 1)
    drawn = model.sample(50_000, rng=np.random.default_rng(2), where={"d": 1})
    joint = law(model)[..., 1]
    assert np.abs(frequencies(drawn)[..., 1] - joint / joint.sum()).max() < 0.01


def test_a_condition_too_rare_for_rejection_says_so(monkeypatch):
    model = network(4)
    monkeypatch.setattr(bayes_network, "MOST_CELLS", 1)
    monkeypatch.setattr(bayes_network, "MOST_ROUNDS", 0)
    with pytest.raises(ReleaseError, match="where: rows with d as asked are too rare"):
        model.sample(5, rng=np.random.default_rng(2), where={"d": 1})


def test_every_cell_gets_its_share_to_a_rounding():
    shares = np.array([[0.5, 0.5, 0.0], [0.1, 0.2, 0.7]])
    config = np.array([0] * 10 + [1] * 100)
    cells = draw_by_config(shares, config, np.random.default_rng(0))
    assert np.bincount(cells[:10], minlength=3).tolist() == [5, 5, 0]
    assert np.abs(np.bincount(cells[10:], minlength=3) - [10, 20, 70]).max() <= 1
    assert len(draw_by_config(shares, config[:0], np.random.default_rng(0))) == 0


def test_impossible_conditions_still_give_rows_that_hold_them():
    binnings = {name: each_value(Column(name=name, kind="boolean")) for name in "ab"}
    model = BayesNetwork(
        factors=[
            Factor(names=("a",), values=np.array([1.0, 0.0])),
            Factor(names=("a", "b"), values=np.eye(2)),
        ],
        binnings=binnings,
    )
    rows = model.sample(10, rng=np.random.default_rng(0), where={"b": 1})
    assert set(rows["b"]) == {1}


def test_states_round_trip():
    model = network()
    description, arrays = model.state()
    again = BayesNetwork.from_state(json.loads(json.dumps(description)), arrays)
    one, two = (m.sample(100, rng=np.random.default_rng(5)) for m in (model, again))
    assert all(np.array_equal(one[name], two[name]) for name in SIZES)
