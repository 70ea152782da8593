"""Records of risk: what simple attacks achieved. Empirical: an attack that fails proves nothing."""

from __future__ import annotations

from dataclasses import dataclass

from triplea.results.scores import Score

CAVEAT = (
    "Measured by a few attacks on this one table; it is no guarantee. The certificate holds the guarantee."
)


@dataclass(frozen=True, kw_only=True)
class ClosestRecord:
    """Distance of synthetic rows to the closest training row, against equally many held-out rows.

    A table that copies nobody is closer to training rows half of the time. Distances are quantiles at
    `levels`.
    """

    rows: int
    reference_rows: int
    closer_to_train: Score
    levels: tuple[float, ...]
    to_train: tuple[float, ...]
    to_held_out: tuple[float, ...]
    copies_of_train: Score
    copies_of_held_out: Score


@dataclass(frozen=True, kw_only=True)
class Identifiability:
    """ADS-GAN: share of training rows with a synthetic row nearer than their nearest other real row.

    `matched` uses as many synthetic rows as there are held-out rows, `control` those held-out rows instead.
    """

    rows: int
    value: Score
    matched: Score
    control: Score


@dataclass(frozen=True, kw_only=True)
class AttackResult:
    """One attack: success on training rows, of a random guess, and on held-out rows (the control).

    `risk` is (attack - control) / (1 - control), clipped at 0: what the training rows lose beyond what the
    table tells about anyone. A value of 1 means that every training row that could be attacked was.
    """

    attack: str
    title: str
    attacks: int
    rate: Score
    baseline: Score
    control: Score
    risk: Score
    column: str | None = None
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class MembershipAttack:
    """Telling training rows from held-out rows: AUC (.5 is a coin), and hits at 1 % false alarms."""

    attack: str
    title: str
    members: int
    non_members: int
    auc: Score
    true_positives_at_one_percent: float


@dataclass(frozen=True, kw_only=True)
class Risk:
    """All attacks on one synthetic table."""

    caveat: str = CAVEAT
    closest: ClosestRecord | None
    identifiability: Identifiability | None
    attacks: tuple[AttackResult, ...]
    membership: tuple[MembershipAttack, ...]
