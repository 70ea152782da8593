"""Axes that give room to good scores."""

from __future__ import annotations

import numpy as np
import pytest

from triplea.bench.stretch import ceiling_of, lack, stretch_distances, stretch_scores


def test_the_real_rows_are_the_ceiling_if_nothing_is_above_them() -> None:
    assert ceiling_of([0.5, 0.8], 0.9) == 0.9
    assert ceiling_of([0.5, 0.95], 0.9) == 1.0
    assert ceiling_of([0.5], None) == 1.0


def test_halving_what_is_lacking_is_the_same_step_everywhere() -> None:
    heights = lack([0.5, 0.7, 0.8, 0.85], 0.9)
    assert np.diff(heights) == pytest.approx([np.log(2)] * 3)
    assert np.isfinite(lack([0.9, 0.95], 0.9)).all()


@pytest.mark.parametrize("axis", ["x", "y"])
def test_ticks_are_apart_and_inside(axis: str) -> None:
    axes = pytest.importorskip("matplotlib.figure").Figure().add_subplot()
    stretch_scores(axes, [0.5, 0.7, 0.91], 0.92, axis=axis, gap=0.2)
    low, high = getattr(axes, f"get_{axis}lim")()
    ticks = getattr(axes, f"get_{axis}ticks")()
    assert low < 0.5 and 0.91 < high < 0.92
    assert 2 <= len(ticks) <= 5 and all(low <= tick <= high for tick in ticks)


def test_distances_are_logarithmic() -> None:
    axes = pytest.importorskip("matplotlib.figure").Figure().add_subplot()
    stretch_distances(axes, [0.02, 0.5])
    assert axes.get_yscale() == "log"
