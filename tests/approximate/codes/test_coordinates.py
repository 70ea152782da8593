"""Rows become coordinates and codes, and come back inside the schema."""

import numpy as np

from tests.support.tables import mixed_schema, mixed_table
from triplea.approximate.codes.binning import Binning, each_value, equal_width
from triplea.approximate.codes.coordinates import MixedCoordinates, whole_range

SCHEMA = mixed_schema()
ROWS = SCHEMA.encode(mixed_table(300))
DISCRETE = [column.name for column in SCHEMA.columns if column.is_discrete]


def coordinates(scale):
    cells = {
        column.name: each_value(column) if column.is_discrete else scale(column.name)
        for column in SCHEMA.columns
    }
    return MixedCoordinates(binnings=cells, discrete=DISCRETE)


def same(first, second, *, within):
    return np.array_equal(np.isnan(first), np.isnan(second)) and np.nanmax(np.abs(first - second)) <= within


def test_all_kinds_come_back():
    for scale in (lambda name: whole_range(SCHEMA, name), lambda name: equal_width(SCHEMA.column(name), 7)):
        code = coordinates(scale)
        numbers, codes = code.encode(ROWS)
        assert numbers.dtype == np.float32 and np.isfinite(numbers).all()
        assert numbers.min() >= 0 and numbers.max() <= 1
        back = code.decode(numbers, codes, np.random.default_rng(0))
        for column in SCHEMA.columns:
            if column.is_discrete:
                assert np.array_equal(back[column.name], ROWS[column.name])
                continue
            width = column.size if column.size else float(column.upper - column.lower)
            first, second = back[column.name].astype(float), ROWS[column.name].astype(float)
            assert same(first, second, within=1e-6 * width)


def test_atoms_and_missing_are_states_with_a_place_of_their_own():
    binning = Binning(
        edges=np.array([0.0, 1.0, 10.0]), atoms=np.array([0.0, 5.5]), nullable=True, countable=False
    )
    code = MixedCoordinates(binnings={"x": binning}, discrete=[])
    values = np.array([0.0, 0.5, 5.5, np.nan, 10.0])
    numbers, codes = code.encode({"x": values})
    assert codes[:, 0].tolist() == [1, 0, 2, 3, 0]
    assert numbers[:, 0].tolist() == [0.0, 0.25, 0.75, 0.5, 1.0]
    block, spots = code.anchors[0]
    assert block == 0 and spots.tolist() == [0.0, 0.75, 0.5]
    back = code.decode(numbers, codes, np.random.default_rng(0))["x"]
    assert np.array_equal(back, values, equal_nan=True)


def test_wild_numbers_stay_in_range():
    binning = Binning(edges=np.array([0, 2**62]), nullable=False, countable=True)
    code = MixedCoordinates(binnings={"x": binning}, discrete=[])
    wild = np.array([[-5.0], [np.nan], [np.inf], [2.0], [1.0]], dtype=np.float32)
    back = code.decode(wild, np.zeros((5, 0), int), np.random.default_rng(0))["x"]
    assert back.min() >= 0 and back.max() <= 2**62 - 1


def test_a_constant_column_has_a_place():
    binning = Binning(edges=np.array([3.0, 3.0]), nullable=False, countable=False)
    code = MixedCoordinates(binnings={"x": binning}, discrete=[])
    numbers, codes = code.encode({"x": np.array([3.0])})
    assert code.decode(numbers, codes, np.random.default_rng(0))["x"].tolist() == [3.0]


def test_the_state_rebuilds_the_coordinates():
    code = coordinates(lambda name: whole_range(SCHEMA, name))
    again = MixedCoordinates.from_state(code.state())
    for first, second in zip(code.encode(ROWS), again.encode(ROWS), strict=True):
        assert np.array_equal(first, second)
