"""A field laid out by cliques equals the field by brute force, table for table."""

from functools import reduce
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.graphs.clique_tree import CliqueTree

SIZES = {"a": 2, "b": 3, "c": 2, "d": 1, "e": 3}


def by_brute_force(potentials):
    """The joint table of all columns."""
    names = list(SIZES)
    parts = []
    for group, table in potentials.items():
        order = sorted(range(len(group)), key=lambda i: names.index(group[i]))
        shape = [SIZES[name] if name in group else 1 for name in names]
        parts.append(np.exp(table).transpose(order).reshape(shape))
    joint = reduce(np.multiply, parts, np.ones(tuple(SIZES.values())))
    return joint / joint.sum()


def margin(joint, group):
    names = list(SIZES)
    summed = joint.sum(axis=tuple(i for i, name in enumerate(names) if name not in group))
    left = [name for name in names if name in group]
    return summed.transpose([left.index(name) for name in group])


def fields():
    pairs = st.lists(st.sampled_from([*combinations(SIZES, 2), ("e", "a"), ("c", "b", "e")]), unique=True)
    return st.tuples(pairs, st.integers(0, 2**32 - 1))


def potentials_of(groups, seed):
    rng = np.random.default_rng(seed)
    return {group: rng.normal(scale=3.0, size=[SIZES[name] for name in group]) for group in groups}


@given(fields())
def test_every_margin_equals_that_of_the_joint_table(field):
    potentials = potentials_of(*field)
    tree = CliqueTree(groups=potentials, sizes=SIZES)
    conditionals = tree.conditionals(potentials)
    joint, expected = tree.joint(conditionals), by_brute_force(potentials)
    for group in [*potentials, *((name,) for name in SIZES)]:
        np.testing.assert_allclose(tree.margin(joint, group), margin(expected, group), atol=1e-12)
    for name in SIZES:
        for other, table in tree.pairs_with(name, conditionals, joint).items():
            np.testing.assert_allclose(table, margin(expected, (name, other)), atol=1e-12)


@given(fields())
def test_the_network_of_a_field_multiplies_to_the_joint_table(field):
    potentials = potentials_of(*field)
    tree = CliqueTree(groups=potentials, sizes=SIZES)
    factors = tree.factors(tree.conditionals(potentials))
    known: set[str] = set()
    for factor in factors:
        assert set(factor.names[:-1]) <= known, "a column comes after those it depends on"
        np.testing.assert_allclose(factor.values.sum(axis=-1), 1.0)
        known.add(factor.names[-1])
    logs = {factor.names: np.log(factor.values) for factor in factors}
    np.testing.assert_allclose(by_brute_force(logs), by_brute_force(potentials), atol=1e-12)


def test_cells_count_every_clique_once():
    assert CliqueTree(groups=[], sizes=SIZES).cells == 2 + 3 + 2 + 1 + 3
    ring = [("a", "b"), ("b", "c"), ("c", "e"), ("e", "a")]
    assert CliqueTree(groups=ring, sizes=SIZES).cells > CliqueTree(groups=ring[:3], sizes=SIZES).cells


@pytest.mark.parametrize("depth", [5, 200])
def test_potentials_of_any_size_give_finite_shares(depth):
    tree = CliqueTree(groups=[("a", "b")], sizes={"a": 2, "b": 2})
    table = np.array([[0.0, -1e4 * depth], [-1e4 * depth, 1e4]])
    for shares in tree.conditionals({("a", "b"): table}):
        assert np.isfinite(shares).all()
