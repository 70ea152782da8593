"""Public randomness repeats with a seed and differs without one."""

from triplea.sample.randomness import public_generator


def test_a_seed_repeats_and_streams_differ():
    assert public_generator(3).integers(2**60) == public_generator(3).integers(2**60)
    assert public_generator(3).integers(2**60) != public_generator(3, stream=1).integers(2**60)


def test_no_seed_never_repeats():
    assert public_generator().integers(2**60) != public_generator().integers(2**60)
