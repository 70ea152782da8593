"""Released counts by label, and mixtures that are read off them, class by class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from triplea.approximate.codes.dyadic import to_simplex
from triplea.approximate.codes.leaf_cells import LeafCells
from triplea.approximate.mixtures.denoise import class_tables, combine_totals
from triplea.approximate.mixtures.product_mixture import normalised
from triplea.approximate.mixtures.taught_mixture import TaughtMixture
from triplea.approximate.mixtures.tilt import tilted
from triplea.schema import Schema

RARE = 0.01  # a class with a smaller share of the rows has components of its own,
RARE_TOGETHER = 0.1  # unless such classes are a larger part of the table than this


@dataclass(frozen=True, kw_only=True)
class Margins:
    """Released counts by label: rows, shares of the classes, and each feature's noisy table.

    `stretches` says that the classes are stretches of one number, each much like its neighbours.
    """

    rows: float
    shares: np.ndarray
    noisy: Mapping[str, np.ndarray]
    stddev: float
    stretches: bool = False

    @classmethod
    def of(cls, noisy: Mapping[str, np.ndarray], stddev: float, *, stretches: bool = False) -> Margins:
        """Estimate rows and classes from all tables together."""
        turned = [table.T for table in noisy.values()]
        classes = combine_totals(turned, [stddev] * len(turned))
        rows = float(max(classes.sum(), 10.0))
        shares = to_simplex(classes, rows) / rows
        return cls(rows=rows, shares=shares, noisy=noisy, stddev=stddev, stretches=stretches)

    def averaged(self, other: Margins) -> Margins:
        """Combine two measurements of the same counts by their variances."""
        trust = other.stddev**2 / (self.stddev**2 + other.stddev**2)
        both = {name: trust * table + (1.0 - trust) * other.noisy[name] for name, table in self.noisy.items()}
        return Margins.of(both, float(np.sqrt(trust) * self.stddev), stretches=self.stretches)

    def by_class(self) -> dict[str, np.ndarray]:
        """Each feature's counts, a line for every class, with noise taken out."""
        totals = self.shares * self.rows
        return {name: class_tables(table.T, totals, self.stddev) for name, table in self.noisy.items()}

    @property
    def rare(self) -> np.ndarray:
        """Classes too small to show in pairs; none if many rows together, or like their neighbours."""
        if self.stretches:
            return np.array([], dtype=int)
        rare = np.flatnonzero(self.shares < RARE)
        return rare if self.shares[rare].sum() <= RARE_TOGETHER else rare[:0]

    def masses(self, name: str) -> np.ndarray:
        """Non-negative counts of a feature's cells that add up to the number of rows."""
        table = self.noisy[name]
        return np.asarray(to_simplex(table.ravel(), self.rows).reshape(table.shape).sum(axis=1))


def mixture_by_class(margins: Margins, cells: Mapping[str, LeafCells], schema: Schema) -> TaughtMixture:
    """A component per class, columns independent within it: all that few rows can tell."""
    tables = margins.by_class()
    if schema.target is not None:
        tables[schema.target] = np.eye(len(margins.shares))
    ordered = {name: tables[name] for name in schema.names}
    return TaughtMixture(
        names=schema.names,
        cells=cells,
        weights=np.maximum(margins.shares * margins.rows, 1e-9),
        tables=ordered,
    )


def with_rare_classes(model: TaughtMixture, margins: Margins) -> TaughtMixture:
    """Give every rare class components of its own; the teacher falls silent about it.

    Rows that are so few hardly show in pairs, so the mixture draws too few rows like them, and a teacher can
    only give their label to rows unlike them. Their components are the mixture's, bent to the class's counts.
    """
    rare = margins.rare
    if model.teacher is None or not len(rare):
        return model
    shares, counts = margins.shares[rare], margins.by_class()
    wanted = [normalised(counts[name][rare]) for name in model.tables]
    weights, owners = [model.weights * (1.0 - shares.sum())], [model.owners]
    tables = {name: [table] for name, table in model.tables.items()}
    bent = tilted(model.weights, list(model.tables.values()), wanted)
    for number, share, (own, parts) in zip(rare, shares, bent, strict=True):
        weights.append(share * own)
        owners.append(np.full(len(own), number))
        for known, part in zip(tables.values(), parts, strict=True):
            known.append(part)
    return TaughtMixture(
        names=model.names,
        cells=model.cells,
        weights=np.concatenate(weights),
        tables={name: np.concatenate(parts) for name, parts in tables.items()},
        label=model.label,
        teacher=model.teacher.without(rare),
        owners=np.concatenate(owners),
    )
