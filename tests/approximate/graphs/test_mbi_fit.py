"""The `mbi` package and our own estimator solve the same problem."""

import numpy as np
import pytest

from triplea.approximate.graphs import mbi_fit
from triplea.approximate.graphs.clique_tree import CliqueTree
from triplea.approximate.graphs.field_fit import NoisyTable, fit_field
from triplea.errors import MissingExtra

SIZES = {"a": 3, "b": 2}


def test_mbi_finds_the_same_field():
    pytest.importorskip("mbi")
    rng = np.random.default_rng(1)
    tables = [
        NoisyTable(group=group, counts=rng.uniform(50, 300, [SIZES[name] for name in group]), stddev=9.0)
        for group in (("a",), ("b", "a"))
    ]
    tree = CliqueTree(groups=[table.group for table in tables], sizes=SIZES)
    start = fit_field(tables, tree=tree, rows=900.0, steps=20)
    found = [
        tree.joint(tree.conditionals(fit(tables, tree=tree, rows=900.0, steps=500, start=start)))
        for fit in (fit_field, mbi_fit.fit_by_mbi)
    ]
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=2e-3)


def test_a_missing_package_is_named_with_its_cure(monkeypatch):
    monkeypatch.setattr(mbi_fit, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"method 'aim' needs the package 'mbi'.*triplea\[mbi\]"):
        mbi_fit.require_mbi("method 'aim'")
