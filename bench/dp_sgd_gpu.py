"""Private training on whatever device JAX finds: examples per second at batch 64, 1,024 and 16,384.

Needs jax and numpy only: the loop's own files are loaded without the rest of the package. Beside it runs
Opacus, where torch and opacus are installed, and per-record gradients by torch.func (vmap of grad), which is
what such libraries do inside.

    python bench/dp_sgd_gpu.py [--seconds 5] [--widths 106 60 15 60 106]

Prints a table, then one line of JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
ROWS, CLIP, NOISE = 65_536, 1.0, 2.5
BATCHES = (64, 1_024, 16_384)


def bare_package() -> None:
    """Make the loop importable where pyarrow and dp-accounting are absent: skip the packages' own imports."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    for name in ("queries", "anonymize", "approximate", "schema"):
        package = types.ModuleType(f"triplea.{name}")
        package.__path__ = [str(ROOT / "src" / "triplea" / name)]
        sys.modules[f"triplea.{name}"] = package
    sys.modules["triplea.schema"].Encoded = dict  # type: ignore[attr-defined]


def per_second(run: Callable[[int], None], *, batch: int, seconds: float) -> float:
    """Examples a second: warm up, find a number of steps that takes long enough, time it."""
    steps = 256  # more than a chunk holds, so that every shape is compiled now
    run(steps)
    while True:
        start = time.perf_counter()
        run(steps)
        taken = time.perf_counter() - start
        if taken > seconds / 2 or steps > 200_000:
            return batch * steps / taken
        steps = int(steps * max(2.0, seconds / max(taken, 1e-3)))


def ours(widths: list[int], batch: int, seconds: float) -> float:
    """The package's loop."""
    from bench.dp_sgd_task import reconstruction
    from triplea.anonymize.descending import train

    rng = np.random.default_rng(0)
    rows = (rng.random((ROWS, widths[0])) < 0.5).astype(np.float32)
    descent = reconstruction(widths, rows=ROWS, clip_norm=CLIP, rng=rng)
    noise = np.random.Generator(np.random.Philox(1))

    def run(steps: int) -> None:
        train(
            descent, rows, rate=batch / ROWS, steps=steps, stddev=NOISE * CLIP, generator=noise,
            public_generator=rng, label="bench",
        )  # fmt: skip

    return per_second(run, batch=batch, seconds=seconds)


def torch_network(widths: list[int]) -> object:
    """The same network in torch."""
    import torch

    parts: list[torch.nn.Module] = []
    for inputs, outputs in itertools.pairwise(widths):
        parts += [torch.nn.Linear(inputs, outputs), torch.nn.LeakyReLU(0.2)]
    return torch.nn.Sequential(*parts[:-1])


def opacus(widths: list[int], batch: int, seconds: float) -> float:
    """Opacus with its hooks, Poisson sampling and Adam."""
    import torch
    from opacus import PrivacyEngine

    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = (torch.rand(ROWS, widths[0]) < 0.5).float()
    net = torch_network(widths).to(device)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(rows), batch_size=batch)
    adam = torch.optim.Adam(net.parameters(), lr=0.005)
    net, adam, loader = PrivacyEngine().make_private(
        module=net, optimizer=adam, data_loader=loader, noise_multiplier=NOISE, max_grad_norm=CLIP
    )
    loss = torch.nn.BCEWithLogitsLoss()

    def run(steps: int) -> None:
        done = 0
        while done < steps:
            for (part,) in loader:
                adam.zero_grad()
                there = part.to(device)
                loss(net(there), there).backward()
                adam.step()
                done += 1
                if done == steps:
                    break
        if device == "cuda":
            torch.cuda.synchronize()

    return per_second(run, batch=batch, seconds=seconds)


def torch_func(widths: list[int], batch: int, seconds: float) -> float:
    """Per-record gradients by vmap(grad), global clip, noise and Adam, with rows on the device."""
    import torch
    from torch.func import functional_call, grad, vmap

    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = (torch.rand(ROWS, widths[0], device=device) < 0.5).float()
    net = torch_network(widths).to(device)
    adam = torch.optim.Adam(net.parameters(), lr=0.005)

    def loss(parameters: dict[str, object], row: object) -> object:
        return torch.nn.functional.binary_cross_entropy_with_logits(
            functional_call(net, parameters, (row,)), row
        )

    each = vmap(grad(loss), in_dims=(None, 0))

    def run(steps: int) -> None:
        for _ in range(steps):
            chosen = rows[torch.rand(ROWS, device=device) < batch / ROWS]
            named = dict(net.named_parameters())
            gradients = each({name: part.detach() for name, part in named.items()}, chosen)
            norms = torch.sqrt(sum(part.flatten(1).pow(2).sum(1) for part in gradients.values()))
            scale = torch.clamp(CLIP / norms, max=1.0)
            for name, part in gradients.items():
                total = torch.einsum("b,b...->...", scale, part)
                named[name].grad = (total + NOISE * CLIP * torch.randn_like(total)) / batch
            adam.step()
        if device == "cuda":
            torch.cuda.synchronize()

    return per_second(run, batch=batch, seconds=seconds)


def main() -> None:
    """Measure what is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--widths", type=int, nargs="+", default=[106, 60, 15, 60, 106])
    options = parser.parse_args()
    bare_package()
    import jax

    print(f"jax {jax.__version__} on {jax.devices()[0]}, network {options.widths}, {ROWS:,} rows")
    found: dict[str, dict[str, float]] = {}
    for name, measure in (("triplea", ours), ("opacus", opacus), ("torch.func", torch_func)):
        for batch in BATCHES:
            try:
                speed = measure(options.widths, batch, options.seconds)
            except ImportError as missing:
                print(f"{name:<12} not here: {missing}")
                break
            found.setdefault(name, {})[str(batch)] = speed
            print(f"{name:<12} batch {batch:>7,} {speed:>14,.0f} examples/s", flush=True)
    print(json.dumps({"device": str(jax.devices()[0]), "examples_per_second": found}))


if __name__ == "__main__":
    main()
