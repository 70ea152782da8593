"""The mean of a wave over a row's states is the sum over all of them, one by one."""

from itertools import product

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from triplea.approximate.embeddings.wave_means import (  # noqa: E402
    circle,
    harmonic_means,
    joint_means,
    states_of,
)

RNG = np.random.default_rng(0)
ROWS, NUMBERS, WAVES = 4, 3, 5
PLACES, SPOTS = np.array([0, 2]), np.array([[0.25, 0.0], [0.5, 0.75]], np.float32)
VALUES = RNG.random((ROWS, NUMBERS)).astype(np.float32)
CHANCES = [RNG.dirichlet(np.ones(cells), ROWS).astype(np.float32) for cells in (2, 4, 3)]
DIRECTIONS = RNG.normal(0, 4, (NUMBERS, WAVES)).astype(np.float32)
TURNS = RNG.normal(0, 1, (2, 3, WAVES)).astype(np.float32)


def states():
    return states_of((0, 2), CHANCES, PLACES, SPOTS)


def outcomes(row):
    """All values of the numbers with their chances, and which state each number with states is in."""
    ways = [range(CHANCES[block].shape[1]) for block in (0, 2)]
    for chosen in product(*ways):
        values, chance = VALUES[row].astype(float), 1.0
        for index, (place, state) in enumerate(zip(PLACES, chosen, strict=True)):
            chance *= CHANCES[(0, 2)[index]][row, state]
            values[place] = values[place] if state == 0 else SPOTS[index, state - 1]
        yield chance, values, chosen


@pytest.mark.parametrize("reach", [1.0, 30.0, 3000.0])
def test_the_circle_is_the_librarys_to_seven_digits(reach):
    phases = np.random.default_rng(1).uniform(-reach, reach, 10_000).astype(np.float32)
    cosine, sine = circle(phases)
    assert np.abs(cosine - np.cos(phases.astype(float))).max() < 5e-7
    assert np.abs(sine - np.sin(phases.astype(float))).max() < 5e-7


def test_whatever_the_phase_points_stay_on_the_circle():
    phases = np.array([1e6, 1e8, 1e12, 1e30, -1e30], np.float32)
    cosine, sine = circle(phases)
    assert np.allclose(np.hypot(cosine, sine), 1.0, atol=0.01)


def test_the_circles_slopes_are_its_own_parts():
    phases = np.linspace(-9.0, 9.0, 50, dtype=np.float32)
    slopes = jax.vmap(jax.jacfwd(circle))(phases)
    assert np.allclose(slopes[0], -np.sin(phases), atol=1e-6)
    assert np.allclose(slopes[1], np.cos(phases), atol=1e-6)


def test_harmonics_are_averaged_over_a_numbers_states():
    frequencies = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
    cosine, sine = harmonic_means(jnp.asarray(VALUES), frequencies.ravel(), states())
    for row in range(ROWS):
        means = sum(
            chance * np.exp(1j * values[:, None] * frequencies) for chance, values, _ in outcomes(row)
        )
        assert np.allclose(cosine[row] + 1j * sine[row], means.ravel(), atol=1e-5)


@pytest.mark.parametrize("turns", [None, TURNS])
def test_joint_waves_are_averaged_over_all_states(turns):
    cosine, sine = joint_means(jnp.asarray(VALUES), DIRECTIONS, states(), turns)
    for row in range(ROWS):
        means = np.zeros(WAVES, complex)
        for chance, values, chosen in outcomes(row):
            extra = 0.0 if turns is None else sum(turns[index, state] for index, state in enumerate(chosen))
            means += chance * np.exp(1j * (values @ DIRECTIONS + extra))
        assert np.allclose(cosine[row] + 1j * sine[row], means, atol=1e-5)


def test_without_states_waves_are_those_of_the_numbers():
    cosine, sine = joint_means(jnp.asarray(VALUES), DIRECTIONS, None)
    assert np.allclose(cosine + 1j * sine, np.exp(1j * VALUES @ DIRECTIONS), atol=1e-5)
    cosine, sine = harmonic_means(jnp.asarray(VALUES), np.ones(NUMBERS, np.float32), None)
    assert np.allclose(cosine + 1j * sine, np.exp(1j * VALUES), atol=1e-6)
