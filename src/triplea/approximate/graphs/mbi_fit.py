"""The same Markov field by the `mbi` package (private-pgm), an optional extra that runs on JAX."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from triplea.approximate.graphs.clique_tree import CliqueTree, Group
from triplea.approximate.graphs.field_fit import Floats, NoisyTable, Potentials, merge_repeats
from triplea.approximate.networks.compiled import require_jax
from triplea.errors import MissingExtra


def require_mbi(purpose: str) -> None:
    """Raise MissingExtra where `mbi` is not installed. It is not imported here."""
    if find_spec("mbi") is None:
        raise MissingExtra(package="mbi", extra="mbi", purpose=purpose)
    require_jax(purpose)


def fit_by_mbi(
    tables: Sequence[NoisyTable],
    *,
    tree: CliqueTree,
    rows: float,
    steps: int,
    start: Mapping[Group, Floats] | None = None,
) -> Potentials:
    """Log tables of the groups after `steps` steps of mbi's mirror descent, in double precision."""
    import jax

    with jax.enable_x64(True):
        mbi = _quiet_mbi()
        merged = merge_repeats(tables)
        domain = mbi.Domain(tuple(tree.sizes), tuple(tree.sizes.values()))
        measured = [
            mbi.LinearMeasurement(table.counts.ravel(), group, float(table.stddev))
            for group, table in merged.items()
        ]
        known = _as_mbi(mbi, domain, start) if start else None
        field = mbi.estimation.MirrorDescent().estimate(
            domain, measured, known_total=rows, iters=steps, warm_start=known
        )
        return {group: np.asarray(field.potentials[group].values) for group in field.potentials.cliques}


def _quiet_mbi() -> Any:
    """Import mbi; it warns about a cache of JAX that is on by default and that a release does not set."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="JAX persistent compilation cache")
        import mbi
    return mbi


def _as_mbi(mbi: Any, domain: Any, start: Mapping[Group, Floats]) -> Any:
    factors = {group: mbi.Factor(domain.project(group), table) for group, table in start.items()}
    return mbi.CliqueVector(domain, list(factors), factors)
