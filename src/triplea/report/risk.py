"""What simple attacks got out of the table."""

from __future__ import annotations

from triplea.report.dots import Dot, dot_legend, dot_picture
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.numbers import count, fixed, interval, share
from triplea.results import ClosestRecord, Identifiability, MembershipAttack, Risk, Score

_LEGEND = (
    ("synthetic", "success on people in the table"),
    ("real", "on people who are not (control)"),
    ("floor", "random guess"),
)


def risk_section(risk: Risk) -> Html:
    """Return attacks as a picture, then the numbers."""
    return join(
        tag("p", tag("strong", "No guarantee. "), risk.caveat, class_="note"),
        tag(
            "p",
            "An attack tells something about the people in the table only where it does better on them than "
            "on people who are not in it.",
        ),
        _attacks(risk) if risk.attacks else None,
        _membership(risk.membership) if risk.membership else None,
        _closest(risk.closest) if risk.closest is not None else None,
        _identifiability(risk.identifiability) if risk.identifiability is not None else None,
    )


def worst_membership(risk: Risk) -> MembershipAttack | None:
    """Return the membership attack with the highest AUC."""
    return max(risk.membership, key=lambda attack: attack.auc.value, default=None)


def _attacks(risk: Risk) -> Html:
    rows = [
        (
            attack.title,
            (
                Dot(mark="floor", score=attack.baseline, name="random guess"),
                Dot(mark="real", score=attack.control, name="control"),
                Dot(mark="synthetic", score=attack.rate, name="people in the table"),
            ),
        )
        for attack in risk.attacks
    ]
    cells = [
        (name_of(attack.title), count(attack.attacks), *(_cell(score) for score in
         (attack.rate, attack.control, attack.baseline, attack.risk)))
        for attack in risk.attacks
    ]  # fmt: skip
    headers = ("attack", "tries", "in the table", "control", "random guess", "risk")
    return join(
        tag("h3", "Singling out, linking, inferring"),
        dot_legend(_LEGEND),
        tag("figure", dot_picture(rows, title="Success of attacks", axis="success rate", low=0.0, high=1.0)),
        tag(
            "details", tag("summary", "Numbers"), table("Success of attacks", headers, cells, class_="scores")
        ),
    )


def _membership(attacks: tuple[MembershipAttack, ...]) -> Html:
    rows = [
        (
            attack.title,
            (
                Dot(mark="floor", score=Score(value=0.5), name="a coin"),
                Dot(mark="synthetic", score=attack.auc, name="AUC"),
            ),
        )
        for attack in attacks
    ]
    worst = max(attack.true_positives_at_one_percent for attack in attacks)
    return join(
        tag("h3", "Who was in the table?"),
        tag(
            "p",
            "Telling training rows from others by their distance to the synthetic ones: an AUC of 0.5 (the "
            f"stroke) is a coin. At 1 % false alarms, at most {share(worst)} of the members are found.",
        ),
        tag("figure", dot_picture(rows, title="Membership attacks", axis="AUC", low=0.3, high=1.0)),
    )


def _closest(closest: ClosestRecord) -> Html:
    rows = [
        (share(level), fixed(train), fixed(other))
        for level, train, other in zip(closest.levels, closest.to_train, closest.to_held_out, strict=True)
    ]
    return join(
        tag("h3", "Distance to the closest record"),
        tag(
            "p",
            f"{share(closest.closer_to_train.value)} of the synthetic rows are closer to a training row than "
            f"to any of {count(closest.reference_rows)} held-out rows; 50 % is ideal. "
            f"{share(closest.copies_of_train.value)} equal a training row, "
            f"{share(closest.copies_of_held_out.value)} a held-out row.",
        ),
        table("Quantiles of the distance", ("share of rows", "to training rows", "to held-out rows"), rows),
    )


def _identifiability(found: Identifiability) -> Html:
    return join(
        tag("h3", "Identifiability"),
        tag(
            "p",
            f"{share(found.value.value)} of the training rows have a synthetic row nearer than their nearest "
            f"other real row (ADS-GAN's measure). With as many synthetic rows as held-out ones: "
            f"{share(found.matched.value)}; with those held-out rows in their place: "
            f"{share(found.control.value)}.",
        ),
    )


def _cell(score: Score) -> Html:
    return join(fixed(score.value), tag("small", interval(score)))
