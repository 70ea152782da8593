"""Recipes and training runs of adversarial networks: what is trained, how wide, and for how long."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.networks.conditional_rows import ConditionalRows
from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.approximate.networks.share_matching import matching_shift, pool_for, with_matched_shares
from triplea.methods._networks import Counted, OneRunMethod, counted_as_is, with_bias
from triplea.schema import Encoded

if TYPE_CHECKING:
    from triplea.queries.descent import Descent


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Sizes and schedules. A sampling rate is a batch size over a public guess at the number of rows."""

    hidden: tuple[int, ...] = ()
    latent: int = 0
    noise: int = 32
    generator: tuple[int, ...] = ()
    critic: tuple[int, ...]
    autoencoder_steps: int = 300
    autoencoder_rate: float = 1 / 32
    autoencoder_learning_rate: float = 0.01
    critic_steps: int = 600
    critic_rate: float = 1 / 32
    critic_optimizer: Literal["sgd", "rmsprop"] = "sgd"  # unlike RMSProp, it lets noise average out
    critic_learning_rate: float = 1.0
    generator_optimizer: Literal["sgd", "rmsprop"] = "rmsprop"
    generator_learning_rate: float = 0.005
    turn_every: int = 1
    generated: int = 256
    weight_limit: float = 0.1
    opinion: Literal["wasserstein", "cross-entropy"] = "wasserstein"


PRESETS = {
    "adult": Recipe(
        hidden=(60,), latent=15, noise=64, generator=(64, 64), critic=(70, 35), autoencoder_steps=10_000,
        autoencoder_rate=64 / 32_561, autoencoder_learning_rate=0.005, critic_steps=15_000,
        critic_rate=128 / 32_561, critic_optimizer="rmsprop", critic_learning_rate=0.005, turn_every=15,
        generated=128,
    ),
    "binary": Recipe(
        hidden=(), latent=64, noise=128, generator=(128,), critic=(256,), autoencoder_steps=15_000,
        autoencoder_rate=100 / 27_912, autoencoder_learning_rate=0.001, critic_steps=7_000,
        critic_rate=128 / 27_912, critic_optimizer="rmsprop", critic_learning_rate=0.001,
        generator_learning_rate=0.001, turn_every=2, generated=128,
    ),
}  # fmt: skip


