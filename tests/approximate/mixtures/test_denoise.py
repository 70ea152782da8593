"""Taking noise out of released counts."""

import numpy as np

from triplea.approximate.mixtures.denoise import class_tables, combine_totals, shrink


def test_totals_are_averaged_by_precision():
    small, large = np.array([[10.0], [20.0]]), np.array([[16.0, 0.0, 0.0], [26.0, 0.0, 0.0]])
    assert np.allclose(combine_totals([small, large], [1.0, 1.0]), [11.5, 21.5])


def test_no_class_vanishes_by_noise():
    assert combine_totals([np.array([[-50.0], [10.0]])], [1.0]).tolist() == [1.0, 10.0]


def test_pure_noise_is_pulled_to_the_guess_and_signal_is_kept():
    rng = np.random.default_rng(0)
    guess = np.full(50, 10.0)
    noise = guess + rng.normal(0, 5, 50)
    assert np.abs(shrink(noise, towards=guess, stddev=5.0) - guess).max() < np.abs(noise - guess).max() / 2
    signal = guess + 1000.0 * (np.arange(50) == 3)
    assert np.allclose(shrink(signal, towards=guess, stddev=5.0), signal, rtol=0.01)


def test_class_tables_keep_the_class_totals():
    table = np.array([[50.0, -3.0, 10.0], [1.0, 2.0, -8.0]])
    clean = class_tables(table, np.array([60.0, 5.0]), 3.0)
    assert np.allclose(clean.sum(axis=1), [60.0, 5.0])
    assert clean.min() >= 0
