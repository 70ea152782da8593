"""Atoms and intervals from released counts."""

import numpy as np
import pytest

from triplea.approximate.codes.bin_choice import bins_from_tree, bins_from_values, find_atoms
from triplea.schema import Column

COLUMN = Column(name="x", kind="integer", lower=0, upper=1023)


def test_noise_alone_makes_about_half_an_atom():
    rng = np.random.default_rng(0)
    found = [len(find_atoms(np.arange(10_000), rng.normal(0, 7, 10_000), 7.0)[0]) for _ in range(40)]
    assert np.mean(found) == pytest.approx(0.5, abs=0.4)  # a Poisson mean of 40 draws: 3.5 standard errors


def test_a_count_that_stands_out_is_an_atom():
    counts = np.zeros(1024)
    counts[40] = 300.0
    atoms, held = find_atoms(np.arange(1024), counts, 10.0)
    assert atoms.tolist() == [40]
    assert held.tolist() == [300.0]


def test_cells_hold_more_than_the_noise():
    binning = bins_from_values(COLUMN, np.full(1024, 1.0), 50.0, most=512)
    assert binning.intervals <= 1024 / 100 + 1


def test_tree_bins_cover_the_whole_range():
    levels = [np.full(2**level, 1024.0 / 2**level) for level in range(1, 5)]
    binning = bins_from_tree(
        COLUMN, levels, most=8, atoms=np.array([7]), atom_counts=np.array([50.0]), stddev=1.0
    )
    assert binning.edges[0] == 0
    assert binning.edges[-1] == 1024
    assert binning.atoms.tolist() == [7]
