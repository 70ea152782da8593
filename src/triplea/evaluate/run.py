"""The one function: everything about one synthetic table in one record."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from triplea import __version__
from triplea.errors import UserError
from triplea.evaluate import fidelity, risk
from triplea.evaluate.cautions import find_notes
from triplea.evaluate.extras import need
from triplea.evaluate.images import image_size, sample_images
from triplea.evaluate.models import CLASSIFIER_SUITES, REGRESSOR_SUITES, Settings
from triplea.evaluate.progress import Report, Steps
from triplea.evaluate.provenance import facts_of
from triplea.evaluate.sources import Tables, name_of, read_tables
from triplea.evaluate.task import Task, make_task
from triplea.evaluate.utility import measure_utility, utility_steps
from triplea.results import Evaluation
from triplea.schema import Schema, load_schema

SUITES = ("quick", "full")


def evaluate(
    synthetic: Any,
    *,
    train: Any,
    test: Any,
    schema: Schema | Mapping[str, Any] | str | Path,
    target: str | None = None,
    suite: str = "quick",
    positive: str | None = None,
    seed: int = 0,
    threads: int = 2,
    min_child_weight: float = 1e-3,
    progress: Report | None = None,
) -> Evaluation:
    """Measure utility, fidelity and risk of a synthetic table against real rows.

    `synthetic` is a release, a release folder, or any CSV, Parquet file or data frame. `train` are the real
    rows it was made from, `test` real rows that were held out. `target` defaults to the schema's targets, all
    of them; without one there is no utility. `positive` is about the first. The numbers come from real rows:
    they are outside the guarantee.
    """
    if suite not in SUITES:
        raise UserError(f"suite must be one of {', '.join(SUITES)}, got {suite!r}")
    settings = Settings(seed=seed, threads=threads, min_child_weight=min_child_weight)
    for package in ("sklearn", "lightgbm", "pandas"):
        need(package)
    known = schema if isinstance(schema, Schema) else load_schema(schema)
    wanted = _targets(known, target)
    size, made = image_size(known.extras), facts_of(synthetic)
    tables = read_tables(train, test, synthetic, schema=known)
    three = (tables.train, tables.test, tables.synthetic)
    tasks = [
        make_task(*three, name, positive=positive if name == wanted[0] else None)
        for name in (wanted if len(known.names) > 1 else ())
    ]
    images = None
    if size is not None:
        rng = np.random.default_rng([seed, 4])
        first = wanted[0] if wanted else None
        images = sample_images(tables.train, tables.synthetic, size=size, target=first, rng=rng)
    found = _measure(
        tables, tasks, source=name_of(synthetic), suite=suite, settings=settings, progress=progress
    )
    return replace(found, release=made, images=images)


def _measure(
    tables: Tables, tasks: list[Task], *, source: str, suite: str, settings: Settings, progress: Report | None
) -> Evaluation:
    target = tasks[0].target if tasks else None
    models = [(CLASSIFIER_SUITES if task.is_classification else REGRESSOR_SUITES)[suite] for task in tasks]
    work = list(zip(tasks, models, strict=True))
    closeness, attacks = (fidelity.QUICK, risk.QUICK) if suite == "quick" else (fidelity.FULL, risk.FULL)
    total = fidelity.fidelity_steps(tables.train, closeness) + risk.risk_steps(tables.train, attacks)
    steps = Steps(total + sum(utility_steps(task, chosen) for task, chosen in work), progress)
    three = (tables.train, tables.test, tables.synthetic)
    useful = [measure_utility(task, chosen, settings=settings, steps=steps) for task, chosen in work]
    first = useful[0] if useful else None
    close = fidelity.measure_fidelity(*three, target=target, settings=settings, effort=closeness, steps=steps)
    risky = risk.measure_risk(*three, target=target, settings=settings, effort=attacks, steps=steps)
    notes = (*tables.notes, *(note for task in tasks for note in task.notes))
    return Evaluation(
        source=source,
        suite=suite,
        seed=settings.seed,
        rows={name: len(rows) for name, rows in zip(("train", "test", "synthetic"), three, strict=True)},
        columns=tables.train.names,
        target=target,
        utility=first,
        further=tuple(useful[1:]),
        fidelity=close,
        risk=risky,
        notes=(*notes, *find_notes(*three, first, risky)),
        seconds={stage: round(spent, 2) for stage, spent in steps.seconds.items()},
        versions=_versions(),
    )


def _targets(schema: Schema, target: str | None) -> tuple[str, ...]:
    wanted = schema.all_targets if target is None else (target,)
    unknown = next((name for name in wanted if name not in schema.names), None)
    if unknown is not None:
        raise UserError(f"target {unknown!r} is not a column of the schema: it has {', '.join(schema.names)}")
    return wanted


def _versions() -> dict[str, str]:
    packages = {name: metadata.version(name) for name in ("scikit-learn", "lightgbm", "pandas", "pyarrow")}
    return {"triplea": __version__, "python": platform.python_version(), "numpy": np.__version__, **packages}
