"""Fidelity: how far the synthetic table's statistics are from those of the real training rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from triplea.evaluate.association import compare_associations
from triplea.evaluate.binning import BINS, Cells, cells_of, edge_labels_of, edges_of, labels_of
from triplea.evaluate.dimensions import dimension_wise_probability, is_binary_table, predict_dimension
from triplea.evaluate.divergences import jensen_shannon, smoothed_kl, total_variation
from triplea.evaluate.marginals import choose_marginals, distribution, marginal_fidelity, nist_score
from triplea.evaluate.models import Settings
from triplea.evaluate.progress import Steps
from triplea.evaluate.projection import project
from triplea.evaluate.rows import Rows, uniform_rows
from triplea.results import Association, ColumnFidelity, DimensionPoint, Fidelity, MarginalFidelity, Score

NIST_BINS = 100


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much fidelity work to do: more marginals, columns and rows make the numbers steadier and slower."""

    pairs: int = 5_000
    triples: int = 100
    association_columns: int = 64
    association_rows: int = 50_000
    predicted_columns: int = 30
    predicted_rows: int = 5_000


QUICK = Effort()
FULL = Effort(pairs=50_000, triples=500, predicted_columns=64, predicted_rows=50_000)


def fidelity_steps(rows: Rows, effort: Effort) -> int:
    """Return how many steps `measure_fidelity` takes."""
    return 7 + (min(len(rows.names), effort.predicted_columns) if len(rows.names) > 1 else 0)


def measure_fidelity(
    train: Rows,
    test: Rows,
    synthetic: Rows,
    *,
    target: str | None,
    settings: Settings,
    effort: Effort,
    steps: Steps,
) -> Fidelity:
    """Compare histograms, marginals, associations, dimension-wise plots and principal components."""
    rng = np.random.default_rng([settings.seed, 2])
    real, ours = cells_of(train), cells_of(synthetic)
    with steps.step("columns", stage="fidelity"):
        columns = tuple(column_fidelity(train, name, real, ours) for name in train.names)
        probability = dimension_wise_probability(train, real, ours)
    marginals = _marginals(train, real, ours, target=target, effort=effort, rng=rng, steps=steps)
    with steps.step("NIST 3-way score", stage="fidelity"):
        nist = _nist(train, synthetic, effort=effort, rng=rng)
    with steps.step("associations", stage="fidelity"):
        association = _association(train, synthetic, target=target, effort=effort, rng=rng)
    with steps.step("principal components", stage="fidelity"):
        projection = project(train.sample(effort.association_rows, rng), synthetic, target=target, rng=rng)
    prediction = _prediction(
        train, test, synthetic, target=target, settings=settings, effort=effort, rng=rng, steps=steps
    )
    return Fidelity(
        columns=columns,
        marginals=marginals,
        nist_score=nist,
        association=association,
        probability=probability,
        prediction=prediction,
        projection=projection,
    )


def column_fidelity(rows: Rows, name: str, real: Cells, synthetic: Cells) -> ColumnFidelity:
    """Compare one column's histograms."""
    field = rows.field(name)
    p, q = distribution(real, name), distribution(synthetic, name)
    return ColumnFidelity(
        name=name,
        kind="category" if field.is_category else "number",
        labels=labels_of(field),
        edges=None if field.is_category else tuple(float(edge) for edge in edges_of(field)),
        edge_labels=None if field.is_category else edge_labels_of(field),
        real=tuple(p.tolist()),
        synthetic=tuple(q.tolist()),
        total_variation=total_variation(p, q),
        jensen_shannon=jensen_shannon(p, q),
        smoothed_kl=smoothed_kl(p, q),
    )


def _marginals(
    train: Rows,
    real: Cells,
    ours: Cells,
    *,
    target: str | None,
    effort: Effort,
    rng: np.random.Generator,
    steps: Steps,
) -> tuple[MarginalFidelity, ...]:
    floors = (
        cells_of(train.bootstrap(ours.rows, rng)),
        cells_of(uniform_rows(train.fields, ours.rows, rng)),
    )
    found = []
    for ways, limit in ((1, len(train.names)), (2, effort.pairs), (3, effort.triples)):
        with steps.step(f"{ways}-way marginals", stage="fidelity"):
            chosen = choose_marginals(train.names, ways, limit, rng)
            if chosen:
                found.append(marginal_fidelity(real, ours, chosen, target=target, bins=BINS, floors=floors))
    return tuple(found)


def _nist(train: Rows, synthetic: Rows, *, effort: Effort, rng: np.random.Generator) -> Score:
    """The NIST score with its own 100 cells a number column, over the public range."""
    triples = choose_marginals(train.names, 3, effort.triples, rng)
    if not triples:
        return Score(value=float("nan"), note="needs three columns")
    cells = [cells_of(rows, bins=NIST_BINS) for rows in (train, synthetic)]
    mean = marginal_fidelity(cells[0], cells[1], triples, target=None, bins=NIST_BINS).mean
    return Score(value=nist_score(mean), note=f"{len(triples)} triples, {NIST_BINS} bins")


def _association(
    train: Rows, synthetic: Rows, *, target: str | None, effort: Effort, rng: np.random.Generator
) -> Association | None:
    if len(train.names) < 2:
        return None
    names = _some_columns(train, target, effort.association_columns, rng)
    parts = [rows.only(names).sample(effort.association_rows, rng) for rows in (train, synthetic)]
    return compare_associations(parts[0], parts[1])


def _prediction(
    train: Rows,
    test: Rows,
    synthetic: Rows,
    *,
    target: str | None,
    settings: Settings,
    effort: Effort,
    rng: np.random.Generator,
    steps: Steps,
) -> tuple[DimensionPoint, ...]:
    binary = is_binary_table(train)
    names = _some_columns(train, target, effort.predicted_columns, rng) if len(train.names) > 1 else []
    parts = [rows.sample(effort.predicted_rows, rng) for rows in (train, test, synthetic)]
    points = []
    for name in names:
        with steps.step(f"predicting {name} from the other columns", stage="fidelity"):
            points.append(
                predict_dimension(name, parts[0], parts[1], parts[2], binary_table=binary, settings=settings)
            )
    return tuple(point for point in points if point is not None)


def _some_columns(rows: Rows, target: str | None, limit: int, rng: np.random.Generator) -> list[str]:
    """Return all columns, or `limit` of them at random, the target among them, in schema order."""
    if len(rows.names) <= limit:
        return list(rows.names)
    others = [name for name in rows.names if name != target]
    chosen = {others[place] for place in rng.choice(len(others), limit - (target is not None), replace=False)}
    return [name for name in rows.names if name in chosen or name == target]
