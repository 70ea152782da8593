"""Building HTML and SVG so that escaping is the rule: text is escaped, only `Html` passes as it is.

Column names and categories come from strangers. Nothing here has a way to write them unescaped by accident.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import TypeAlias

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_VOID = frozenset({"meta", "input", "br", "img", "col"})


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


Child: TypeAlias = "Html | str | int | Iterable[Child] | None"
Attribute: TypeAlias = "str | int | float | bool | None"


def escape(text: str) -> Html:
    """Return the text with nothing in it that a browser would read as markup, and no control characters.

    >>> escape("<b>&'")
    '&lt;b&gt;&amp;&#x27;'
    """
    return Html(html.escape(_UNPRINTABLE.sub("\ufffd", text), quote=True))


def join(*children: Child) -> Html:
    """Return the children one after the other; plain text is escaped, None is nothing."""
    return Html("".join(_pieces(children)))


def tag(element: str, /, *children: Child, **attributes: Attribute) -> Html:
    """Return one element. In an attribute's name, "_" stands for a hyphen; a trailing one is dropped.

    >>> tag("p", "a < b", class_="note", aria_label="x", hidden=True, id=None)
    '<p class="note" aria-label="x" hidden>a &lt; b</p>'
    """
    opening = f"<{element}{''.join(_attributes(attributes))}>"
    return Html(opening) if element in _VOID else Html(f"{opening}{join(*children)}</{element}>")


def name_of(text: str) -> Html:
    """Return a stranger's name, kept from turning the direction of the text around it."""
    return tag("bdi", text)


def table(
    caption: Child, headers: Iterable[Child], rows: Iterable[Iterable[Child]], *, class_: str | None = None
) -> Html:
    """Return a table that scrolls by itself if it is wide; the first cell of a row is its heading."""
    head = tag("tr", [tag("th", header, scope="col") for header in headers])
    body = []
    for row in rows:
        first, *rest = row
        body.append(tag("tr", tag("th", first, scope="row"), [tag("td", cell) for cell in rest]))
    inner = tag(
        "table", tag("caption", tag("span", caption)), tag("thead", head), tag("tbody", body), class_=class_
    )
    # Focusable, so that the keyboard can scroll it.
    return tag("div", inner, class_="scroll", tabindex=0, role="region", aria_label="table, scrolls sideways")


def _pieces(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            yield child
        elif isinstance(child, str):
            yield escape(child)
        elif isinstance(child, int):
            yield str(child)
        else:
            yield from _pieces(child)


def _attributes(attributes: dict[str, Attribute]) -> Iterable[str]:
    for key, value in attributes.items():
        name = key.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield f" {name}"
        else:
            written = f"{value:.4g}" if isinstance(value, float) else str(value)
            yield f' {name}="{escape(written)}"'
