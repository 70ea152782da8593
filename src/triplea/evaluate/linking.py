"""Linkability and inference, in the manner of anonymeter: attacks by the nearest synthetic rows."""

from __future__ import annotations

import numpy as np

from triplea.evaluate.binning import cells_of
from triplea.evaluate.neighbours import nearest, points_of
from triplea.evaluate.proportions import attack_result
from triplea.evaluate.rows import Rows
from triplea.results import AttackResult


def linkability(
    train: Rows, held_out: Rows, synthetic: Rows, *, attacks: int, rng: np.random.Generator, count: int = 1
) -> AttackResult:
    """Two data holders know half of the columns each; can the synthetic table join their records?

    An attack succeeds when the `count` nearest synthetic rows by the one half and by the other half share a
    row. The baseline draws those rows at random.
    """
    halves = np.array_split(rng.permutation(len(train.names)), 2)
    names = [[train.names[place] for place in half] for half in halves]
    members, control = train.sample(attacks, rng), held_out.sample(attacks, rng)
    hits = [_links(part, synthetic, names, count) for part in (members, control)]
    guesses = rng.integers(0, max(len(synthetic), 1), (2, len(members), count))
    return attack_result(
        "linkability",
        "Linking two halves of a record",
        hits=int(hits[0].sum()),
        tries=len(members),
        baseline=(int(_shares_row(guesses[0], guesses[1]).sum()), len(members)),
        control=(int(hits[1].sum()), len(control)),
    )


def inference(
    column: str, train: Rows, held_out: Rows, synthetic: Rows, *, attacks: int, rng: np.random.Generator
) -> AttackResult:
    """An attacker who knows all other columns of a person guesses `column` from the nearest synthetic row.

    A guess is right when it falls in the right public cell (a category, or one of 20 bins). The baseline
    draws a value from the synthetic column at random.
    """
    members, control = train.sample(attacks, rng), held_out.sample(attacks, rng)
    answers = cells_of(synthetic.only([column])).codes[column]
    references = points_of(synthetic.without(column))

    def right(rows: Rows) -> int:
        found = nearest(points_of(rows.without(column)), references)[1][:, 0]
        return int((answers[found] == cells_of(rows.only([column])).codes[column]).sum())

    guesses = answers[rng.integers(0, len(answers), len(members))]
    lucky = int((guesses == cells_of(members.only([column])).codes[column]).sum())
    return attack_result(
        "inference",
        f"Inferring {column}",
        hits=right(members),
        tries=len(members),
        baseline=(lucky, len(members)),
        control=(right(control), len(control)),
        column=column,
    )


def _links(rows: Rows, synthetic: Rows, names: list[list[str]], count: int) -> np.ndarray:
    found = [
        nearest(points_of(rows.only(part)), points_of(synthetic.only(part)), count=count)[1] for part in names
    ]
    return _shares_row(found[0], found[1])


def _shares_row(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    result: np.ndarray = (first[:, :, None] == second[:, None, :]).any(axis=(1, 2))
    return result
