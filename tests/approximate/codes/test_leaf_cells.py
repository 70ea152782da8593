"""Public leaves, and cells made of them."""

import numpy as np
import pytest

from triplea.approximate.codes.leaf_cells import Grouped, LeafCells, leaves_of
from triplea.schema import Column

GAIN = Column(name="x", kind="integer", lower=0, upper=99_999)
WIDE = Column(name="x", kind="integer", lower=-(10**9), upper=10**12)
FLOAT = Column(name="x", kind="numeric", lower=-3.5, upper=20.25, nullable=True)


def test_every_value_of_a_moderate_column_is_a_leaf():
    assert leaves_of(GAIN).intervals == 100_000


def test_leaves_of_a_wide_column_widen_with_distance_from_zero():
    leaves = leaves_of(WIDE)
    widths = np.diff(leaves.edges)
    assert leaves.intervals < 50_000
    zero = int(leaves.assign(np.array([10**9]))[0])
    assert widths[zero] == 1
    assert widths[-1] > 10**6


@pytest.mark.parametrize(
    "bounds", [(0.0, 1.0), (-3.5, 20.25), (-8e307, 8e307), (0.0, 5e-324), (1e15, 1e15 + 8)]
)
def test_numeric_leaves_cover_the_range_in_order(bounds):
    column = Column(name="x", kind="numeric", lower=bounds[0], upper=bounds[1])
    edges = leaves_of(column).edges
    assert (edges[0], edges[-1]) == bounds
    assert (np.diff(edges) > 0).all()


def test_a_drawn_value_lies_in_its_cell():
    leaves = leaves_of(FLOAT)
    rng = np.random.default_rng(0)
    cell_of = np.append(np.sort(rng.integers(0, 7, leaves.intervals)), 7)
    cells = LeafCells(
        leaves=leaves, cell_of=cell_of, weights=rng.random(leaves.cells), exact=np.zeros(leaves.cells, bool)
    )
    wanted = np.repeat(np.arange(8), 50)
    assert (cells.assign(cells.draw(wanted, rng)) == wanted).all()


def test_leaves_are_drawn_by_weight():
    leaves = leaves_of(Column(name="x", kind="integer", lower=0, upper=2))
    cells = LeafCells(
        leaves=leaves, cell_of=np.zeros(3, int), weights=np.array([1.0, 0.0, 3.0]), exact=np.zeros(3, bool)
    )
    drawn = cells.draw(np.zeros(4000, int), np.random.default_rng(0))
    assert np.bincount(drawn, minlength=3) / 4000 == pytest.approx([0.25, 0.0, 0.75], abs=0.03)


def test_an_exact_leaf_gives_its_value():
    leaves = leaves_of(FLOAT)
    zero = int(leaves.assign(np.array([0.0]))[0])
    exact = np.zeros(leaves.cells, bool)
    exact[zero] = True
    cells = LeafCells(
        leaves=leaves, cell_of=np.arange(leaves.cells), weights=np.ones(leaves.cells), exact=exact
    )
    assert set(cells.draw(np.full(5, zero), np.random.default_rng(0)).tolist()) == {0.0}


def _drawn_atom(column, value):
    """What comes back of a value whose leaf is known to be an atom, through a stored model."""
    leaves = leaves_of(column)
    leaf = int(leaves.assign(np.array([value]))[0])
    exact = np.zeros(leaves.cells, bool)
    exact[leaf] = True
    cells = LeafCells(
        leaves=leaves, cell_of=np.arange(leaves.cells), weights=np.ones(leaves.cells), exact=exact
    )
    drawn = LeafCells.from_state(cells.state()).draw(np.full(3, leaf), np.random.default_rng(0))
    assert len(set(drawn.tolist())) == 1
    return drawn[0]


@pytest.mark.parametrize("value", [0.3, 0.7, 0.29, 1.1, 0.0, 2.0, 1.99])
@pytest.mark.parametrize("bounds", [(0.0, 2.0), (-2.0, 2.0)])
def test_an_atom_at_a_decimal_comes_back_as_it_was(value, bounds):
    column = Column(name="x", kind="numeric", lower=bounds[0], upper=bounds[1], nullable=True)
    assert _drawn_atom(column, value) == value


def test_every_decimal_falls_in_the_leaf_that_starts_with_it():
    column = Column(name="x", kind="numeric", lower=0.0, upper=1.0)
    leaves, tenths = leaves_of(column), np.round(np.arange(1, 10) / 10, 1)
    assert (leaves.edges[leaves.assign(tenths)] == tenths).all()


@pytest.mark.parametrize("value", [1_000_000, 5_000, 250_000_000, 999_999_999, -(10**9)])
def test_an_atom_in_a_wide_range_is_its_bound_or_the_roundest_number_of_its_leaf(value):
    column = Column(name="x", kind="integer", lower=-(10**9), upper=999_999_999)
    assert _drawn_atom(column, value + 10**9) == value + 10**9


@pytest.mark.parametrize(
    "column",
    [
        Column(name="x", kind="numeric", lower=1990.0, upper=2020.0),
        Column(name="x", kind="numeric", lower=-2020.0, upper=-1990.0),
        Column(name="x", kind="integer", lower=1_600_000_000, upper=1_631_000_000),
    ],
)
def test_a_range_far_from_zero_is_cut_as_finely_as_one_at_zero(column):
    low, high = column.bounds
    widths = np.diff(leaves_of(column).edges)
    assert widths.max() <= (high - low) / 400


def test_state_round_trips():
    cells = LeafCells.one_per_leaf(leaves_of(FLOAT))
    again = LeafCells.from_state(cells.state())
    values = np.array([-3.5, 0.0, 7.7, np.nan])
    assert (again.assign(values) == cells.assign(values)).all()


def test_groups_are_a_coarser_view():
    cells = LeafCells.one_per_leaf(leaves_of(Column(name="x", kind="integer", lower=0, upper=3)))
    assert Grouped(base=cells, group=np.array([0, 0, 1, 1])).assign(np.arange(4)).tolist() == [0, 0, 1, 1]
