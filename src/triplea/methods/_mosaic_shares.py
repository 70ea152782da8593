"""What mosaic asks about a mixed table, and each question's share: from the schema and the budget alone.

Private, Door: nothing.   Public: the rules by which a plan is made.
"""

from __future__ import annotations

from triplea.anonymize.budget import Budget
from triplea.approximate.codes.leaf_cells import leaves_of
from triplea.schema import Column, Schema

LEAVES, MARGINS, PAIRS = "leaves of columns", "counts by label", "counts of pairs"
MISSES, CROSSED = "what the teacher misses", "what the teacher misses by pairs"
SHARES = {LEAVES: 0.10, MARGINS: 0.20, PAIRS: 0.40, MISSES: 0.15, CROSSED: 0.15}
UNLABELLED = {LEAVES: 0.10, MARGINS: 0.50, PAIRS: 0.40}
# Without a delta noise grows with the number of counts, not with its root, and a budget cut in pieces buys
# less than in one: so fewer questions, the fewer the louder the noise. From an epsilon on (a question's own
# epsilon goes by the root of its share):
PURE = (
    (6.0, {LEAVES: 0.15, MARGINS: 0.40, PAIRS: 0.30, MISSES: 0.15}),
    (2.0, {LEAVES: 0.20, MARGINS: 0.50, PAIRS: 0.30}),
    (0.0, {LEAVES: 0.25, MARGINS: 0.75}),
)
LOOKS = (2, 3)  # how often the teacher is corrected: where noise is loud, and where it is not
QUIET = 4.0  # from this epsilon on, a third of what is spent on looks still shows more than noise
FREE_CELLS = 20  # columns of at most this many values keep them all, at no cost


def planned(schema: Schema, budget: Budget) -> dict[str, float]:
    """The questions and their shares: leaves and pairs where there are any, looks where there is a label."""
    names = schema.features
    taught = schema.target is not None and len(names) > 0
    shares = SHARES if taught else UNLABELLED
    if budget.delta == 0:
        shares = next(found for least, found in PURE if budget.epsilon >= least)
    asked = set(SHARES if taught else UNLABELLED)
    asked -= set() if needy(schema) else {LEAVES}
    asked -= {PAIRS, CROSSED} if len(names) < 2 else set()
    return {label: share for label, share in shares.items() if label in asked}


def looks(schema: Schema, budget: Budget) -> tuple[str, ...]:
    """The questions about what the teacher misses by feature: each look repairs what the last one left."""
    few, many = LOOKS
    times = many if budget.epsilon >= QUIET else few
    return (MISSES,) * (times if MISSES in planned(schema, budget) else 0)


def last_look(schema: Schema, budget: Budget) -> tuple[str, ...]:
    """The question about what it misses by pairs, if any is planned."""
    return (CROSSED,) if CROSSED in planned(schema, budget) else ()


def needy(schema: Schema) -> bool:
    """Whether any column has too many values to keep them all."""
    return any(leaves_of(column).cells > FREE_CELLS for column in schema.columns)


def is_stretched(column: Column) -> bool:
    """Whether a column's cells are stretches of numbers or times, instead of listed values or few numbers."""
    return not column.is_discrete and leaves_of(column).cells > FREE_CELLS
