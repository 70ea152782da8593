"""Every value is in one cell, and cells turn back into values of their own."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from triplea.approximate.codes.binning import Binning, each_value, equal_mass, equal_width
from triplea.schema import Column


@st.composite
def binnings(draw):
    countable = draw(st.booleans())
    edges = sorted(draw(st.sets(st.integers(1, 60), min_size=1, max_size=6)))
    inside = range(edges[-1])
    atoms = sorted(draw(st.sets(st.sampled_from(inside), max_size=min(3, len(inside)))))
    kind = np.int64 if countable else np.float64
    return Binning(
        edges=np.array([0, *edges], dtype=kind),
        atoms=np.array(atoms, dtype=kind),
        nullable=draw(st.booleans()),
        countable=countable,
    )


@given(binnings())
def test_a_drawn_value_lies_in_the_cell_it_was_drawn_for(binning):
    rng = np.random.default_rng(0)
    cells = np.repeat(np.arange(binning.cells), 20)
    values = binning.draw(cells, rng)
    back = binning.assign(values)
    crowded = _intervals_full_of_atoms(binning)
    keep = ~np.isin(cells, crowded)
    assert (back[keep] == cells[keep]).all()


def _intervals_full_of_atoms(binning):
    """Intervals whose every code is an atom: nothing else can be drawn there."""
    if not binning.countable:
        return []
    spans = zip(binning.edges[:-1], binning.edges[1:], strict=True)
    full = [all(code in binning.atoms for code in range(low, high)) for low, high in spans]
    return [len(binning.atoms) + i for i, is_full in enumerate(full) if is_full]


@given(binnings())
def test_state_round_trips(binning):
    again = Binning.from_state(binning.state())
    values = np.arange(int(binning.edges[-1]) + 1).astype(binning.edges.dtype)
    assert (again.assign(values) == binning.assign(values)).all()


def test_missing_has_a_cell_only_when_nullable():
    column = Column(name="x", kind="numeric", lower=0.0, upper=1.0, nullable=True)
    binning = equal_width(column, 4)
    assert binning.assign(np.array([np.nan, 0.0, 1.0])).tolist() == [4, 0, 3]
    assert np.isnan(binning.draw(np.array([4]), np.random.default_rng(0)))[0]


def test_each_value_has_its_own_cell():
    column = Column(name="x", kind="boolean", nullable=True)
    assert each_value(column).cells == 3
    assert each_value(column).assign(np.array([0, 1, 2])).tolist() == [0, 1, 2]


def test_a_constant_numeric_column_has_one_cell():
    column = Column(name="x", kind="numeric", lower=2.0, upper=2.0)
    binning = equal_width(column, 20)
    assert binning.cells == 1
    assert binning.draw(np.array([0, 0]), np.random.default_rng(0)).tolist() == [2.0, 2.0]


def test_cells_of_equal_mass_hold_as_many_values_each_and_common_values_are_atoms():
    column = Column(name="gain", kind="numeric", lower=0.0, upper=1e6, nullable=True)
    values = np.concatenate([np.zeros(500), np.exp(np.linspace(0.0, 13.0, 500)), [np.nan]])
    binning = equal_mass(column, values, 10)
    assert binning.atoms.tolist() == [0.0] and binning.intervals == 9
    counts = np.bincount(binning.assign(values), minlength=binning.cells)
    assert counts[0] == 500 and counts[-1] == 1
    assert np.ptp(counts[1:-1]) <= 2


def test_cells_of_equal_mass_of_whole_numbers_or_of_no_values():
    column = Column(name="age", kind="integer", lower=0, upper=99)
    binning = equal_mass(column, np.repeat(np.arange(100), 3), 4)
    assert binning.edges.tolist() == [0, 25, 50, 75, 100] and not len(binning.atoms)
    assert equal_mass(column, np.zeros(0, np.int64), 4).edges.tolist() == [0, 100]
