"""The page of an audit: the verdict, the statistic on both tables, claimed and measured trade-offs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triplea.audit.pictures import histogram, histogram_legend, trade_off, trade_off_legend
from triplea.audit.verdicts import CONSISTENT, AuditReport, Bound, rounded_down
from triplea.report.html import Child, Html, join, table, tag
from triplea.report.numbers import count, fixed, share, short
from triplea.report.page import Section, page

KINDS = {"proved": "proved", "claimed": "claimed by a paper, not proved", "none": "none"}
WORDS = {
    "consistent": "✓ Consistent with the claim",
    "violated": "✗ Violated",
    "no claim": "✗ No claim",
}


def audit_page(found: AuditReport) -> str:
    """Return the page as HTML."""
    return page(
        title=f"Audit: {found.method} ({found.variant})",
        header=join(
            tag("p", "Privacy audit", class_="kicker"),
            tag("h1", f"{found.method}, {found.variant}"),
            tag("p", f"Attacked on two tables that differ by one row: {found.pair}.", class_="lead"),
        ),
        sections=tuple(_sections(found)),
        footer=tag(
            "p",
            "An audit gives lower bounds. That nothing was found is no proof; the proofs of the guarantees "
            "stand in the documentation.",
        ),
    )


def write_audit_page(found: AuditReport, path: Path) -> Path:
    """Write the page, and return where it lies."""
    path.write_text(audit_page(found), encoding="utf-8")
    return path


def _sections(found: AuditReport) -> Iterator[Section]:
    yield Section(anchor="verdict", title="Verdict", body=_verdict(found))
    if found.picture is not None:
        figures = tag(
            "div",
            tag("figure", histogram(found.picture), tag("figcaption", _caption(found))),
            tag("figure", trade_off(found), tag("figcaption", TRADE_OFF)),
            class_="panels pair",
        )
        body = join(histogram_legend(), figures, trade_off_legend())
        yield Section(anchor="curves", title="Statistic and trade-off", body=body)
    yield Section(anchor="bounds", title="Lower bounds", body=_bounds(found))
    if found.white_box is not None:
        yield Section(anchor="replay", title="Record and replay", body=_white_box(found))
    if found.one_run is not None:
        yield Section(anchor="one-run", title="One run", body=_one_run(found))
    yield Section(anchor="about", title="About", body=_about(found))


TRADE_OFF = (
    "Every attack is a point: how often it cries wolf on D, and how often it misses D'. The claim allows no "
    "point below its line. A curve moves by chance, so only a point that is surely below disproves the claim."
)


def _caption(found: AuditReport) -> str:
    best = found.best
    name = best.test if best is not None else "statistic"
    return f"Statistic: {name}. Runs right of the mark are taken for D', the others for D."


def _verdict(found: AuditReport) -> Html:
    good = found.status == CONSISTENT
    badge = tag("span", WORDS[found.status], class_=f"badge {'good' if good else 'bad'}")
    panel = tag(
        "div",
        tag("p", badge, " ", tag("strong", _capital(found.verdict) + "."), class_="sentence"),
        tag("p", _why(found)),
        class_=f"guarantee {'good' if good else 'bad'}",
    )
    return join(panel, tag("div", list(_cards(found)), class_="cards"))


def _why(found: AuditReport) -> str:
    text = f"The pair: {found.why}. "
    if found.status == CONSISTENT:
        text += "No attack did better than the claim allows."
    elif found.repeated:
        text += "The first alarm was checked with fresh runs, and they raised it again."
    return text


def _cards(found: AuditReport) -> Iterator[Html]:
    claim = found.claim
    words = f"At delta = {short(claim.delta)}, {KINDS[claim.kind]}. Neighbours: {claim.neighbours}."
    yield _card("Claimed", f"ε = {claim.epsilon:g}" if claim.kind != "none" else "nothing", words)
    level = f"At least that much, at {100 * found.confidence:g} % confidence."
    yield _card("Measured", f"ε ≥ {rounded_down(found.measured, 2)}", level)
    if found.tightness is not None and claim.mu is not None:
        words = f"Measured mu over the theoretical one, {fixed(claim.mu)}. All noise is Gaussian."
        yield _card("Tightness", share(found.tightness), words)
    yield _card("Runs", count(2 * found.runs), f"Half on each table, in {found.seconds:g} seconds.")


def _bounds(found: AuditReport) -> Html:
    rows = [
        (
            bound.test,
            f"≥ {rounded_down(bound.epsilon, 2)}",
            _mu(bound),
            f"{count(bound.alarms)} of {count(bound.runs)}",
            f"{count(bound.misses)} of {count(bound.runs)}",
            share(1.0 - bound.risk),
        )
        for bound in found.bounds
    ]
    headers = ("test", "epsilon", "mu", "false alarms on D", "misses on D'", "confidence")
    return join(
        tag("p", "Each test was fixed before the runs that it is judged by. ", _method_of(found.bounds)),
        table("What every test found", headers, rows, class_="scores"),
    )


def _mu(bound: Bound) -> str:
    if bound.mu is None:
        return ""
    return f"≥ {rounded_down(bound.mu, 3)} (estimate {fixed(bound.mu_estimate)})"


def _method_of(bounds: tuple[Bound, ...]) -> str:
    text = (
        "Error rates are bounded by Clopper and Pearson's exact intervals; the confidences together make up "
        "that of the verdict."
    )
    if any(bound.mu is not None for bound in bounds):
        text += (
            " The likelihood ratio is known where the door's answers are visible; its mu is turned into "
            "epsilon as for Gaussian noise."
        )
    return text


def _white_box(found: AuditReport) -> Html:
    replayed = found.white_box
    assert replayed is not None
    facts = (
        f"{replayed.pairs} pairs of tables were replayed with the same answers forced, {replayed.questions} "
        f"questions in all. The largest share of a priced bound that one row used: {share(replayed.used)}."
    )
    if replayed.ok:
        return tag("p", facts, " No question moved further than was paid for.")
    parts: list[Child] = [tag("p", facts), tag("ul", [tag("li", text) for text in replayed.findings])]
    if replayed.smallest is not None:
        parts.append(tag("p", "The smallest pair that still shows it (made-up rows):"))
        parts += [_rows(name, replayed.smallest) for name in ("first", "second")]
    return join(*parts)


def _rows(side: str, smallest: Mapping[str, Any]) -> Html:
    rows = smallest[side]
    names = list(rows[0]) if rows else ["no row"]
    return table(f"{side} table", names, [[str(row[name]) for name in names] for row in rows])


def _one_run(found: AuditReport) -> Html:
    once = found.one_run
    assert once is not None
    return tag(
        "p",
        f"One run with {count(once.canaries)} canaries, each in or out by a coin: {count(once.correct)} of "
        f"{count(once.guesses)} guesses were right, so epsilon ≥ {rounded_down(once.epsilon, 2)} "
        "(Steinke, Nasr and Jagielski 2023).",
    )


def _about(found: AuditReport) -> Html:
    settings = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
    rows = [
        ("settings of the method", settings or "defaults"),
        ("created", found.created),
        ("versions", ", ".join(f"{name} {version}" for name, version in found.versions.items())),
    ]
    return table("How these numbers came about", ("", ""), rows)


def _card(title: str, figure: str, words: str) -> Html:
    return tag("div", tag("h3", title), tag("p", figure, class_="figure"), tag("p", words), class_="card")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
