"""One step of kernel inducing points on whatever device JAX finds: seconds to compile, then steps a second.

Needs jax and numpy only.

    PYTHONPATH=src python bench/kip_step.py [--points 300] [--batch 2000] [--columns 100] [--seconds 10]

Prints a table, then one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from triplea.adapt.inducing_points import CHUNK, KernelInducing

ROWS = 10_000
CLASSES = 2


def rows(count: int, columns: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns; the class is the sign of a product, so that no straight line finds it."""
    values = rng.standard_normal((count, columns))
    return values, (values[:, 0] * values[:, 1] > 0).astype(int)


def measure(options: argparse.Namespace, precision: str) -> dict[str, float]:
    """Compile with one step; then as many steps as fit into the time, in one call of the same shapes."""
    rng = np.random.default_rng(0)
    targets, target_labels = rows(ROWS, options.columns, rng)
    points, labels = rows(options.points, options.columns, rng)

    def run(steps: int) -> tuple[float, float, tuple[float, ...]]:
        stage = KernelInducing(
            alpha=0.1,
            depth=options.depth,
            batch=options.batch,
            steps=steps,
            tolerance=0.0,
            precision=precision,
        )
        wall, cpu = time.perf_counter(), time.process_time()
        done = stage.adapt(
            points, labels, targets=targets, target_labels=target_labels, rng=np.random.default_rng(1)
        )
        return time.perf_counter() - wall, time.process_time() - cpu, done.losses

    first, _, _ = run(1)
    run(CHUNK)
    probe, _, _ = run(CHUNK)
    steps = CHUNK * max(1, min(400, int(options.seconds / probe)))
    wall, cpu, losses = run(steps)
    return {
        "first_call_s": first,
        "steps": steps,
        "steps_per_s": steps / wall,
        "ms_per_step": 1e3 * wall / steps,
        "cpu_ms_per_step": 1e3 * cpu / steps,
        "loss_first": float(np.mean(losses[:5])),
        "loss_last": float(np.mean(losses[-5:])),
    }


def main() -> None:
    """Measure both precisions."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("points", 300), ("batch", 2000), ("columns", 100), ("depth", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    import jax

    device = jax.devices()[0]
    print(f"jax {jax.__version__} on {device}: {options.points} points, batch {options.batch}, "
          f"{options.columns} columns, {options.depth} hidden layers")  # fmt: skip
    found = {}
    for precision in ("float32", "float64"):
        speed = found[precision] = measure(options, precision)
        print(
            f"{precision}  first call {speed['first_call_s']:6.1f} s  {speed['steps_per_s']:8.1f} steps/s  "
            f"{speed['ms_per_step']:8.2f} ms/step  {speed['cpu_ms_per_step']:8.1f} CPU ms/step  "
            f"objective {speed['loss_first']:.4f} -> {speed['loss_last']:.4f} in {speed['steps']} steps",
            flush=True,
        )
    print(json.dumps({"device": str(device), "settings": vars(options), "speed": found}))


if __name__ == "__main__":
    main()
