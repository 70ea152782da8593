"""The generator's network, written once for NumPy (drawing rows) and JAX (training).

Noise and a one-hot class go in; out come a number in [0, 1] for every coordinate and logits for every block.
Dense layers see the class at every depth, so that classes can differ from the first step. Each number also
has noise of its own, and starts out uniform and independent of the rest: what the embedding does not tell
stays independent instead of being whatever the network happens to do. With an image, the coordinates are its
pixels and have none: two rounds of doubling and 5 x 5 convolution after the dense layers, as DP-MERF has
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

Array = Any
Parameters = dict[str, Any]
SLOPE = 0.1
KERNEL = 5
CHANNELS = (16, 8)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """All sizes of a network; hashable, because training is compiled for it."""

    noise: int
    classes: int
    hidden: tuple[int, ...]
    numbers: int
    blocks: tuple[int, ...]
    image: tuple[int, int] | None = None

    @property
    def cells(self) -> int:
        """Logits in all."""
        return sum(self.blocks)

    @property
    def draws(self) -> int:
        """Random numbers for one row: those that all outputs share, and one for every number."""
        return self.noise + (self.numbers if self.image is None else 0)

    @property
    def small(self) -> tuple[int, int]:
        """Height and width of an image before it is doubled twice."""
        assert self.image is not None
        return -(-self.image[0] // 4), -(-self.image[1] // 4)


def initial(shape: Shape, *, rng: np.random.Generator) -> Parameters:
    """Random layers (He's scale), and an output that starts near the middle of everything."""
    widths = [shape.noise, *shape.hidden]
    parameters: Parameters = {}
    for index, (inputs, outputs) in enumerate(pairwise(widths)):
        parameters[f"weights{index}"] = rng.standard_normal((inputs, outputs)) * np.sqrt(2.0 / inputs)
        parameters[f"classes{index}"] = rng.standard_normal((shape.classes, outputs)) * 0.3
    last = widths[-1]
    pixels = shape.image is not None
    numbers = CHANNELS[0] * shape.small[0] * shape.small[1] if pixels else shape.numbers
    for name, outputs in (("numbers", numbers), ("logits", shape.cells)):
        start = 1.0 if pixels else 0.1
        parameters[f"{name}.weights"] = rng.standard_normal((last, outputs)) * start / np.sqrt(last)
        parameters[f"{name}.classes"] = np.zeros((shape.classes, outputs))
    if not pixels:
        parameters["own.classes"] = np.zeros((shape.classes, shape.numbers))
    else:
        for name, into, out in (("first", *CHANNELS), ("second", CHANNELS[1], 1)):
            spread = np.sqrt(2.0 / (into * KERNEL**2))
            parameters[f"{name}.kernel"] = rng.standard_normal((KERNEL, KERNEL, into, out)) * spread
            parameters[f"{name}.bias"] = np.zeros(out)
        parameters["pixels.classes"] = np.zeros((shape.classes, shape.numbers))
    return {name: np.asarray(value, dtype=np.float32) for name, value in parameters.items()}


def forward(
    xp: Any, shape: Shape, parameters: Parameters, noise: Array, classes: Array
) -> tuple[Array, Array]:
    """Numbers in (0, 1) and logits, for uniform noise in [-1, 1] and one-hot classes, a row each."""
    values = noise[:, : shape.noise] * np.float32(np.sqrt(3.0))
    for index in range(len(shape.hidden)):
        values = values @ parameters[f"weights{index}"] + classes @ parameters[f"classes{index}"]
        values = xp.maximum(values, SLOPE * values)
    logits = values @ parameters["logits.weights"] + classes @ parameters["logits.classes"]
    numbers = values @ parameters["numbers.weights"] + classes @ parameters["numbers.classes"]
    if shape.image is not None:
        numbers = _picture(xp, shape, parameters, numbers) + classes @ parameters["pixels.classes"]
    else:
        own = xp.clip(0.5 + 0.5 * noise[:, shape.noise :], 1e-4, 1.0 - 1e-4)
        numbers = numbers + xp.exp(classes @ parameters["own.classes"]) * (xp.log(own) - xp.log1p(-own))
    return 1.0 / (1.0 + xp.exp(-xp.clip(numbers, -30.0, 30.0))), logits


def _picture(xp: Any, shape: Shape, parameters: Parameters, flat: Array) -> Array:
    height, width = shape.small
    image = flat.reshape(-1, height, width, CHANNELS[0])
    image = _convolved(xp, _doubled(xp, image), parameters["first.kernel"], parameters["first.bias"])
    image = xp.maximum(image, SLOPE * image)
    image = _convolved(xp, _doubled(xp, image), parameters["second.kernel"], parameters["second.bias"])
    assert shape.image is not None
    return image[:, : shape.image[0], : shape.image[1], 0].reshape(len(flat), -1)


def _doubled(xp: Any, image: Array) -> Array:
    """Twice the height and width, bilinear: each new pixel is 3/4 its own and 1/4 its neighbour's."""
    for axis in (1, 2):
        size = image.shape[axis]
        before = xp.take(image, np.maximum(np.arange(size) - 1, 0), axis=axis)
        after = xp.take(image, np.minimum(np.arange(size) + 1, size - 1), axis=axis)
        pair = xp.stack([0.75 * image + 0.25 * before, 0.75 * image + 0.25 * after], axis=axis + 1)
        image = pair.reshape(*image.shape[:axis], 2 * size, *image.shape[axis + 1 :])
    return image


def _convolved(xp: Any, image: Array, kernel: Array, bias: Array) -> Array:
    """Same-size convolution as one product for every place of the kernel."""
    reach = KERNEL // 2
    padded = xp.pad(image, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    height, width = image.shape[1:3]
    total = bias
    for row in range(KERNEL):
        for column in range(KERNEL):
            total = total + padded[:, row : row + height, column : column + width, :] @ kernel[row, column]
    return total
