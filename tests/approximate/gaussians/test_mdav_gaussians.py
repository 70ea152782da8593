"""The printed algorithm joins feature sets by row and keeps exact counts, so it is only claimed."""

import numpy as np

from triplea.approximate.codes.vectors import VectorCode
from triplea.approximate.gaussians.mdav_gaussians import gaussians_of_groups, groups_by_class
from triplea.schema import load_schema

CODE = VectorCode(
    load_schema({"columns": [{"name": n, "kind": "numeric", "lower": -1, "upper": 1} for n in "abcd"]})
)


def test_cells_of_different_sets_are_joined_as_rows_have_them():
    rng = np.random.default_rng(0)
    vectors, klass = rng.uniform(-1, 1, (300, 4)), np.repeat([0, 2], [200, 100])
    options = {"code": CODE, "ifs": True, "cluster_share": 0.3, "epsilon": 1.0, "noise": rng}
    model, rows = gaussians_of_groups(vectors, klass, classes=3, **options)
    assert rows == 300 == model["joined_weights"].sum()
    assert len(model["sets"]) >= 2
    assert sorted(np.concatenate([cells.entries for cells in model["sets"]])) == [0, 1, 2, 3]
    assert set(model["joined"][:, 0]) == {0, 2}


def test_an_empty_table_has_a_model():
    model, rows = gaussians_of_groups(
        np.zeros((0, 4)),
        np.zeros(0, dtype=np.int64),
        classes=2,
        code=CODE,
        ifs=True,
        cluster_share=1.0,
        epsilon=1.0,
        noise=np.random.default_rng(0),
    )
    assert rows == 0 and model["joined"] is None


def test_groups_hold_a_share_of_their_class():
    klass = np.repeat([0, 1], [100, 3])
    group = groups_by_class(np.random.default_rng(0).normal(size=(103, 2)), klass, np.bincount(klass), 0.25)
    assert np.bincount(group[:100]).tolist() == [25] * 4
    assert np.bincount(group[100:]).tolist() == [1] * 3
