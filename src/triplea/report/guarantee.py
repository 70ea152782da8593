"""What a guarantee means, in words and in one picture."""

from __future__ import annotations

import math

from triplea.report import svg
from triplea.report.html import Html, join, tag
from triplea.report.numbers import fixed, short, times
from triplea.results import Guarantee
from triplea.results.release import CLAIMED, PROVED

ROWS = " The unit is one row: a person with several rows is protected less."
NO_CERTIFICATE = (
    "This table came without a certificate: nothing is known about a guarantee. Treat it like the real rows."
)


def best_guess(guarantee: Guarantee) -> float:
    """Return a bound on how often anyone can guess right whether a unit is in the table, at even odds.

    From (epsilon, delta): at most (e^epsilon + delta) / (1 + e^epsilon). Every point of the curve holds, so
    the smallest counts. Without a proof the bound is 1.
    """
    if guarantee.status != PROVED or guarantee.epsilon_proved is None:
        return 1.0
    points = [(guarantee.epsilon_proved, guarantee.delta), *((p[0], p[1]) for p in guarantee.curve)]
    return min(1.0, *(_right(epsilon, delta) for epsilon, delta in points))


def reading(guarantee: Guarantee) -> tuple[str, ...]:
    """Return the guarantee in plain sentences."""
    if guarantee.status == CLAIMED:
        return (
            "A paper claims this epsilon for the method. The claim is not proved, and it may be false: "
            "nothing should be promised to the people in the table.",
        )
    if guarantee.status != PROVED or guarantee.epsilon_proved is None:
        return (
            "The rows were read in the clear. There is no guarantee of any kind: "
            "treat this table like the real one.",
        )
    epsilon, delta = guarantee.epsilon_proved, guarantee.delta
    adding = guarantee.neighbours == "add-or-remove-one"
    change = "had not been in the real table" if adding else "had been exchanged for another"
    slack = "" if delta == 0 else f", apart from a slack of {short(delta)}"
    return (
        f"Anything that is concluded from this table is at most {times(math.exp(min(epsilon, 700.0)))} times "
        f"as likely as it would be if {guarantee.unit} {change}{slack}.",
        f"Somebody who knows everything else and guesses {_question(guarantee)} is right at most "
        f"{_of_hundred(best_guess(guarantee))} times in 100; tossing a coin is right 50 times.",
        "This holds against anyone, and for everything that is done with the table later. "
        + _strength(epsilon)
        + (ROWS if guarantee.unit == "one row" else ""),
    )


def panel(guarantee: Guarantee | None) -> Html:
    """Return the guarantee with its status, its meaning and a gauge."""
    if guarantee is None:
        return tag("div", badge(None), tag("p", NO_CERTIFICATE), class_="guarantee bad")
    sentences = [tag("p", sentence) for sentence in reading(guarantee)]
    reasons = [tag("li", reason) for reason in dict.fromkeys(guarantee.reasons)]
    return tag(
        "div",
        tag("p", badge(guarantee), " ", tag("strong", guarantee.sentence), class_="sentence"),
        tag("div", tag("div", sentences), gauge(guarantee), class_="beside"),
        join(tag("p", "Why it is not proved:"), tag("ul", reasons)) if reasons else None,
        class_="guarantee good" if guarantee.status == PROVED else "guarantee bad",
    )


def badge(guarantee: Guarantee | None) -> Html:
    """Return the status as a short label; the words carry it, the colour only helps."""
    status = "none" if guarantee is None else guarantee.status
    words = {PROVED: "✓ Proved", CLAIMED: "✗ Claimed, not proved"}.get(status, "✗ No guarantee")
    return tag("span", words, class_=f"badge {'good' if status == PROVED else 'bad'}")


def gauge(guarantee: Guarantee) -> Html:
    """Draw how far the best guess can get: from a coin to certainty."""
    bound, width = best_guess(guarantee), 300.0
    place = svg.linear(0.5, 1.0, 14, width - 14)
    label_x = min(max(place(bound), 60), width - 60)
    parts = [
        svg.text(label_x, 16, f"at most {_of_hundred(bound)} of 100", anchor="middle", class_="strong"),
        svg.rect(14, 26, width - 28, 12, "track", rx=6.0),
        svg.rect(14, 26, max(place(bound) - 14, 3), 12, "reach", rx=6.0),
        svg.line(place(bound), 21, place(bound), 43, "mark"),
        svg.text(14, 58, "50: a coin"),
        svg.text(width - 14, 58, "100: certain", anchor="end"),
    ]
    title = "How often the best possible guess is right"
    desc = f"At most {_of_hundred(bound)} times in 100; a coin is right 50 times in 100."
    figure = svg.picture(width, 64, parts, title=title, desc=desc)
    return tag("figure", figure, tag("figcaption", f"Best guess {_question(guarantee)}"), class_="gauge")


def warnings(guarantee: Guarantee) -> Html:
    """Return what limits the guarantee: warnings of the certificate, and notes."""
    return join(
        [
            tag("p", tag("strong", "Warning. "), text, class_="note warn", role="note")
            for text in guarantee.warnings
        ],
        [tag("p", text, class_="note") for text in guarantee.notes],
    )


def not_covered(guarantee: Guarantee) -> Html:
    """Return what the guarantee does not speak of."""
    return tag("ul", [tag("li", line) for line in guarantee.not_covered])


def _right(epsilon: float, delta: float) -> float:
    return (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon))


def _of_hundred(bound: float) -> str:
    """Rounded up: a bound must stay one."""
    return fixed(math.ceil(1000 * bound - 1e-9) / 10, 1).removesuffix(".0")


def _question(guarantee: Guarantee) -> str:
    what = "a given row" if guarantee.unit == "one row" else guarantee.unit
    if guarantee.neighbours == "add-or-remove-one":
        return f"whether {what} was in the real table"
    return f"which of two candidates for {what} was in the real table"


def _strength(epsilon: float) -> str:
    if epsilon <= 1:
        return "An epsilon of 1 or less is commonly called strong."
    if epsilon <= 5:
        return "An epsilon between 1 and 5 is commonly called moderate."
    if epsilon <= 10:
        return "An epsilon between 5 and 10 is commonly called weak."
    return "An epsilon above 10 promises little by itself."
