"""What a reader should be warned about, found in the rows and in the results."""

from __future__ import annotations

import math

import numpy as np

from triplea.evaluate.overlap import overlap
from triplea.evaluate.rows import Rows
from triplea.results import Note, Risk, Utility

_HARDLY_ABOVE = 0.02
_FAR_ABOVE = 0.05


def find_notes(
    train: Rows, test: Rows, synthetic: Rows, utility: Utility | None, risk: Risk | None
) -> tuple[Note, ...]:
    """Return warnings on the test rows, on columns, on utility, then on risk."""
    columns = [note for name in train.names for note in _column(name, train, synthetic)]
    return (
        *_held_out(train, test),
        *columns,
        *(_utility(utility) if utility else ()),
        *(_risk(risk) if risk else ()),
    )


def _held_out(train: Rows, test: Rows) -> list[Note]:
    shared, usual = overlap(train, test)
    if shared - usual <= _FAR_ABOVE:
        return []
    text = (
        f"{_percent(shared)} of the test rows equal a training row, {_percent(usual)} of the training rows "
        "equal another: test rows were not held out, and scores on them are too good"
    )
    return [Note(code="test-in-train", text=text)]


def _column(name: str, train: Rows, synthetic: Rows) -> list[Note]:
    real, ours = train[name][~train.missing(name)], synthetic[name][~synthetic.missing(name)]
    kinds = len(np.unique(real)), len(np.unique(ours))
    if kinds[0] < 2:
        return [Note(code="constant-real", text="the real column is constant", level="info", column=name)]
    if kinds[1] < 2:
        return [Note(code="constant-column", text="the synthetic column is constant", column=name)]
    levels = train.field(name).levels
    if levels is None:
        return []
    lost = sorted(set(np.unique(real).tolist()) - set(np.unique(ours).tolist()))
    if not lost:
        return []
    share = float(np.isin(real, lost).mean())
    text = f"{len(lost)} of {kinds[0]} categories, {_percent(share)} of the real rows, have no synthetic row"
    return [Note(code="levels-vanished", text=text, level="info" if share < 0.01 else "warning", column=name)]


def _utility(utility: Utility) -> list[Note]:
    headline = utility.headline
    ours, floor = utility.score("lightgbm"), utility.score("no_information", "nothing")
    if math.isnan(ours) or ours > floor + _HARDLY_ABOVE:
        return []
    text = (
        f"LightGBM trained on the synthetic rows scores {headline} {ours:.3f}, no better than no information"
    )
    return [Note(code="utility-at-floor", text=text, column=utility.target)]


def _risk(risk: Risk) -> list[Note]:
    notes = []
    closest = risk.closest
    if closest is not None and (closest.copies_of_train.low or 0.0) > (
        closest.copies_of_held_out.high or 1.0
    ):
        text = (
            f"{_percent(closest.copies_of_train.value)} of the synthetic rows equal a training row, "
            f"{_percent(closest.copies_of_held_out.value)} equal a held-out row: rows were copied"
        )
        notes.append(Note(code="copies", text=text))
    for attack in risk.membership:
        if (attack.auc.low or 0.0) > 0.5 + _HARDLY_ABOVE:
            text = f"members can be told from others ({attack.title.lower()}): AUC {attack.auc.value:.3f}"
            notes.append(Note(code="membership", text=text))
    return notes


def _percent(share: float) -> str:
    return f"{100 * share:.3g}\u00a0%"
