"""Put the sections of the site in reading order; folders that are not named here come last."""

from __future__ import annotations

from typing import Any

ORDER = ("home", "guide", "methods", "proofs", "decisions", "results")


def on_nav(nav: Any, **_: Any) -> Any:
    """Sort the top level of the navigation."""
    nav.items.sort(key=_place)
    return nav


def _place(item: Any) -> tuple[int, str]:
    title = "home" if item.is_page and item.is_homepage else str(item.title or "").lower()
    return (ORDER.index(title) if title in ORDER else len(ORDER), title)
