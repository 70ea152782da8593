"""From a denoised embedding to a generator that has it: the public half of DP-MERF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from triplea.approximate.codes.binning import Binning
from triplea.approximate.embeddings.embedding_generator import EmbeddingGenerator, Outputs
from triplea.approximate.embeddings.embedding_target import Target
from triplea.approximate.embeddings.generator_network import Shape, initial
from triplea.approximate.embeddings.random_features import Features

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class GeneratorOptions:
    """Sizes of the network and length of its training."""

    noise: int
    hidden: tuple[int, ...]
    steps: int
    batch: int
    learning_rate: float
    image: tuple[int, int] | None = None


def fit_generator(
    target: Target,
    features: Features,
    outputs: Outputs,
    *,
    options: GeneratorOptions,
    weights: np.ndarray,
    label: str | None,
    classes: Binning | None,
    order: tuple[str, ...],
    rng: np.random.Generator,
    say: Say | None = None,
) -> tuple[EmbeddingGenerator, list[float]]:
    """Train a generator whose class means are the target's; return it with its losses."""
    shape = Shape(
        noise=options.noise,
        classes=len(weights),
        hidden=options.hidden,
        numbers=outputs.numbers,
        blocks=outputs.blocks,
        image=options.image,
    )
    parameters = initial(shape, rng=rng)
    one_hot = target.means[:, 1 : features.flags]
    parameters["logits.classes"] = np.log(np.clip(one_hot, 1e-4, 1.0)).astype(np.float32)
    losses: list[float] = []
    if target.trust.any() and features.width > 1:  # else there is nothing to match, and JAX stays unloaded
        from triplea.approximate.embeddings.generator_training import Schedule, train

        parameters, losses = train(
            shape,
            parameters,
            features=features,
            anchors=outputs.anchors,
            target=target,
            schedule=Schedule(steps=options.steps, batch=options.batch, learning_rate=options.learning_rate),
            rng=rng,
            progress=None if say is None else _told(say, options.steps),
        )
    model = EmbeddingGenerator(
        shape=shape,
        parameters=parameters,
        coordinates=outputs,
        weights=weights,
        label=label,
        classes=classes,
        order=order,
    )
    return model, losses


def _told(say: Say, steps: int) -> Callable[[int, float], None]:
    """Say how far training has come: it sees released values only, so this tells nothing about rows."""
    return lambda step, loss: say(f"training the generator, step {step:,} of {steps:,}, loss {loss:.3g}")
