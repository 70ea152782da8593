"""From noisy counts to components: what noise explains is pulled in, what it does not stays."""

import numpy as np
import pytest

from triplea.approximate.mixtures.cell_estimates import NoisyTables, cells_from, classes_from

OWNER = np.array([0, 0, 1])
TRUTH = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.2, 0.2, 0.6]])
ROWS = np.array([3000.0, 1000.0, 2000.0])


def noisy(stddev, seed=0):
    rng = np.random.default_rng(seed)
    return NoisyTables(
        tables={
            name: TRUTH[:, order] * ROWS[:, None] + stddev * rng.standard_normal((3, 3))
            for name, order in (("a", [0, 1, 2]), ("b", [2, 0, 1]))
        },
        stddev=stddev,
    )


def test_with_little_noise_the_truth_comes_back():
    counted = noisy(1e-3)
    cells = cells_from(counted, OWNER, classes_from(counted.summed(OWNER, 2)))
    assert cells.rows == pytest.approx(ROWS, rel=1e-3)
    assert np.allclose(cells.shares["a"], TRUTH, atol=1e-3)


def test_with_much_noise_cells_look_like_their_class():
    classes = classes_from(noisy(1e-3).summed(OWNER, 2))
    cells = cells_from(noisy(1e5), OWNER, classes)
    assert np.allclose(cells.shares["a"][0], classes.shares["a"][0], atol=0.2)
    assert np.isfinite(cells.rows).all() and (cells.rows > 0).all()


def test_cells_add_up_to_their_class():
    classes = classes_from(noisy(1.0).summed(OWNER, 2))
    cells = cells_from(noisy(200.0), OWNER, classes)
    weights = cells.rows[:2] / cells.rows[:2].sum()
    assert np.allclose(weights @ cells.shares["a"][:2], classes.shares["a"][0], atol=0.02)
    assert cells.rows[:2].sum() == pytest.approx(classes.rows[0])


def test_two_measurements_are_averaged_by_precision():
    one, two = noisy(1.0), noisy(3.0, seed=1)
    both = one.averaged(two)
    assert both.stddev == pytest.approx(np.sqrt(0.9))
    assert np.allclose(both.tables["a"], 0.9 * one.tables["a"] + 0.1 * two.tables["a"])
