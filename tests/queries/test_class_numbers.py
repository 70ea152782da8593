"""Counts, sums and squares by class, against plain arithmetic."""

import numpy as np
import pytest

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.approximate.gaussians.class_vectors import ClassVectors
from triplea.queries.class_numbers import ClassSquares, ClassSums, LengthCounts, clipped
from triplea.schema import load_schema

LAYOUT = NumberLayout.of(
    load_schema(
        {
            "target": "y",
            "columns": [{"name": "y", "kind": "boolean"}]
            + [{"name": name, "kind": "numeric", "lower": -1, "upper": 1} for name in "ab"],
        }
    )
)
VECTORS = ClassVectors(layout=LAYOUT, code=NumberCode.plain(LAYOUT.numbers), centres=np.zeros((1, 2)))
ROWS = {"y": np.array([0, 1, 1]), "a": np.array([0.1, 0.3, 0.6]), "b": np.array([0.0, 0.4, 0.8])}


def test_sums_are_clipped_and_counts_are_exact():
    query = ClassSums(vectors=VECTORS, radius=0.5)
    answer = query.partial_sums(ROWS) * query.grid
    assert query.counts(answer) == pytest.approx([1.0, 2.0], abs=1e-4)
    assert query.totals(answer) == pytest.approx(np.array([[0.1, 0.0], [0.6, 0.8]]), abs=1e-4)


def test_squares_are_clipped_as_a_vector():
    query = ClassSquares(vectors=VECTORS, clip_norm=0.2)
    answer = query.partial_sums(ROWS) * query.grid
    square = np.array([0.36, 0.64])
    wanted = np.array([0.09, 0.16]) + square / np.linalg.norm(square) * 0.2
    assert answer[1] == pytest.approx(wanted, abs=1e-4)


def test_lengths_are_counted_and_read_back():
    query = LengthCounts(vectors=VECTORS)
    counts = query.partial_sums(ROWS)
    assert counts.sum() == 3
    radius = query.quantile(1000.0 * counts, 1.0, 0.66)
    assert radius == pytest.approx(0.5, abs=0.05)
    assert query.quantile(np.zeros(64), 1.0, 0.5) > 0


def test_lengths_that_noise_could_have_made_are_not_believed():
    query = LengthCounts(vectors=VECTORS)
    unknown = query.quantile(np.zeros(64), 1.0, 0.33)
    bump = np.zeros(64)
    bump[3] = 3.0
    assert query.quantile(bump, 1.0, 0.33) == unknown
    assert query.quantile(2.0 * bump, 1.0, 0.33) < 0.2 * unknown


def test_lengths_say_what_clipping_leaves_of_the_squares():
    query = LengthCounts(vectors=VECTORS)
    lengths = (np.arange(64) + 0.5) / 64 * query.longest * np.sqrt(VECTORS.width)
    counts = np.zeros(64)
    counts[[7, 31]] = 3000.0, 1000.0
    half = (3000.0 * lengths[7] ** 2 + 1000.0 * (lengths[31] / 2) ** 2) / (counts @ lengths**2)
    assert query.kept(counts, 1.0, radius=lengths[31] / 2, longest=10.0) == pytest.approx(half)
    assert query.kept(counts, 1.0, radius=lengths[31] / 2, longest=lengths[31] / 2) == pytest.approx(1.0)
    assert query.kept(counts, 1.0, radius=10.0, longest=10.0) == pytest.approx(1.0)
    assert query.kept(counts, 1e6, radius=0.1, longest=10.0) == 1.0  # noise alone


def test_clipping_leaves_short_rows_alone():
    assert clipped(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0) == pytest.approx(
        np.array([[0.6, 0.8], [0.3, 0.4]])
    )
