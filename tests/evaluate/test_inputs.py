from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.inputs import Matrix, frame_of, onehot
from triplea.evaluate.rows import Rows


def test_the_frame_has_pandas_categories_over_all_levels(train: Rows) -> None:
    ward = frame_of(train)[f"c{[field.name for field in train.fields].index('ward')}"]
    assert list(ward.cat.categories) == ["a", "b", "c"]
    assert int(ward.isna().sum()) == int(train.missing("ward").sum())


def test_standard_scaling_is_learnt_from_training_rows_only(train: Rows, held_out: Rows) -> None:
    matrix = Matrix.standard(train)
    own = matrix.apply(train)[:, 0]
    assert own.mean() == pytest.approx(0, abs=1e-5)
    assert own.std() == pytest.approx(1, abs=1e-5)
    assert matrix.apply(held_out)[:, 0].mean() != pytest.approx(0, abs=1e-5)


def test_public_scaling_puts_the_bounds_at_minus_one_and_one(train: Rows) -> None:
    matrix = Matrix.public(train)
    ends = train.take(np.array([0, 1]))
    ends = Rows(fields=ends.fields, values={**ends.values, "age": np.array([0.0, 80.0])})
    assert matrix.apply(ends)[:, 0].tolist() == [-1.0, 1.0]


def test_a_missing_category_is_all_zero_and_a_missing_number_is_at_the_centre(train: Rows) -> None:
    assert onehot(np.array([1, -1]), 3).tolist() == [[0, 1, 0], [0, 0, 0]]
    lacking = train.take(train.missing("dose"))
    assert not Matrix.standard(train).apply(lacking)[:, 1].any()


def test_a_constant_number_column_does_not_divide_by_zero(train: Rows) -> None:
    flat = Rows(fields=train.fields, values={**train.values, "dose": np.full(len(train), 0.1)})
    assert np.isfinite(Matrix.standard(flat).apply(flat)).all()
