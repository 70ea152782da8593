"""Cells chosen from noisy counts of leaves."""

import numpy as np

from triplea.approximate.codes.leaf_cells import leaves_of
from triplea.approximate.codes.leaf_choice import Resolution, choose_categories, choose_cells
from triplea.queries.leaf_counts import LeafCounts, run_lengths
from triplea.schema import Column

GAIN = Column(name="x", kind="integer", lower=0, upper=9_999)
LEAVES = leaves_of(GAIN)
LENGTHS = run_lengths(LEAVES.intervals)


def _choose(values, *, noise=5.0, rng=None, by_value=False):
    query = LeafCounts(column="x", leaves=LEAVES, lengths=LENGTHS)
    counts = query.partial_sums({"x": values}).astype(float)
    if rng is not None:
        counts = counts + rng.normal(0, noise, len(counts))
    detail = Resolution(rows=float(len(values)), noise=noise, most=16, by_value=by_value)
    return choose_cells(LEAVES, query.split(counts), [noise] * len(LENGTHS), LENGTHS, detail)


def _column(rng):
    heap = np.clip(rng.lognormal(7, 0.5, 6000), 1, 9_999).astype(int)
    return np.concatenate([np.zeros(12_000, int), np.full(800, 7_688), heap])


def test_atoms_get_cells_of_their_own():
    rng = np.random.default_rng(0)
    cells = _choose(_column(rng), rng=rng)
    for atom in (0, 7_688):
        own = cells.assign(np.array([atom]))[0]
        assert (cells.cell_of == own).sum() == 1


def _share_within(cells, values):
    """The share of the variance that is left within cells."""
    cell = cells.assign(values)
    means = np.bincount(cell, values) / np.maximum(np.bincount(cell), 1)
    return float(np.var(values - means[cell]) / np.var(values))


def test_cells_by_value_say_most_of_a_long_tail_and_as_much_of_an_even_column():
    rng = np.random.default_rng(3)
    tail = np.clip(rng.exponential(800, 20_000), 0, 9_999).astype(int)
    even = rng.integers(0, 10_000, 20_000)
    lost = [
        [_share_within(_choose(values, rng=rng, by_value=by_value), values) for by_value in (False, True)]
        for values in (tail, even)
    ]
    assert lost[0][1] < 0.5 * lost[0][0]
    assert lost[1][1] < 1.3 * lost[1][0]


def test_cells_by_value_hold_no_more_than_their_share_of_the_rows():
    rng = np.random.default_rng(4)
    values = np.clip(np.exp(rng.normal(3, 2, 20_000)), 0, 9_999).astype(int)
    cells = _choose(values, rng=rng, by_value=True)
    assert np.bincount(cells.assign(values)).max() < 0.35 * len(values)


def test_the_rest_is_cut_into_cells_that_stand_out_of_the_noise():
    rng = np.random.default_rng(1)
    values = _column(rng)
    cells = _choose(values, rng=rng)
    held = np.bincount(cells.assign(values), minlength=cells.cells)
    assert 6 <= cells.cells <= 42
    assert np.median(held) > 25


def test_leaf_weights_follow_the_column():
    rng = np.random.default_rng(2)
    values = _column(rng)
    cells = _choose(values, rng=rng)
    redrawn = cells.draw(cells.assign(values), rng)
    real = np.histogram(values, bins=20, range=(0, 10_000))[0]
    fake = np.histogram(redrawn, bins=20, range=(0, 10_000))[0]
    assert np.abs(real - fake).sum() / 2 / len(values) < 0.02


def test_noise_alone_gives_few_cells():
    rng = np.random.default_rng(3)
    cells = _choose(np.zeros(0, dtype=int), noise=20.0, rng=rng)
    assert cells.cells <= 4


def test_rare_categories_share_a_cell():
    column = Column(name="c", kind="categorical", categories=tuple(f"c{i}" for i in range(50)))
    counts = np.concatenate([np.full(5, 1000.0), np.full(45, 3.0)])
    cells = choose_categories(leaves_of(column), counts, 4.0, 5000.0)
    assert cells.cells == 6
    assert (cells.cell_of[5:] == 5).all()


def test_categories_that_drown_in_noise_stay_as_even_as_they_were():
    column = Column(name="c", kind="categorical", categories=tuple(f"c{i}" for i in range(48)))
    for seed in range(20):
        counts = np.full(48, 40.0) + np.random.default_rng(seed).normal(0, 70.0, 48)
        cells = choose_categories(leaves_of(column), counts, 70.0, 1920.0)
        shared = cells.weights[cells.cell_of == cells.cell_of.max()]
        assert np.abs(shared / shared.sum() - 1.0 / len(shared)).sum() / 2.0 < 0.32, seed
        assert (cells.weights > 0).all()


def test_few_rows_spread_evenly_stay_spread_when_no_run_stands_out_of_the_noise():
    leaves = leaves_of(Column(name="x", kind="integer", lower=0, upper=99))
    lengths = run_lengths(leaves.intervals)
    query = LeafCounts(column="x", leaves=leaves, lengths=lengths)
    exact = query.partial_sums({"x": np.arange(2_000) % 100}).astype(float)
    detail = Resolution(rows=2_000.0, noise=140.0, most=16)
    for seed in range(20):
        counts = exact + np.random.default_rng(seed).normal(0, 140.0, len(exact))
        cells = choose_cells(leaves, query.split(counts), [140.0] * len(lengths), lengths, detail)
        within = cells.weights / np.bincount(cells.cell_of, cells.weights)[cells.cell_of]
        drawn = within * np.bincount(cells.cell_of)[cells.cell_of] / 100  # cells have their true shares
        assert np.abs(drawn - 0.01).sum() / 2.0 < 0.3, seed
