"""Recipes and training runs of DP-auto-GAN's networks: what is trained, how wide, and for how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.methods._networks import Counted, with_bias

if TYPE_CHECKING:
    from triplea.queries.descent import Descent


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Sizes and schedules. A sampling rate is a batch size over a public guess at the number of rows."""

    hidden: tuple[int, ...]
    latent: int
    noise: int
    generator: tuple[int, ...]
    critic: tuple[int, ...]
    autoencoder_steps: int = 300
    autoencoder_rate: float = 1 / 32
    autoencoder_learning_rate: float = 0.01
    critic_steps: int = 600
    critic_rate: float = 1 / 32
    critic_optimizer: Literal["sgd", "rmsprop"] = "sgd"  # unlike RMSProp, it lets noise average out
    critic_learning_rate: float = 1.0
    generator_learning_rate: float = 0.005
    turn_every: int = 1
    generated: int = 256
    weight_limit: float = 0.1


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


def automatic(width: int) -> Recipe:
    """Sizes that follow the width of a coded row."""
    hidden = int(np.clip(width // 3, 16, 128))
    latent = int(np.clip(width // 10, 4, 64))
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
) -> Descent:
    """A critic on rows, against a generator before the decoder, which learns along.

    Without a latent space, noise goes straight into the decoder. As published, the decoder stays as it is and
    the critic sees probabilities instead of draws.
    """
    from triplea.approximate.networks.optimizers import Optimizer, rmsprop
    from triplea.queries.critic import Critic, generator_state, uniform_draws
    from triplea.queries.descent import Descent, shapes_of

    width = counted.code.layout.width
    inner = (recipe.noise, *recipe.generator, recipe.latent) if recipe.latent else ()
    generator = {
        name: (np.float32(3**0.5) * weights, np.zeros_like(biases))  # unit variance goes through unchanged
        for name, (weights, biases) in dense_layers("generator", inner, rng=rng).items()
    }
    critic = dense_layers("critic", (width, *recipe.critic, 1), rng=rng)
    optimizer = rmsprop(recipe.generator_learning_rate)
    task = Critic(
        layout=counted.code.layout,
        critic=tuple(critic),
        generator=tuple(generator),
        decoder=tuple(decoder),
        shapes=shapes_of({**generator, **decoder}),
        optimizer=optimizer,
        average=0.98,
        hard=not as_published,
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
        draws=uniform_draws(rows=recipe.generated, noise=recipe.noise, width=width),
        weight_limit=recipe.weight_limit,
    )
