from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from triplea.evaluate.projection import principal_axes, project
from triplea.evaluate.rows import Field, Rows


def test_axes_agree_with_scikit_learn_up_to_sign() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 5)) @ rng.normal(size=(5, 5))
    axes, shares = principal_axes(points - points.mean(axis=0))
    reference = PCA(n_components=2).fit(points)
    assert np.abs(np.sum(axes * reference.components_, axis=1)) == pytest.approx([1, 1])
    assert shares == pytest.approx(reference.explained_variance_ratio_)


def test_synthetic_rows_are_put_on_the_real_axes(train: Rows, synthetic: Rows) -> None:
    found = project(train, synthetic, target="ill", rng=np.random.default_rng(0), points=50)
    assert found is not None
    assert len(found.real) == len(found.synthetic) == 50
    assert set(found.real_classes) == {"no", "yes"}
    same = project(train, train, target="ill", rng=np.random.default_rng(0), points=1000)
    assert same is not None
    assert sorted(same.real) == sorted(same.synthetic)


def test_one_feature_has_no_plane() -> None:
    rows = Rows(fields=(Field(name="x"),), values={"x": np.arange(3.0)})
    assert project(rows, rows, target=None, rng=np.random.default_rng(0)) is None
