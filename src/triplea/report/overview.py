"""The top of the owner's report: what was released, what it is worth, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator

from triplea.report import guarantee as promise
from triplea.report.html import Child, Html, join, name_of, tag
from triplea.report.numbers import count, fixed, share, short
from triplea.report.risk import worst_membership
from triplea.report.utility import TITLES, best_pair, kept_share
from triplea.results import Evaluation
from triplea.results.release import PROVED

FINE = (
    "None of the checks found anything: vanished classes, constant columns, utility at the floor, "
    "copied rows, members who can be told from others."
)
PRIVATE = "This page was computed from real rows: do not publish it."


def header(found: Evaluation) -> Html:
    """Return the title with the one sentence that nobody may miss."""
    name = found.release.name if found.release is not None and found.release.name else found.source
    return join(
        tag(
            "p",
            tag("strong", PRIVATE),
            " It is for the owner of the data. A guarantee covers the synthetic table, never this page.",
            class_="private",
            role="note",
        ),
        tag("p", "Owner's report", class_="kicker"),
        tag("h1", name_of(name)),
        tag("p", _what(found), class_="lead"),
    )


def summary(found: Evaluation) -> Html:
    """Return the guarantee in words, and four numbers."""
    guarantee = None if found.release is None else found.release.guarantee
    return join(
        promise.panel(guarantee),
        tag("div", list(_cards(found)), class_="cards"),
        promise.warnings(guarantee) if guarantee is not None else None,
    )


def warnings_section(found: Evaluation) -> Html:
    """Return what is wrong, then what is only worth knowing."""
    loud = [note for note in found.notes if note.level == "warning"]
    quiet = [note for note in found.notes if note.level != "warning"]

    def listed(notes: list[Child], style: str) -> Html:
        return tag("ul", [tag("li", words, class_=style) for words in notes], class_="plain")

    def words(column: str | None, text: str) -> Html:
        return join(tag("strong", name_of(column), ": ") if column else None, text[:1].upper() + text[1:])

    return join(
        listed([join("⚠ ", words(note.column, note.text)) for note in loud], "note warn")
        if loud
        else tag("p", FINE),
        tag(
            "details",
            tag("summary", f"{len(quiet)} smaller remark(s)"),
            listed([words(note.column, note.text) for note in quiet], "note"),
        )
        if quiet
        else None,
    )


def _what(found: Evaluation) -> Html:
    rows = {name: count(number) for name, number in found.rows.items()}
    made = found.release
    method = f", made by {made.method} ({made.variant})" if made is not None else ""
    return join(
        f"{rows['synthetic']} synthetic rows with {len(found.columns)} columns{method}, from "
        f"{rows['train']} real rows; compared with them and with {rows['test']} real rows held out."
    )


def _cards(found: Evaluation) -> Iterator[Html]:
    guarantee = None if found.release is None else found.release.guarantee
    if guarantee is None:
        yield _card("Guarantee", "none known", "The table has no certificate.")
    elif guarantee.status == PROVED:
        words = f"Proved, delta = {short(guarantee.delta)}. Smaller protects more."
        yield _card("Guarantee", f"ε = {short(guarantee.epsilon_proved)}", words)
    else:
        yield _card("Guarantee", "none proved", f"Status: {guarantee.status}. Proved epsilon is infinite.")
    if found.utility is not None:
        ours, real = best_pair(found.utility)
        kept = kept_share(found.utility)
        name = TITLES.get(found.utility.headline, found.utility.headline)
        words = f"{name} of LightGBM; {fixed(real)} with real rows."
        yield _card(
            "Utility", fixed(ours), words + ("" if kept is None else f" Keeps {share(kept)} of the gain.")
        )
    one_way = next((record for record in found.fidelity.marginals if record.ways == 1), None)
    if one_way is not None:
        words = f"Mean distance of single columns; {fixed(one_way.floor)} for a real sample, 0 is best."
        yield _card("Fidelity", fixed(one_way.mean), words)
    attack = worst_membership(found.risk) if found.risk is not None else None
    if attack is not None:
        words = "AUC of the best membership attack that was tried; 0.5 is a coin."
        yield _card("Risk", fixed(attack.auc.value), words)


def _card(title: str, figure: str, words: str) -> Html:
    return tag("div", tag("h3", title), tag("p", figure, class_="figure"), tag("p", words), class_="card")
