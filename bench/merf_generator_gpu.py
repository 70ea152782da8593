"""Training of DP-MERF's generator on whatever device JAX finds: steps per second, for a table and for images.

Needs jax, numpy and scipy only. The target is the embedding of random numbers: what is learnt does not matter
for the time. "table" is as wide as Adult (6 numbers, 8 blocks, 2 classes), "image" is 28 x 28 in 10 classes.

    python bench/merf_generator_gpu.py [--steps 2000] [--features 500 2000 10000]

Prints a table, then one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from merf_bare import bare_package

SHAPES = {
    "table": {"numbers": 6, "blocks": (9, 16, 7, 15, 6, 5, 2, 42), "classes": 2, "image": None},
    "image": {"numbers": 784, "blocks": (), "classes": 10, "image": (28, 28)},
}


def seconds_of(name: str, *, features: int, steps: int, batch: int) -> float:
    """Seconds for `steps` steps, compilation apart."""
    from triplea.approximate.embeddings.embedding_target import Target
    from triplea.approximate.embeddings.feature_choice import choose_features
    from triplea.approximate.embeddings.generator_network import Shape, initial
    from triplea.approximate.embeddings.generator_training import CHUNK, Schedule, train

    sizes, rng = SHAPES[name], np.random.default_rng(0)
    shape = Shape(noise=10, hidden=(128, 128), **sizes)
    coordinates = type("Coordinates", (), {"numbers": shape.numbers, "blocks": shape.blocks})
    image = shape.image is not None
    made = choose_features(coordinates, quantiles=not image, image=image, features=features, rng=rng)
    means = rng.uniform(-0.5, 0.5, (shape.classes, made.width))
    target = Target(counts=np.ones(shape.classes), means=means, trust=np.ones(shape.classes), noise=0.0)
    options = {"features": made, "anchors": {}, "target": target, "rng": rng}
    schedule = Schedule(steps=steps, batch=batch)
    ticks: list[float] = []
    train(
        shape,
        initial(shape, rng=rng),
        schedule=schedule,
        progress=lambda step, loss: ticks.append(time.perf_counter()),
        patience=steps,
        **options,
    )
    return (ticks[-1] - ticks[0]) / (len(ticks) - 1) / CHUNK  # the first chunk compiles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--features", type=int, nargs="+", default=[500, 2000, 10_000])
    parser.add_argument("--only", choices=tuple(SHAPES), action="append")
    options = parser.parse_args()
    bare_package()
    import jax

    device = jax.devices()[0].device_kind
    print(f"device: {device}; batch {options.batch}")
    print(f"{'shape':8} {'features':>9} {'ms a step':>10} {'steps/s':>9} {'s for 1,500 steps':>18}")
    found = []
    for name in options.only or SHAPES:
        for features in options.features:
            step = seconds_of(name, features=features, steps=options.steps, batch=options.batch)
            found.append({"shape": name, "features": features, "seconds a step": step})
            print(
                f"{name:8} {features:9,} {1e3 * step:10.3f} {1 / step:9,.0f} {1500 * step:18.1f}", flush=True
            )
    print(json.dumps({"device": device, "batch": options.batch, "found": found}))


if __name__ == "__main__":
    main()
