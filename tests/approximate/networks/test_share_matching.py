"""Shifted biases give the wanted shares and leave the weights alone."""

import numpy as np
import pytest

from tests.approximate.codes.test_row_code import BINNINGS
from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.approximate.networks.share_matching import with_matched_shares

WANTED = {
    "town": np.array([0.5, 0.1, 0.4, 0.0]),
    "only": np.ones(1),
    "sex": np.array([0.97, 0.03]),
    "age": np.array([0.1, 0.2, 0.3, 0.2, 0.2]),
}


def test_single_columns_get_the_wanted_shares():
    layers = dense_layers("net", (3, 8, 10), rng=np.random.default_rng(0))
    layers["net.1"] = (4 * layers["net.1"][0], layers["net.1"][1])
    plain = LatentRows(layers=layers, noise=3, binnings=BINNINGS)
    found = with_matched_shares(plain, WANTED, least=1e-3, rng=np.random.default_rng(1))
    assert np.array_equal(found["net.1"][0], layers["net.1"][0])
    cells = LatentRows(layers=found, noise=3, binnings=BINNINGS).cells(40_000, np.random.default_rng(2))
    for name, shares in WANTED.items():
        assert np.bincount(cells[name], minlength=len(shares)) / 40_000 == pytest.approx(shares, abs=0.03)
