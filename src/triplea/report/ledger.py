"""The budget as a picture: what was paid for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from triplea.report import svg
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.numbers import NOTHING, count, share, short
from triplea.results import Guarantee, PaidQuestion

_WIDTH, _ROW = 340.0, 40.0
_MOST = 30


def budget_picture(guarantee: Guarantee) -> Html:
    """Draw one bar per question, as long as its share of the budget."""
    shown = sorted(_told_apart(guarantee.questions), key=lambda question: -(question.share or 0.0))[:_MOST]
    parts = [_bar(position, question) for position, question in enumerate(shown)]
    title = f"Budget of {len(guarantee.questions)} question(s)"
    desc = "; ".join(f"{question.label}: {_price(question)}" for question in shown)
    return svg.picture(_WIDTH, _ROW * len(shown) + 4, parts, title=title, desc=desc, class_="wide")


def ledger_table(guarantee: Guarantee) -> Html:
    """List every question with its mechanism, noise and proof."""
    rows = [
        (
            name_of(question.label),
            _price(question),
            question.mechanism + (f" \u00d7 {count(question.times)}" if question.times > 1 else ""),
            NOTHING if question.numbers is None else count(question.numbers),
            _noise(question),
            NOTHING if question.sensitivity is None else f"{short(question.sensitivity)} ({question.norm})",
            tag("code", question.proof),
        )
        for question in _told_apart(guarantee.questions)
    ]
    headers = (
        "question", "share of budget", "mechanism", "numbers", "noise (standard deviation)",
        "sensitivity", "proof",
    )  # fmt: skip
    return table("Every question that was asked about the rows", headers, rows)


def ledger(guarantee: Guarantee) -> Html:
    """Return the picture, and the table behind it."""
    scale = (
        "Shares are of μ², the scale on which the price of Gaussian noise adds up; for other mechanisms they "
        "are close, not exact. The total in the certificate is exact."
    )
    more = len(guarantee.questions) - _MOST
    return join(
        tag("figure", budget_picture(guarantee), tag("figcaption", scale)),
        tag("p", f"{more} smaller questions are in the table only.") if more > 0 else None,
        tag("details", tag("summary", "All questions, with noise and proofs"), ledger_table(guarantee)),
    )


def _told_apart(questions: Sequence[PaidQuestion]) -> list[PaidQuestion]:
    """Number the questions that were asked more than once under one name."""
    total = Counter(question.label for question in questions)
    asked: Counter[str] = Counter()
    named = []
    for question in questions:
        asked[question.label] += 1
        place = f" ({asked[question.label]} of {total[question.label]})" if total[question.label] > 1 else ""
        named.append(replace(question, label=question.label + place))
    return named


def _bar(position: int, question: PaidQuestion) -> Html:
    top = position * _ROW
    long = (question.share if question.share is not None else 1.0) * _WIDTH
    style = "paid" if question.share is not None else "unpriced"
    tip = f"{question.label}: {_price(question)}"
    return tag(
        "g",
        svg.text(0, top + 14, svg.clipped(question.label, _WIDTH - 80)),
        svg.text(_WIDTH, top + 14, _price(question), anchor="end", class_="strong"),
        svg.rect(0, top + 20, _WIDTH, 10, "track", rx=3.0),
        svg.rect(0, top + 20, max(long, 2), 10, style, tip=tip, rx=3.0),
    )


def _price(question: PaidQuestion) -> str:
    return "not proved" if question.share is None else share(question.share)


def _noise(question: PaidQuestion) -> str:
    low, high = question.noise_from, question.noise_to
    if low is None:
        return NOTHING
    return short(low) if high is None or high == low else f"{short(low)} to {short(high)}"
