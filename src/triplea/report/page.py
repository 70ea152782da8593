"""The page around the content: head, style, navigation. One file, nothing fetched, no foreign script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from triplea.report.html import Child, Html, join, tag


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the page with its place in the navigation."""

    anchor: str
    title: str
    body: Html


def page(*, title: str, header: Child, sections: Sequence[Section], footer: Child) -> str:
    """Return the whole document.

    The content policy allows this style and this one script by its hash and nothing from any network, so
    that even markup that slipped through could not run or load anything.
    """
    style, script = asset("style.css"), asset("script.js")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(style, script)),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        tag("style", style),
    )
    links = [tag("li", tag("a", part.title, href=f"#{part.anchor}")) for part in sections]
    parts = [
        tag("section", tag("h2", part.title, id=f"{part.anchor}-title"), part.body,
            id=part.anchor, aria_labelledby=f"{part.anchor}-title")
        for part in sections
    ]  # fmt: skip
    body = tag(
        "body",
        tag("a", "Skip to the content", href="#content", class_="skip"),
        tag("header", header),
        tag(
            "div",
            tag("nav", tag("ul", links), aria_label="Sections"),
            tag("main", parts, id="content", tabindex=-1),
            class_="layout",
        ),
        tag("footer", footer),
        tag("script", script),
    )
    return join(Html("<!doctype html>\n"), tag("html", head, body, lang="en"), Html("\n"))


def policy(style: str, script: str) -> str:
    """Return the content policy for one style sheet and one script."""
    hashes = [
        f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
        for text in (style, script)
    ]
    return (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def asset(name: str) -> Html:
    """Read a file that ships with the package."""
    return Html(files("triplea.report").joinpath(name).read_text(encoding="utf-8"))
