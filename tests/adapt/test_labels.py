"""Classes and other labels become columns that a regression can predict."""

import numpy as np

from triplea.adapt.labels import as_outputs, centred_one_hot


def test_the_columns_of_a_class_add_up_to_nothing():
    assert np.allclose(centred_one_hot(np.array([0, 2, 1]), 3).sum(axis=1), 0.0)


def test_whole_numbers_are_classes_counted_over_both_sets():
    first, second = as_outputs(np.array([0, 1]), np.array([2, 0, 0]))
    assert first.shape == (2, 3) and second.shape == (3, 3)


def test_other_vectors_are_one_output_each():
    first, second = as_outputs(np.array([0.5, 1.0]), np.array([[2.0], [0.0]]))
    assert first.shape == (2, 1) and second.shape == (2, 1)
