"""Several targets: each one beyond the first gets a tutor, from counts of its own.

Private: queries.marginals counts.   Door: one measurement of (feature, further target) for all of them.
Public: tutors fitted on the mixture's rows, as the first target's teacher is.
"""

from __future__ import annotations

import numpy as np

from triplea.adapt.teacher_fit import Evidence, fit_teacher
from triplea.anonymize.door import Door
from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.denoise import combine_totals
from triplea.approximate.mixtures.taught_mixture import TaughtMixture
from triplea.approximate.mixtures.tutored_mixture import TutoredMixture
from triplea.queries.marginals import Marginals
from triplea.schema import Schema

FURTHER = "counts by further targets"
SHARE = 0.3  # of each further target, beside 1 for all other questions together
MOST_CLASSES = 20
MOST_COLUMNS = 60  # in wider tables further targets are left to the mixture
ROWS = (5_000, 60_000)


def tutored_targets(schema: Schema) -> tuple[str, ...]:
    """Further targets that get a tutor: listed columns of few classes, in tables that are not wide."""
    fitting = [
        name
        for name in schema.further_targets
        if schema.column(name).is_discrete and 2 <= schema.column(name).cells <= MOST_CLASSES
    ]
    return tuple(fitting) if 2 < len(schema.names) <= MOST_COLUMNS else ()


def add_tutors(door: Door, base: TaughtMixture, *, rows: float, rng: np.random.Generator) -> TutoredMixture:
    """Count every feature by every further target, and fit a tutor for each."""
    targets = tutored_targets(door.schema)
    names = base.features
    heard = {target: [name for name in names if name != target] for target in targets}
    groups = [(name, target) for target in targets for name in heard[target]]
    query = Marginals(groups=groups, binnings=base.cells)
    answer = door.measure(query, label=FURTHER)
    tables, spread = query.tables(answer.values), float(np.max(answer.stddev))
    drawn = base.draw_features(int(np.clip(rows, *ROWS)), rng)
    tutors = {}
    for target in targets:
        evidence = _evidence(
            [tables[(name, target)] for name in heard[target]], heard[target], door.schema, spread
        )
        tutors[target] = _fit(np.delete(drawn, names.index(target), axis=1), evidence)
    return TutoredMixture.of(base, tutors)


def _fit(drawn: np.ndarray, evidence: Evidence) -> AdditiveTeacher:
    return fit_teacher(drawn, evidence).teacher


def _evidence(tables: list[np.ndarray], names: list[str], schema: Schema, stddev: float) -> Evidence:
    classes = combine_totals([table.T for table in tables], [stddev] * len(tables))
    rows = float(max(classes.sum(), 10.0))
    columns = [schema.column(name) for name in names]
    return Evidence(
        tables=tables,
        stddev=stddev,
        shares=to_simplex(classes, rows) / rows,
        rows=rows,
        ordered=[not column.is_discrete for column in columns],
        missing=[column.nullable for column in columns],
    )
