"""Rare cells share a group and come back in their shares."""

import json

import numpy as np

from triplea.approximate.codes.binning import each_value
from triplea.approximate.codes.grouping import GroupedBinning, binning_from_state, group_rare
from triplea.schema import Column

TOWNS = Column(name="town", kind="categorical", categories=tuple("abcdef"), nullable=True)
COUNTS = np.array([900.0, 3.0, 50.0, 6.0, 0.0, 80.0, 1.0])


def test_rare_cells_become_one_group_and_draws_follow_their_shares():
    grouped = group_rare(each_value(TOWNS), COUNTS, least=10)
    assert isinstance(grouped, GroupedBinning)
    assert grouped.cells == 4
    assert grouped.assign(np.arange(7)).tolist() == [1, 0, 2, 0, 0, 3, 0]
    back = grouped.draw(np.zeros(20_000, dtype=np.int64), np.random.default_rng(0))
    share = np.bincount(back, minlength=7) / 20_000
    assert np.allclose(share, [0, 0.3, 0, 0.6, 0, 0, 0.1], atol=0.02)
    for cell, code in ((1, 0), (2, 2), (3, 5)):
        assert set(grouped.draw(np.full(50, cell), np.random.default_rng(1))) == {code}


def test_one_rare_cell_or_only_rare_cells_change_nothing():
    plain = each_value(TOWNS)
    assert group_rare(plain, np.array([5.0, 90, 90, 90, 90, 90, 90]), least=10) is plain
    assert group_rare(plain, np.ones(7), least=10) is plain


def test_states_round_trip():
    for binning in (each_value(TOWNS), group_rare(each_value(TOWNS), COUNTS, least=10)):
        again = binning_from_state(json.loads(json.dumps(binning.state())))
        assert type(again) is type(binning)
        assert np.array_equal(again.assign(np.arange(7)), binning.assign(np.arange(7)))
