"""Rows become vectors of zeros and ones, and logits become cells."""

import numpy as np

from triplea.approximate.codes.binning import each_value, equal_width
from triplea.approximate.codes.row_code import RowCode
from triplea.schema import Column

BINNINGS = {
    "town": each_value(Column(name="town", kind="categorical", categories=("a", "b", "c"), nullable=True)),
    "only": each_value(Column(name="only", kind="categorical", categories=("x",))),
    "sex": each_value(Column(name="sex", kind="categorical", categories=("f", "m"))),
    "age": equal_width(Column(name="age", kind="numeric", lower=0, upper=100), 5),
}
ROWS = {
    "town": np.array([0, 3, 2]),
    "only": np.zeros(3, int),
    "sex": np.array([1, 0, 1]),
    "age": np.array([10.0, 99.0, 50.0]),
}


def test_singles_come_first_and_every_block_holds_a_single_one():
    code = RowCode(BINNINGS)
    assert (code.layout.singles, code.layout.blocks, code.layout.width) == (1, (4, 5), 10)
    matrix = code.encode(ROWS)
    assert matrix[:, 0].tolist() == [1, 0, 1]
    assert matrix[:, 1:5].argmax(1).tolist() == [0, 3, 2]
    assert np.array_equal(matrix[:, 1:].sum(1), [2, 2, 2])


def test_certain_logits_give_their_cells_back():
    code = RowCode(BINNINGS)
    logits = 60.0 * code.encode(ROWS) - 30.0
    for cells in (code.draw(logits, np.random.default_rng(0)), code.likeliest(logits)):
        for name, binning in BINNINGS.items():
            assert np.array_equal(cells[name], binning.assign(ROWS[name]))


def test_draws_follow_the_shares_and_biases_give_the_shares_they_were_made_for():
    code = RowCode(BINNINGS)
    wanted = {
        "town": np.array([0.1, 0.2, 0.3, 0.4]),
        "only": np.ones(1),
        "sex": np.array([0.7, 0.3]),
        "age": np.full(5, 0.2),
    }
    logits = np.tile(code.bias(wanted, least=1e-6), (40_000, 1))
    cells = code.draw(logits, np.random.default_rng(1))
    for name, shares in wanted.items():
        assert np.allclose(code.shares(logits[:1], name)[0], shares, atol=1e-6)
        found = np.bincount(cells[name], minlength=len(shares)) / 40_000
        assert np.abs(found - shares).max() < 0.01


def test_bits_are_the_same_vectors_in_a_quarter_of_the_memory():
    code = RowCode(BINNINGS)
    bits, numbers = code.bits(ROWS), code.encode(ROWS)
    assert np.array_equal(bits, numbers) and 4 * bits.nbytes == numbers.nbytes
