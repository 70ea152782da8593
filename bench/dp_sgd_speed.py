"""Private training steps per CPU second, beside Opacus on the same network, rows, batch and noise.

The network is DP-auto-GAN's autoencoder for Adult (106-60-15-60-106, 14,761 parameters), batch 64 by Poisson
sampling from 32,561 rows of random bits, one global clip per record, Adam; one thread each. Opacus is not a
dependency: give the interpreter of an environment that has torch and opacus.

    python bench/dp_sgd_speed.py --opacus-python PATH [--rounds 3]

CPU time is what is compared: on a busy machine wall time tells more about its load. Prints a table, then
one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

ROWS, WIDTHS, BATCH, CLIP, NOISE = 32_561, (106, 60, 15, 60, 106), 64, 1.0, 2.5

OPACUS = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import torch
from opacus import PrivacyEngine
torch.set_num_threads(1)
steps = int(sys.argv[1])
torch.manual_seed(0)
rows = (torch.rand(32561, 106) < 0.5).float()
net = torch.nn.Sequential(
    torch.nn.Linear(106, 60), torch.nn.LeakyReLU(0.2), torch.nn.Linear(60, 15), torch.nn.LeakyReLU(0.2),
    torch.nn.Linear(15, 60), torch.nn.LeakyReLU(0.2), torch.nn.Linear(60, 106))
data = torch.utils.data.TensorDataset(rows)
loader = torch.utils.data.DataLoader(data, batch_size=64)
adam = torch.optim.Adam(net.parameters(), lr=0.005)
net, adam, loader = PrivacyEngine().make_private(
    module=net, optimizer=adam, data_loader=loader, noise_multiplier=2.5, max_grad_norm=1.0)
loss = torch.nn.BCEWithLogitsLoss()
def run(count):
    done = 0
    while done < count:
        for (batch,) in loader:
            adam.zero_grad()
            loss(net(batch), batch).backward()
            adam.step()
            done += 1
            if done == count:
                return
run(20)
cpu, wall = time.process_time(), time.perf_counter()
run(steps)
print(json.dumps({"cpu": (time.process_time() - cpu) / steps, "wall": (time.perf_counter() - wall) / steps}))
"""


def ours(steps: int) -> dict[str, float]:
    """Seconds a step of `train`, compiled beforehand."""
    import numpy as np

    from bench.dp_sgd_task import reconstruction
    from triplea.anonymize.descending import train

    rng = np.random.default_rng(0)
    rows = (rng.random((ROWS, WIDTHS[0])) < 0.5).astype(np.float32)
    descent = reconstruction(WIDTHS, rows=ROWS, clip_norm=CLIP, rng=rng)

    def run(count: int) -> None:
        train(
            descent, rows, rate=BATCH / ROWS, steps=count, stddev=NOISE * CLIP,
            generator=np.random.Generator(np.random.Philox()), public_generator=rng, label="bench",
        )  # fmt: skip

    run(200)
    cpu, wall = time.process_time(), time.perf_counter()
    run(steps)
    return {"cpu": (time.process_time() - cpu) / steps, "wall": (time.perf_counter() - wall) / steps}


def opacus(python: str, steps: int) -> dict[str, float]:
    """The same with Opacus, in its own process."""
    found = subprocess.run(
        [python, "-c", OPACUS, str(steps)], capture_output=True, text=True, check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    return dict(json.loads(found.stdout.splitlines()[-1]))


def main() -> None:
    """Take turns, so that both meet the same load, and print the fastest round of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opacus-python", default=None)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found: dict[str, list[dict[str, float]]] = {"triplea": [], "opacus": []}
    for _ in range(options.rounds):
        found["triplea"].append(ours(options.steps))
        if options.opacus_python:
            found["opacus"].append(opacus(options.opacus_python, max(200, options.steps // 10)))
    best = {
        name: {key: min(r[key] for r in rounds) for key in ("cpu", "wall")}
        for name, rounds in found.items()
        if rounds
    }
    for name, seconds in best.items():
        print(f"{name:<10}{seconds['cpu'] * 1e6:>10.0f} us CPU/step{1 / seconds['wall']:>10.0f} steps/s wall")
    if "opacus" in best:
        print(f"ratio of CPU time: {best['opacus']['cpu'] / best['triplea']['cpu']:.1f}")
    print(json.dumps({"best": best, "rounds": found}))


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    main()
