"""DP-MERF's own files where only jax, numpy and scipy are installed: no pyarrow, no dp-accounting.

The packages' `__init__` files are skipped, and the schema's names are stood in for; the embedding, the
features and the generator are the package's own. Noise is NumPy's and seeded: for measurements only.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]


def bare_package() -> None:
    """Make the embedding and the generator importable without the rest of the package."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    for name in ("queries", "anonymize", "approximate", "schema"):
        package = types.ModuleType(f"triplea.{name}")
        package.__path__ = [str(ROOT / "src" / "triplea" / name)]
        sys.modules[f"triplea.{name}"] = package
    schema = sys.modules["triplea.schema"]
    schema.Encoded, schema.Schema, schema.Column = dict, object, object  # type: ignore[attr-defined]
    schema.len_of = lambda rows: len(next(iter(rows.values())))  # type: ignore[attr-defined]


def gaussian_noise(epsilon: float, delta: float) -> float:
    """The noise multiplier of one Gaussian release: 3.73 for (1, 1e-5) (Balle and Wang 2018)."""
    from scipy.optimize import brentq
    from scipy.stats import norm

    def excess(multiplier: float) -> float:
        half, shift = 0.5 / multiplier, epsilon * multiplier
        return float(norm.cdf(half - shift) - np.exp(epsilon) * norm.cdf(-half - shift)) - delta

    return float(brentq(excess, 1e-2, 1e4))


def noisy(query, rows, *, multiplier: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The released sums for replace-one neighbours, and their standard deviations."""
    spread = np.broadcast_to(np.asarray(query.scale) * query.swap_l2 * multiplier, query.shape)
    sums = query.partial_sums(rows) * np.asarray(query.grid)
    return sums + spread * rng.standard_normal(query.shape), spread
