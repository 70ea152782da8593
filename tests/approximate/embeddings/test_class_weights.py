"""Shares of classes from noisy sizes."""

import numpy as np

from triplea.approximate.embeddings.class_weights import class_weights


def test_weights_follow_the_sizes():
    weights, notes = class_weights(np.array([30.0, 10.0]))
    assert weights.tolist() == [0.75, 0.25] and notes == ()


def test_a_class_without_rows_after_noise_gets_nothing_and_a_note():
    weights, (note,) = class_weights(np.array([30.0, 0.0, 10.0, -2.0]))
    assert weights.tolist() == [0.75, 0.0, 0.25, 0.0]
    assert note == "2 of 4 classes have no rows after noise (class codes 1, 3) and get weight zero"


def test_when_no_class_has_rows_labels_are_uniform():
    weights, (note,) = class_weights(np.zeros(4))
    assert weights.tolist() == [0.25] * 4 and "no class has rows" in note


def test_classes_that_are_known_to_be_balanced_are_uniform():
    weights, (note,) = class_weights(np.array([30.0, 10.0]), balanced=True)
    assert weights.tolist() == [0.5, 0.5] and "balanced" in note


def test_without_classes_there_is_nothing_to_say():
    assert class_weights(np.array([0.0]), balanced=True) == (np.ones(1), ())
