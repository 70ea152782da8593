"""Encoders in fixed point: codes in the ball, the same for a row in every batch, near the trained network."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.approximate.codes.test_row_code import BINNINGS
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.networks.ball_codes import BallCoder, on_grid, one_hot, part_of
from triplea.approximate.networks.dense import dense_layers, leaky

CODE = RowCode(BINNINGS)


def coder(label=None, stretch=1.0):
    rng = np.random.default_rng(1)
    groups = 1 if label is None else BINNINGS[label].cells
    encoders = [dense_layers("encoder", (CODE.layout.width, 7, 3), rng=rng) for _ in range(groups)]
    return BallCoder(
        code=CODE,
        label=label,
        encoders=[{name: (stretch * w, stretch * b) for name, (w, b) in each.items()} for each in encoders],
    )


def rows(n=200, seed=0):
    rng = np.random.default_rng(seed)
    return {
        name: rng.integers(binning.edges[0], binning.edges[-1], n)
        if binning.countable
        else rng.uniform(binning.edges[0], binning.edges[-1], n)
        for name, binning in BINNINGS.items()
    }


@given(st.integers(0, 199), st.sampled_from([1.0, 300.0, 1e30]))
def test_a_row_has_the_same_code_in_every_batch(place, stretch):
    made, table = coder("sex", stretch), rows()
    alone = {name: values[place : place + 1] for name, values in table.items()}
    groups, codes = made.codes(table)
    group, code = made.codes(alone)
    assert group[0] == groups[place]
    assert np.array_equal(code[0], codes[place])
    assert (np.linalg.norm(codes, axis=1) <= 1.0).all()
    assert np.array_equal(codes, on_grid(codes, bits=9))


def test_codes_are_near_those_of_the_network_itself():
    made, table = coder(), rows()
    values = CODE.encode(table).astype(float)
    rng = np.random.default_rng(1)
    (first, start), (second, last) = dense_layers("encoder", (CODE.layout.width, 7, 3), rng=rng).values()
    wanted = leaky(values @ first + start) @ second + last
    wanted /= np.sqrt(1.0 + (wanted**2).sum(axis=1, keepdims=True))
    assert made.codes(table)[1] == pytest.approx(wanted, abs=0.01)
    assert made.latent == 3


def test_groups_are_the_cells_of_the_label():
    table = rows()
    assert np.array_equal(coder("town").groups(table), BINNINGS["town"].assign(table["town"]))
    assert not coder().groups(table).any()
    assert one_hot(np.array([1, 0]), 3).tolist() == [[0, 1, 0], [1, 0, 0]]


def test_layers_come_in_the_order_of_their_numbers():
    layers = {f"a.1.{place}": (np.zeros((1, 1)), np.zeros(1)) for place in (10, 2, 0)}
    assert list(part_of({**layers, "a.10.0": layers["a.1.0"]}, "a.1")) == ["a.1.0", "a.1.2", "a.1.10"]
