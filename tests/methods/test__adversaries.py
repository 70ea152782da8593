"""Recipes: the paper's sizes as presets, and sizes that follow the data otherwise."""

from triplea.methods._adversaries import PRESETS, automatic


def test_the_presets_are_the_papers_networks():
    adult, binary = PRESETS["adult"], PRESETS["binary"]
    assert (adult.hidden, adult.latent, adult.noise, adult.critic) == ((60,), 15, 64, (70, 35))
    assert (binary.hidden, binary.latent, binary.noise, binary.critic) == ((), 64, 128, (256,))


def test_automatic_sizes_grow_with_the_width_of_a_row_and_stay_small():
    narrow, wide = automatic(5), automatic(5000)
    assert narrow.latent < wide.latent <= 64
    assert narrow.hidden[0] < wide.hidden[0] <= 128
