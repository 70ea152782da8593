"""The fitted field agrees with what was measured, as far as it can."""

import numpy as np
import pytest

from triplea.approximate.graphs.clique_tree import CliqueTree
from triplea.approximate.graphs.field_fit import NoisyTable, fit_field, merge_repeats

SIZES = {"a": 3, "b": 2, "c": 4}


def fitted(tables, rows, **options):
    tree = CliqueTree(groups=[table.group for table in tables], sizes=SIZES)
    potentials = fit_field(tables, tree=tree, rows=rows, **options)
    joint = tree.joint(tree.conditionals(potentials))
    return potentials, {table.group: rows * tree.margin(joint, table.group) for table in tables}


def consistent_tables(stddev=1.0):
    rng = np.random.default_rng(0)
    joint = rng.gamma(1.0, size=tuple(SIZES.values()))
    joint *= 1000.0 / joint.sum()
    return [
        NoisyTable(group=("a", "b"), counts=joint.sum(axis=2), stddev=stddev),
        NoisyTable(group=("c", "b"), counts=joint.sum(axis=0).T, stddev=stddev),
    ]


def test_tables_that_agree_with_each_other_are_met():
    tables = consistent_tables()
    _, margins = fitted(tables, 1000.0, steps=2000)
    for table in tables:
        np.testing.assert_allclose(margins[table.group], table.counts, atol=2.0)


def test_more_steps_never_fit_worse_and_a_start_is_used():
    tables = consistent_tables()

    def misfit(margins):
        return sum(float(((margins[t.group] - t.counts) ** 2).sum()) for t in tables)

    potentials, few = fitted(tables, 1000.0, steps=3)
    _, more = fitted(tables, 1000.0, steps=30)
    _, resumed = fitted(tables, 1000.0, steps=30, start=potentials)
    assert misfit(few) > misfit(more)
    assert misfit(few) > misfit(resumed)


def test_repeated_measurements_are_averaged_by_precision():
    pair = [
        NoisyTable(group=("b",), counts=np.array([x, 0.0]), stddev=s) for x, s in ((0.0, 1.0), (8.0, 2.0))
    ]
    merged = merge_repeats(pair)[("b",)]
    assert merged.counts[0] == pytest.approx(8.0 / 5.0)
    assert merged.stddev == pytest.approx(np.sqrt(4.0 / 5.0))


def test_negative_counts_give_small_shares_and_no_error():
    table = NoisyTable(group=("b",), counts=np.array([-50.0, 100.0]), stddev=10.0)
    _, margins = fitted([table], 60.0, steps=200)
    assert margins[("b",)][0] < 1.0
    assert margins[("b",)].sum() == pytest.approx(60.0)
