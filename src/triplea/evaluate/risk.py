"""Risk: a few attacks on the synthetic table, each with a control group. Empirical, never a guarantee."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from triplea.evaluate.closeness import closest_record, identifiability
from triplea.evaluate.linking import inference, linkability
from triplea.evaluate.membership import membership_attacks
from triplea.evaluate.models import Settings
from triplea.evaluate.progress import Steps
from triplea.evaluate.rows import Rows
from triplea.evaluate.singling_out import singling_out
from triplea.results import Risk


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How many rows are attacked, against how many references, and how many columns are inferred."""

    rows: int = 1_000
    attacks: int = 300
    references: int = 20_000
    inferred: int = 3


QUICK = Effort()
FULL = Effort(rows=2_000, attacks=1_000, references=50_000, inferred=20)


def risk_steps(rows: Rows, effort: Effort) -> int:
    """Return how many steps `measure_risk` takes."""
    return 6 + (min(len(rows.names), effort.inferred) if len(rows.names) > 1 else -1)


def measure_risk(
    train: Rows,
    held_out: Rows,
    synthetic: Rows,
    *,
    target: str | None,
    settings: Settings,
    effort: Effort,
    steps: Steps,
) -> Risk:
    """Run all attacks; the held-out rows are the control group."""
    rng = np.random.default_rng([settings.seed, 3])
    tables = (train, held_out, synthetic)
    with steps.step("distance to closest record", stage="risk"):
        closest = closest_record(*tables, rng=rng, rows=effort.rows, references=effort.references)
    with steps.step("identifiability", stage="risk"):
        identified = identifiability(*tables, rng=rng, rows=effort.rows, references=effort.references)
    attacks = []
    reference = synthetic.sample(effort.references, rng)
    for columns in (1, 5):
        with steps.step(f"singling out by {columns} columns", stage="risk"):
            attacks.append(singling_out(*tables, attacks=effort.attacks, columns=columns, rng=rng))
    if len(train.names) > 1:
        with steps.step("linkability", stage="risk"):
            attacks.append(linkability(train, held_out, reference, attacks=effort.attacks, rng=rng))
        for name in _secrets(train, target, effort.inferred, rng):
            with steps.step(f"inferring {name}", stage="risk"):
                attacks.append(inference(name, train, held_out, reference, attacks=effort.attacks, rng=rng))
    with steps.step("membership inference", stage="risk"):
        members = membership_attacks(
            *tables, rows=effort.rows, references=effort.references, rng=rng, seed=settings.seed
        )
    return Risk(closest=closest, identifiability=identified, attacks=tuple(attacks), membership=members)


def _secrets(rows: Rows, target: str | None, limit: int, rng: np.random.Generator) -> list[str]:
    """Return the target and other columns at random, `limit` in all, in schema order."""
    others = [name for name in rows.names if name != target]
    size = min(limit - (target is not None), len(others))
    chosen = {others[place] for place in rng.choice(len(others), size, replace=False)}
    return [name for name in rows.names if name in chosen or name == target]
