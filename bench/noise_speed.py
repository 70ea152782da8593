"""How fast the exact noise is, beside numpy's normal and (if installed) OpenDP's samplers.

All in one run on one thread: the figure to compare is the ratio to `numpy.random.normal` for the same
number of values. Prints a table, then one line of JSON.

    python bench/noise_speed.py [--values 1000000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from triplea.anonymize.noise import Noise

OPENDP_VALUES = 20_000  # OpenDP takes 10 to 50 microseconds a value


def best_seconds(draw: Callable[[], object], rounds: int) -> float:
    """The fastest of some rounds: the least disturbed by other programs."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        draw()
        times.append(time.perf_counter() - start)
    return min(times)


def measured(values: int, rounds: int) -> dict[str, float]:
    """Nanoseconds a value for each sampler."""
    noise, generator = Noise(), np.random.default_rng()
    samplers: dict[str, Callable[[], object]] = {
        "numpy.random.normal": lambda: np.random.normal(size=values),  # noqa: NPY002 - the yardstick itself
        "numpy Generator.normal": lambda: generator.normal(size=values),
    }
    for scale in (1.0, 1e3, 1e6, 1e9):
        samplers[f"exact Gaussian, {scale:g} units"] = lambda scale=scale: noise.gaussian(scale, values)
        samplers[f"exact Laplace, {scale:g} units"] = lambda scale=scale: noise.laplace(scale, values)
    speeds = {name: best_seconds(draw, rounds) / values * 1e9 for name, draw in samplers.items()}
    return speeds | opendp_speeds()


def opendp_speeds() -> dict[str, float]:
    """The same for OpenDP on integers, if it is installed."""
    try:
        import opendp.prelude as dp
    except ImportError:
        return {}
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    gaussian = dp.m.make_gaussian(*space, scale=1000.0)
    zeros = [0] * OPENDP_VALUES
    return {"OpenDP discrete Gaussian": best_seconds(lambda: gaussian(zeros), 1) / OPENDP_VALUES * 1e9}


def main() -> None:
    """Measure, and print a table and JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    speeds = measured(options.values, options.rounds)
    yardstick = speeds["numpy.random.normal"]
    print(f"{options.values:,} values, best of {options.rounds}")
    print(f"{'sampler':<32}{'ns/value':>10}{'x numpy.random.normal':>24}")
    for name, speed in speeds.items():
        print(f"{name:<32}{speed:>10.1f}{speed / yardstick:>24.2f}")
    print(json.dumps({"values": options.values, "nanoseconds": speeds}))


if __name__ == "__main__":
    main()
