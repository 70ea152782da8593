"""The JAX side of the row code agrees with the NumPy side."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.approximate.codes.test_row_code import BINNINGS, ROWS
from triplea.approximate.codes import layouts
from triplea.approximate.codes.layouts import bounded, drawn, shares, surprise
from triplea.approximate.codes.row_code import Layout, RowCode

CODE = RowCode(BINNINGS)
LOGITS = np.random.default_rng(0).normal(size=(3, 10)).astype(np.float32)


def test_surprise_is_minus_the_log_probability_of_the_cells():
    records = CODE.encode(ROWS)
    found = jax.vmap(lambda logit, row: surprise(logit, row, CODE.layout))(LOGITS, records)
    wanted = sum(
        -np.log(CODE.shares(LOGITS, name)[np.arange(3), BINNINGS[name].assign(ROWS[name])])
        for name in BINNINGS
    )
    assert np.asarray(found) == pytest.approx(wanted, rel=1e-4)


def test_shares_agree():
    found = np.asarray(shares(LOGITS, CODE.layout))
    for name, entries in CODE.entries.items():
        wanted = CODE.shares(LOGITS, name)
        assert np.allclose(found[:, entries], wanted[:, 1:] if name == "sex" else wanted, atol=1e-5)


@pytest.mark.parametrize(
    "layout", [CODE.layout, Layout(singles=10, blocks=()), Layout(singles=0, blocks=(4, 6))]
)
def test_draws_follow_the_shares(layout):
    uniforms = np.random.default_rng(2).uniform(1e-7, 1 - 1e-7, (20_000, 10)).astype(np.float32)
    rows = np.asarray(drawn(jnp.tile(LOGITS[0], (20_000, 1)), uniforms, layout))
    assert set(np.unique(rows)) <= {0.0, 1.0}
    assert np.abs(rows.mean(0) - np.asarray(shares(LOGITS[0], layout))).max() < 0.02
    assert np.all(rows[:, layout.singles :].sum(1) == len(layout.blocks))


@pytest.mark.parametrize("blocks", [(4, 6), (3, 3, 2, 2), (5, 5)])
def test_wide_layouts_take_another_way_to_the_same_numbers(blocks, monkeypatch):
    layout, record = Layout(singles=10 - sum(blocks), blocks=blocks), np.ones(10, np.float32)

    def found():
        each = jax.vmap(lambda logit: surprise(logit, record, layout))(LOGITS)
        return np.asarray(shares(LOGITS, layout)), np.asarray(each)

    narrow = found()
    monkeypatch.setattr(layouts, "SMALL_PRODUCT", 0)
    for one, other in zip(narrow, found(), strict=True):
        assert one == pytest.approx(other, rel=1e-5)


def test_logits_without_bounds_do_no_harm():
    wild = bounded(jnp.asarray([1e30, -1e30, 0.0, np.inf]))
    layout = Layout(singles=1, blocks=(3,))
    assert np.isfinite(np.asarray(shares(wild, layout))).all()
    assert np.isfinite(float(surprise(wild, jnp.asarray([0.0, 1.0, 0.0, 0.0]), layout)))
