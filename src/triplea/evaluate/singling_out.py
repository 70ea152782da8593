"""Singling out: predicates learnt from the synthetic table that fit exactly one real person.

In the manner of anonymeter: an attack counts when its predicate fits exactly one training row; the control is
the same predicate on equally many held-out rows; the baseline guesses predicates from the schema alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from triplea.evaluate.proportions import attack_result
from triplea.evaluate.rows import Field, Rows
from triplea.results import AttackResult

_TRIES_PER_ATTACK = 50


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One condition: the column equals a value, is missing, is at least or is at most a value."""

    column: str
    operator: str
    value: float = 0.0

    def fits(self, rows: Rows) -> np.ndarray:
        """Return a mask of the rows that meet the condition."""
        found = rows[self.column]
        with np.errstate(invalid="ignore"):
            if self.operator == "missing":
                return rows.missing(self.column)
            compare = {"==": np.equal, ">=": np.greater_equal, "<=": np.less_equal}[self.operator]
            mask: np.ndarray = compare(found, self.value)
            return mask


Predicate = tuple[Clause, ...]


def fits_one(predicate: Predicate, rows: Rows) -> bool:
    """Whether exactly one row meets all conditions."""
    mask = predicate[0].fits(rows)
    for clause in predicate[1:]:
        if not mask.any():
            return False
        mask = mask & clause.fits(rows)
    return int(mask.sum()) == 1


def univariate_predicates(synthetic: Rows) -> list[Predicate]:
    """Return every predicate on one column that fits one synthetic row: rare values and extreme numbers."""
    found: list[Predicate] = []
    for field in synthetic.fields:
        values = synthetic[field.name]
        present = values[~synthetic.missing(field.name)]
        if len(values) - len(present) == 1:
            found.append((Clause(column=field.name, operator="missing"),))
        if field.levels is None and present.size:
            found.append((Clause(column=field.name, operator=">=", value=float(present.max())),))
            found.append((Clause(column=field.name, operator="<=", value=float(present.min())),))
        unique, counts = np.unique(present, return_counts=True)
        found += [(Clause(column=field.name, operator="==", value=float(v)),) for v in unique[counts == 1]]
    return [predicate for predicate in found if fits_one(predicate, synthetic)]


def multivariate_predicates(
    synthetic: Rows, *, wanted: int, columns: int, rng: np.random.Generator
) -> list[Predicate]:
    """Return predicates on `columns` columns of a random synthetic row that fit that row alone.

    Numbers are compared outwards from the synthetic median, so that a clause cuts off the thin side.
    """
    medians = {
        field.name: float(np.nanmedian(values)) if np.isfinite(values).any() else 0.0
        for field in synthetic.fields
        if field.levels is None
        for values in (synthetic[field.name],)
    }
    found: set[Predicate] = set()
    for _ in range(wanted * _TRIES_PER_ATTACK):
        if len(found) >= wanted or not len(synthetic):
            break
        row = int(rng.integers(len(synthetic)))
        chosen = rng.choice(len(synthetic.fields), min(columns, len(synthetic.fields)), replace=False)
        predicate = tuple(_clause(synthetic, int(place), row, medians) for place in np.sort(chosen))
        if fits_one(predicate, synthetic):
            found.add(predicate)
    return sorted(found, key=repr)


def random_predicates(
    fields: tuple[Field, ...], *, wanted: int, columns: int, rng: np.random.Generator
) -> list[Predicate]:
    """Return predicates that know the schema only."""
    found = []
    for _ in range(wanted):
        chosen = rng.choice(len(fields), min(columns, len(fields)), replace=False)
        found.append(tuple(_random_clause(fields[int(place)], rng) for place in chosen))
    return found


def singling_out(
    train: Rows, held_out: Rows, synthetic: Rows, *, attacks: int, columns: int, rng: np.random.Generator
) -> AttackResult:
    """Attack with predicates on `columns` columns; 1 column takes all rare values, in random order."""
    # Whether one row fits depends on how many rows there are: all three tables get the same number.
    size = min(len(train), len(held_out), len(synthetic))
    members, control, synthetic = (rows.sample(size, rng) for rows in (train, held_out, synthetic))
    predicates: list[Predicate]
    if columns == 1:
        predicates = univariate_predicates(synthetic)
        predicates = [predicates[place] for place in rng.permutation(len(predicates))[:attacks]]
    else:
        predicates = multivariate_predicates(synthetic, wanted=attacks, columns=columns, rng=rng)
    guesses = random_predicates(train.fields, wanted=len(predicates), columns=columns, rng=rng)
    kind = "univariate" if columns == 1 else "multivariate"
    return attack_result(
        f"singling_out_{kind}",
        f"Singling out, {'one column' if columns == 1 else f'{columns} columns'}",
        hits=_hits(predicates, members),
        tries=len(predicates),
        baseline=(_hits(guesses, members), len(guesses)),
        control=(_hits(predicates, control), len(predicates)),
    )


def _hits(predicates: list[Predicate], rows: Rows) -> int:
    return sum(fits_one(predicate, rows) for predicate in predicates)


def _clause(rows: Rows, place: int, row: int, medians: dict[str, float]) -> Clause:
    field = rows.fields[place]
    value = float(rows[field.name][row])
    if bool(rows.missing(field.name)[row]):
        return Clause(column=field.name, operator="missing")
    if field.levels is not None:
        return Clause(column=field.name, operator="==", value=value)
    return Clause(column=field.name, operator=">=" if value > medians[field.name] else "<=", value=value)


def _random_clause(field: Field, rng: np.random.Generator) -> Clause:
    if field.levels is not None:
        return Clause(column=field.name, operator="==", value=float(rng.integers(max(len(field.levels), 1))))
    value = float(rng.uniform(field.lower, field.upper))
    operator = ("==", ">=", "<=")[int(rng.integers(3))]
    return Clause(column=field.name, operator=operator, value=round(value) if field.whole else value)
