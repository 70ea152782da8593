"""Recipes: the paper's sizes as presets, and sizes that follow the data otherwise."""

import numpy as np
import pytest

from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.row_code import RowCode
from triplea.methods._adversaries import (
    PRESETS,
    Recipe,
    autoencoder_run,
    automatic,
    balanced,
    class_weights,
    corrected,
    critic_run,
    generator_model,
    generator_run,
)
from triplea.methods._networks import Counted


def counted(classes):
    """Classes in given shares; the other column is all in one cell, which depends on the class."""
    cells = {"x": 4, "y": len(classes)}
    code = RowCode(
        {n: Binning(edges=np.arange(c + 1), nullable=False, countable=True) for n, c in cells.items()}
    )
    joint = np.zeros((len(classes), 4))
    joint[np.arange(len(classes)), np.arange(len(classes))] = classes
    return Counted(
        code=code, label="y", joint={"x": joint.ravel(), "y": np.diag(classes).ravel()}, rows=10_000.0
    )


def test_the_presets_are_the_papers_networks():
    adult, binary = PRESETS["adult"], PRESETS["binary"]
    assert (adult.hidden, adult.latent, adult.noise, adult.critic) == ((60,), 15, 64, (70, 35))
    assert (binary.hidden, binary.latent, binary.noise, binary.critic) == ((), 64, 128, (256,))


def test_automatic_sizes_grow_with_the_width_of_a_row_and_stay_small():
    narrow, wide = automatic(5), automatic(5000)
    assert narrow.latent < wide.latent <= 64
    assert narrow.hidden[0] < wide.hidden[0] <= 128


def test_a_generator_in_a_latent_space_is_told_the_label_and_starts_without_listening():
    recipe, known = automatic(40, labelled=True), counted(np.array([0.7, 0.3]))
    layers = autoencoder_run(recipe, known, clip_norm=1.0, rng=np.random.default_rng(0)).layers
    decoder = {name: layer for name, layer in layers.items() if name.startswith("decoder.")}
    run = critic_run(recipe, known, decoder, clip_norm=1.0, rng=np.random.default_rng(0), conditional=True)
    model = generator_model(recipe, known, run, run.public)
    noise = np.random.default_rng(1).standard_normal((20, recipe.noise)).astype(np.float32)
    no, yes = (model.logits(model.told(noise, np.full(20, label))) for label in (0, 1))
    features = model.code.entries["x"]
    assert np.array_equal(no[:, features], yes[:, features])
    assert not np.array_equal(no, yes)


def test_rare_classes_weigh_more_by_a_factor_of_ten_at_most():
    known = counted(np.array([0.899, 0.1, 0.001]))
    assert class_weights(known) == pytest.approx((0.1 / 0.899, 1.0, 1.0))
    assert balanced(known).sum() == pytest.approx(1.0)
    assert balanced(known)[2] > 0.001


@pytest.mark.parametrize("classes", [[0.7, 0.3], [0.5, 0.3, 0.2], [0.999, 0.001]])
def test_a_corrected_generator_has_the_released_shares_in_every_class_also_in_a_rare_one(classes):
    known = counted(np.array(classes))
    recipe = Recipe(noise=4, generator=(8, 8), critic=(4,))
    run = generator_run(recipe, known, clip_norm=1.0, rng=np.random.default_rng(0), conditional=True)
    model = generator_model(recipe, known, run, run.public)
    for share in (pytest.approx(np.dot(classes, classes), abs=0.1), pytest.approx(1.0, abs=0.1)):
        rows = model.sample(3_000, rng=np.random.default_rng(1))
        assert np.bincount(rows["y"], minlength=len(classes)) / 3_000 == pytest.approx(classes, abs=0.03)
        rare = model.sample(500, rng=np.random.default_rng(2), where={"y": len(classes) - 1})
        agreeing = np.mean(rare["x"] == rare["y"])
        assert np.mean(rows["x"] == rows["y"]) == share
        model = corrected(model, known, np.random.default_rng(3))
    assert agreeing > 0.85


def test_without_a_label_columns_get_their_shares_as_a_whole():
    known = counted(np.array([0.7, 0.3]))
    plain = Counted(code=known.code, label=None, joint=known.shares, rows=10_000.0)
    recipe = Recipe(noise=4, generator=(8, 8), critic=(4,))
    run = generator_run(recipe, plain, clip_norm=1.0, rng=np.random.default_rng(0))
    vector = run.public["mean"] + 0.3
    model = generator_model(recipe, plain, run, {**run.public, "mean": vector})
    rows = corrected(model, plain, np.random.default_rng(3)).sample(5_000, rng=np.random.default_rng(1))
    assert np.bincount(rows["x"], minlength=4) / 5_000 == pytest.approx(known.shares["x"], abs=0.03)
