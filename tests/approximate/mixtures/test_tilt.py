"""A mixture bent to other margins has them, and keeps what it says of how columns go together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplea.approximate.mixtures import tilt
from triplea.approximate.mixtures.tilt import CLOSE, LEAST, tilted


def drawn(seed: int, *, components: int, sizes: tuple[int, ...]) -> tuple[np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(components)), [rng.dirichlet(np.ones(n), components) for n in sizes]


def tilted_to(
    weights: np.ndarray, tables: list[np.ndarray], margins: list[np.ndarray]
) -> tuple[np.ndarray, list[np.ndarray]]:
    (found,) = tilted(weights, tables, [margin[None, :] for margin in margins])
    return found


def joint(weights: np.ndarray, tables: list[np.ndarray]) -> np.ndarray:
    return np.einsum("k,ka,kb,kc->abc", weights, *tables)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30))
def test_every_margin_is_met(seed: int, components: int) -> None:
    weights, tables = drawn(seed, components=components, sizes=(2, 5, 9))
    wanted = [np.random.default_rng(seed + 1).dirichlet(np.ones(n)) for n in (2, 5, 9)]
    shares, bent = tilted_to(weights, tables, wanted)
    assert shares.sum() == pytest.approx(1.0)
    for table, margin in zip(bent, wanted, strict=True):
        assert np.allclose(table.sum(axis=1), 1.0)
        assert 0.5 * np.abs(shares @ table - margin).sum() < 2 * CLOSE


def test_only_one_factor_a_column_is_new() -> None:
    """p'(x) / p(x) is a product over columns: every interaction of log p' is that of log p."""
    weights, tables = drawn(0, components=3, sizes=(2, 3, 4))
    wanted = [np.array([0.9, 0.1]), np.array([0.2, 0.3, 0.5]), np.array([0.4, 0.3, 0.2, 0.1])]
    ratio = np.log(joint(*tilted_to(weights, tables, wanted)) / joint(weights, tables))
    alone = (
        ratio[:, :1, :1] + ratio[:1, :, :1] + ratio[:1, :1, :] - 2 * ratio[:1, :1, :1]
    )  # what each column adds, from the first cell of all
    assert np.allclose(ratio, alone, atol=1e-3)


def test_its_own_margins_change_nothing() -> None:
    weights, tables = drawn(1, components=4, sizes=(3, 3, 3))
    weights = np.full(4, 0.25)
    shares, bent = tilted_to(weights, tables, [weights @ table for table in tables])
    assert np.allclose(joint(shares, bent), joint(weights, tables), atol=1e-5)


def test_columns_that_always_agree_still_do() -> None:
    same = np.array([[1.0, 0.0], [0.0, 1.0]])
    shares, bent = tilted_to(np.array([0.99, 0.01]), [same, same, same], [np.array([0.2, 0.8])] * 3)
    found = joint(shares, bent)
    assert found[0, 0, 0] == pytest.approx(0.2, abs=1e-3)
    assert found[1, 1, 1] == pytest.approx(0.8, abs=1e-3)


def test_a_cell_that_the_mixture_never_draws_is_drawn_where_counts_know_better() -> None:
    shares, bent = tilted_to(np.ones(1), [np.array([[1.0, 0.0]])], [np.array([0.1, 0.9])])
    assert np.allclose(shares @ bent[0], [0.1, 0.9])


def test_many_components_and_some_without_weight_are_no_trouble() -> None:
    weights = np.append(np.full(3000, 1 / 3000), np.zeros(10))
    shares, bent = tilted_to(weights, [np.full((3010, 2), 0.5)], [np.array([0.3, 0.7])])
    assert np.allclose(shares @ bent[0], [0.3, 0.7])
    assert len(shares) == 3000, "those without weight stay without"


def test_classes_do_not_depend_on_the_classes_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, tables = drawn(2, components=12, sizes=(3, 4))
    rng = np.random.default_rng(3)
    margins = [rng.dirichlet(np.ones(n), 5) for n in (3, 4)]
    together = tilted(weights, tables, margins)
    monkeypatch.setattr(tilt, "AT_ONCE", 50)  # two classes at a time
    apart = tilted(weights, tables, margins)
    assert len(together) == len(apart) == 5
    for (shares, bent), (others, again) in zip(together, apart, strict=True):
        assert np.allclose(shares, others, atol=1e-3)
        assert np.allclose(shares @ bent[1], others @ again[1], atol=4 * CLOSE)


def test_components_that_hardly_matter_are_left_out() -> None:
    one_each = np.eye(50)
    shares, _ = tilted_to(np.full(50, 0.02), [one_each], [np.append(np.full(2, 0.5), np.zeros(48))])
    assert len(shares) == 2
    assert shares.min() >= LEAST * shares.max()
