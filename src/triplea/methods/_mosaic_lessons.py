"""Adapt, in mosaic's mixed tables: a label's teacher, from counts and from what real rows say it misses.

Private: queries.teacher_residuals adds.   Door: measurements of what the teacher misses, by feature and by
pair of features.   Public: the fit on rows of the mixture, and the corrections.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from triplea.adapt.crossed_correction import correct_crossed, cross_features
from triplea.adapt.teacher_correction import correct_teacher
from triplea.adapt.teacher_fit import Evidence, Lesson, fit_teacher
from triplea.adapt.teacher_sharpness import sharpen
from triplea.anonymize.door import Door
from triplea.approximate.codes.coarse_groups import coarse_cells
from triplea.approximate.mixtures.additive_teacher import AdditiveTeacher
from triplea.approximate.mixtures.class_margins import Margins
from triplea.approximate.mixtures.outcomes import Outcomes
from triplea.approximate.mixtures.taught_mixture import TaughtMixture
from triplea.methods._mosaic_shares import CROSSED, last_look, looks
from triplea.queries.teacher_residuals import TeacherResiduals
from triplea.schema import Schema

MISFIT = 0.1  # of the mixture, in log-odds: what the teacher does not believe of its rows
CROSSED_CELLS, CROSSED_FLOOR = 4, 0.02  # of a feature in a pair: about so many, categories of so much
TEACHER_ROWS = (5_000, 60_000)
TEACHER_CELLS = 2_500  # beyond this many cells the teacher hears the most telling features only


def teach(
    door: Door, model: TaughtMixture, margins: Margins, *, pairs: bool, rng: np.random.Generator
) -> AdditiveTeacher:
    """Adapt: labels that agree with the released (label, feature) tables, corrected on real rows.

    Pairs of features get weights if the budget for them was not spent on other questions.
    """
    names = model.features
    heard = _most_telling(margins, names)
    drawn = model.draw_features(int(np.clip(margins.rows, *TEACHER_ROWS)), rng)
    drawn = drawn[:, [names.index(name) for name in heard]]
    lesson = _first_lesson(door.schema, margins, drawn, heard)
    outcomes = lesson.outcomes
    residuals = partial(
        TeacherResiduals, features=heard, label=str(model.label), binnings=model.cells, outcomes=outcomes
    )
    learns = len(margins.shares) > 1
    for question in looks(door.schema, door.budget) if learns else ():
        answer = door.measure(residuals(teacher=lesson.teacher), label=question)
        stddev = float(np.max(answer.stddev))
        lesson = correct_teacher(lesson, drawn, answer.values, stddev=stddev, rows=margins.rows)
    teacher = lesson.teacher
    if pairs and learns and last_look(door.schema, door.budget):
        groups = [_crossing(door.schema, margins, name) for name in heard]
        teacher = cross_features(teacher, drawn, groups, outcomes=outcomes)
    if teacher.crossed is not None:
        answer = door.measure(residuals(teacher=teacher, crossed=True), label=CROSSED)
        stddev = float(np.max(answer.stddev))
        teacher = correct_crossed(
            teacher, drawn, answer.values, outcomes=outcomes, stddev=stddev, rows=margins.rows
        )
    if not margins.stretches:
        tables = [margins.noisy[name] for name in heard]
        teacher = sharpen(teacher, drawn, tables, margins.shares, rows=margins.rows)
    return _spread_out(teacher, names, heard, [len(margins.noisy[name]) for name in names])


def _first_lesson(schema: Schema, margins: Margins, drawn: np.ndarray, heard: list[str]) -> Lesson:
    """What the counts teach. A number is one outcome from then on: noise would part its many classes."""
    lesson = fit_teacher(drawn, _evidence(margins, schema, heard))
    if not margins.stretches:
        return lesson
    missing = schema.column(str(schema.target)).nullable
    return lesson.on_scale(Outcomes.on_scale(margins.shares, missing=missing), margins.shares)


def _crossing(schema: Schema, margins: Margins, name: str) -> np.ndarray:
    """The coarse cells on which a feature is paired for the teacher."""
    return coarse_cells(schema.column(name), margins.masses(name), cells=CROSSED_CELLS, floor=CROSSED_FLOOR)


def _evidence(margins: Margins, schema: Schema, heard: list[str]) -> Evidence:
    columns = [schema.column(name) for name in heard]
    return Evidence(
        tables=[margins.noisy[name] for name in heard],
        stddev=margins.stddev,
        shares=margins.shares,
        rows=margins.rows,
        ordered=[not column.is_discrete for column in columns],
        missing=[column.nullable for column in columns],
        misfit=MISFIT,
    )


def _most_telling(margins: Margins, names: list[str]) -> list[str]:
    """The features whose tables differ most from independence, as many as can be solved for."""
    if sum(len(margins.noisy[name]) for name in names) <= TEACHER_CELLS:
        return names
    excess = {}
    for name in names:
        table = margins.noisy[name]
        gap = table - table.sum(axis=1, keepdims=True) * margins.shares
        excess[name] = float((gap**2).sum()) / (table.size * margins.stddev**2)
    kept: list[str] = []
    for name in sorted(names, key=lambda name: -excess[name]):
        if sum(len(margins.noisy[n]) for n in kept) + len(margins.noisy[name]) <= TEACHER_CELLS:
            kept.append(name)
    return [name for name in names if name in kept]


def _spread_out(
    taught: AdditiveTeacher, names: list[str], heard: list[str], sizes: list[int]
) -> AdditiveTeacher:
    """Give the features that were not heard weights of zero, so that the teacher takes whole rows."""
    if names == heard:
        return taught
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    weights = np.zeros((int(offsets[-1]), taught.weights.shape[1]))
    places = np.array([names.index(name) for name in heard])
    kept = np.concatenate([np.arange(offsets[place], offsets[place + 1]) for place in places])
    weights[kept] = taught.weights
    crossed = taught.crossed
    if crossed is not None:
        groups = np.zeros(len(weights), dtype=int)
        groups[kept] = crossed.groups
        crossed = replace(crossed, pairs=places[crossed.pairs], groups=groups)
    return AdditiveTeacher(weights=weights, bias=taught.bias, offsets=offsets, crossed=crossed)