def automatic(width: int, *, labelled: bool = False) -> Recipe:
    """Sizes that follow the width of a coded row; where a label is given, DP-CGAN's opponents."""
    hidden = int(np.clip(width // 3, 16, 128))
    latent = int(np.clip(width // 10, 4, 64))
    if labelled:
        return Recipe(
            hidden=(hidden,), latent=latent, noise=100, critic=(128,), critic_learning_rate=0.5,
            opinion="cross-entropy", weight_limit=0.0,
        )  # fmt: skip
    return Recipe(
        hidden=(hidden,),
        latent=latent,
        noise=2 * latent,
        generator=(64, 64),
        critic=(hidden, hidden // 2),
    )


def autoencoder_run(
    recipe: Recipe, counted: Counted, *, clip_norm: float, rng: np.random.Generator
) -> Descent:
    """Encoder and decoder as one network, which starts at the released shares of the columns."""
    from triplea.approximate.networks.optimizers import adam
    from triplea.queries.descent import Descent
    from triplea.queries.reconstruction import Reconstruction

    width = counted.code.layout.width
    encoder = dense_layers("encoder", (width, *recipe.hidden, recipe.latent), rng=rng)
    decoder = dense_layers("decoder", (recipe.latent, *recipe.hidden[::-1], width), rng=rng)
    task = Reconstruction(layout=counted.code.layout, encoder=tuple(encoder), decoder=tuple(decoder))
    steps = recipe.autoencoder_steps
    return Descent(
        task=task,
        encode=counted.code.encode,
        layers={**encoder, **with_bias(decoder, task.decoder[-1], counted)},
        optimizer=adam(recipe.autoencoder_learning_rate, decay_steps=steps, last=0.1),
        clip_norm=clip_norm,
        n_public=counted.rows,
        average=0.9,
    )


def critic_run(
    recipe: Recipe,
    counted: Counted,
    decoder: Layers,
    *,
    clip_norm: float,
    rng: np.random.Generator,
    as_published: bool = False,
    conditional: bool = False,
) -> Descent:
    """A critic on rows, against a generator before the decoder, which learns along.

    Without a latent space, noise goes straight into the decoder. With `conditional`, generator and critic are
    told the label. As published, the decoder stays as it is and the critic sees probabilities, not draws.
    """
    from triplea.approximate.networks.optimizers import Optimizer
    from triplea.queries.critic import Critic, generator_state, labelled_draws, uniform_draws
    from triplea.queries.descent import Descent, shapes_of

    width = counted.code.layout.width
    label = label_entries(counted) if conditional else None
    told = label.stop - label.start if label else 0
    inner = (recipe.noise + told, *recipe.generator, recipe.latent) if recipe.latent else ()
    generator = {
        name: (np.float32(3**0.5) * weights, np.zeros_like(biases))  # unit variance goes through unchanged
        for name, (weights, biases) in dense_layers("generator", inner, rng=rng).items()
    }
    if generator:
        unsaid(generator["generator.0"], recipe.noise)
    critic = dense_layers("critic", (width, *recipe.critic, 1), rng=rng)
    optimizer = Optimizer(kind=recipe.generator_optimizer, learning_rate=recipe.generator_learning_rate)
    sizes = {"rows": recipe.generated, "noise": recipe.noise, "width": width}
    task = Critic(
        layout=counted.code.layout,
        critic=tuple(critic),
        generator=tuple(generator),
        decoder=tuple(decoder),
        shapes=shapes_of({**generator, **decoder}),
        optimizer=optimizer,
        average=0.98,
        hard=not as_published,
        opinion=recipe.opinion,
        label=(label.start, label.stop) if label else (0, 0),
        weights=class_weights(counted) if label else (),
        fixed=sum(w.size + b.size for w, b in decoder.values()) if as_published else 0,
    )
    return Descent(
        task=task,
        encode=counted.code.encode,
        layers=critic,
        optimizer=Optimizer(kind=recipe.critic_optimizer, learning_rate=recipe.critic_learning_rate),
        clip_norm=clip_norm,
        n_public=counted.rows,
        public=generator_state({**generator, **decoder}, optimizer),
        turn_every=recipe.turn_every,
        draws=labelled_draws(**sizes, classes=balanced(counted)) if label else uniform_draws(**sizes),
        weight_limit=recipe.weight_limit,
    )


def generator_run(
    recipe: Recipe, counted: Counted, *, clip_norm: float, rng: np.random.Generator, conditional: bool = False
) -> Descent:
    """A critic against one network from noise, and the label with `conditional`, to all columns."""
    label = label_entries(counted) if conditional else None
    told = label.stop - label.start if label else 0
    widths = (recipe.noise + told, *recipe.generator, counted.code.layout.width)
    network = dense_layers("decoder", widths, rng=rng)
    unsaid(network["decoder.0"], recipe.noise)
    start = with_bias(network, f"decoder.{len(recipe.generator)}", counted)
    plain = replace(recipe, generator=(), latent=0)
    return critic_run(plain, counted, start, clip_norm=clip_norm, rng=rng, conditional=conditional)


def unsaid(layer: tuple[np.ndarray, np.ndarray], noise: int) -> None:
    """Let a first layer take no notice of the label: a class that is not learned stays like all rows."""
    layer[0][noise:] = 0.0


class GeneratorMethod(OneRunMethod):
    """A generator and a critic under DP-SGD; the generator is the model.

    With `conditional` the generator is told the class, and a published variant uses class shares as they are.
    """

    conditional: ClassVar[bool] = False
    clip_norm: float
    correct_shares: bool = False

    @property
    @abstractmethod
    def recipe(self) -> Recipe:
        """Sizes and schedules."""

    def run_of(self, counted: Counted, rng: np.random.Generator) -> Descent:
        """The critic, with the generator's turns in between."""
        return generator_run(
            self.recipe, counted, clip_norm=self.clip_norm, rng=rng, conditional=self.conditional
        )

    def model_of(self, counted: Counted, run: Descent, layers: Layers, public: Any) -> LatentRows:
        """The generator is the model."""
        del layers
        return generator_model(self.recipe, counted, run, public)

    def finished(self, model: LatentRows, counted: Counted, rng: np.random.Generator) -> LatentRows:
        """Give every class its released shares of single columns."""
        return corrected(model, counted, rng) if self.correct_shares else model

    def known_as_published(self, code: RowCode, rows: Encoded, label: str | None) -> Counted:
        """The row count as it is; class shares too, where the generator is told them."""
        return counted_as_is(code, rows, label if self.conditional else None)


def shares_within(counted: Counted, index: int) -> dict[str, np.ndarray]:
    """The released shares of every other column's cells within one class."""
    share = max(class_shares(counted)[index], 1e-12)
    return {
        name: part.reshape(-1, counted.code.binnings[name].cells)[index] / share
        for name, part in counted.joint.items()
        if name != counted.label
    }


def generator_model(recipe: Recipe, counted: Counted, run: Descent, public: Any) -> LatentRows:
    """What `generator_run` has learned; a conditional generator draws its labels by released shares."""
    from triplea.queries.critic import Critic, generator_layers

    assert isinstance(run.task, Critic)
    layers, binnings = generator_layers(run.task, public), counted.code.binnings
    if not run.task.label[1]:
        return LatentRows(layers=layers, noise=recipe.noise, binnings=binnings)
    label, classes = str(counted.label), class_shares(counted)
    return ConditionalRows(layers=layers, noise=recipe.noise, binnings=binnings, label=label, classes=classes)


def corrected(model: LatentRows, counted: Counted, rng: np.random.Generator) -> LatentRows:
    """Shift what a generator says until single columns have their released shares, class by class."""
    if not isinstance(model, ConditionalRows):
        least = 1.0 / max(counted.rows, 10.0)
        model.layers = with_matched_shares(model, counted.shares, least=least, rng=rng)
        return model
    noise = rng.standard_normal((pool_for(counted.code.layout.width), model.noise)).astype(np.float32)
    shifts = [
        matching_shift(
            model.logits(model.told(noise, np.full(len(noise), index))),
            model.code.entries,
            shares_within(counted, index),
            least=1.0 / max(share * counted.rows, 10.0),
        )
        for index, share in enumerate(class_shares(counted))
    ]
    model.shifts = np.array(shifts, dtype=np.float32)
    return model


def label_entries(counted: Counted) -> slice | None:
    """Where the label stands in a coded row; None without a label, or with a single class."""
    return counted.code.entries.get(counted.label) if counted.label else None


def class_shares(counted: Counted) -> np.ndarray:
    """The shares of the label's classes."""
    assert counted.label is not None
    return counted.shares[counted.label]


def balanced(counted: Counted) -> np.ndarray:
    """The shares of the classes after weighting: those of generated rows in training."""
    weighted = class_shares(counted) * np.asarray(class_weights(counted))
    return np.asarray(weighted / weighted.sum())


def class_weights(counted: Counted) -> tuple[float, ...]:
    """Weights that raise rare classes, by a factor of ten at most: what they add is taken from the others."""
    shares = np.maximum(class_shares(counted), 0.1)
    return tuple((shares.min() / shares).tolist())
