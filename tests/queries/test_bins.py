"""One question yields cells for every numeric column."""

import numpy as np

from triplea.queries.bins import BinCounts, needs_bins
from triplea.schema import Column, Schema

GAIN = Column(name="gain", kind="integer", lower=0, upper=99_999)
AGE = Column(name="age", kind="integer", lower=17, upper=90)
FLOAT = Column(name="weight", kind="numeric", lower=0.0, upper=200.0, nullable=True)
SEX = Column(name="sex", kind="categorical", categories=("f", "m"))
SMALL = Column(name="children", kind="integer", lower=0, upper=9)


def _choose(schema, rows, *, most=8):
    query = BinCounts(schema=schema, most=most)
    return query.choose(query.partial_sums(rows).astype(float), 1.0)


def test_listed_values_need_no_bins():
    assert [needs_bins(column) for column in (SEX, SMALL, AGE, FLOAT)] == [False, False, True, True]
    schema = Schema(columns=(SEX, SMALL))
    assert not BinCounts(schema=schema).needed
    binnings = BinCounts(schema=schema).choose(np.zeros(0), 0.0)
    assert {name: binning.cells for name, binning in binnings.items()} == {"sex": 2, "children": 10}


def test_values_that_stand_out_become_atoms():
    gain = np.concatenate([np.zeros(9000), np.full(500, 7688), np.arange(500) * 199]).astype(np.int64)
    binnings = _choose(Schema(columns=(GAIN,)), {"gain": gain})
    assert {0, 7688} <= set(binnings["gain"].atoms.tolist())


def test_cells_of_a_numeric_column_hold_similar_shares():
    rng = np.random.default_rng(1)
    rows = {"weight": np.clip(rng.normal(70, 15, 20_000), 0, 200)}
    binning = _choose(Schema(columns=(FLOAT,)), rows)["weight"]
    shares = np.bincount(binning.assign(rows["weight"]), minlength=binning.cells) / 20_000
    assert 5 <= binning.intervals <= 12
    assert shares.max() < 0.25


def test_a_heavy_value_of_a_small_range_keeps_its_own_cell():
    age = np.concatenate([np.repeat(np.arange(74), 20), np.full(3000, 23)])
    binning = _choose(Schema(columns=(AGE,)), {"age": age})["age"]
    own = int(binning.assign(np.array([23]))[0])
    assert (binning.assign(np.arange(74)) == own).sum() == 1


def test_no_rows_still_give_usable_cells():
    schema = Schema(columns=(GAIN, AGE, FLOAT))
    nothing = {"gain": np.zeros(0, np.int64), "age": np.zeros(0, np.int64), "weight": np.zeros(0)}
    assert all(binning.cells >= 1 for binning in _choose(schema, nothing).values())
