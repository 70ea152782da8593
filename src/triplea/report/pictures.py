"""Rows that are images: a few of every class, real beside synthetic."""

from __future__ import annotations

from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.png import strip
from triplea.results import ImageSamples


def images_section(images: ImageSamples) -> Html:
    """Return one line of pictures per class."""
    rows = [
        (
            name_of(name or "all rows"),
            _pictures(images, real, f"real rows of class {name}"),
            _pictures(images, ours, f"synthetic rows of class {name}"),
        )
        for name, real, ours in zip(images.classes, images.real, images.synthetic, strict=True)
    ]
    words = 'Drawn at random. What stands under "real" are real rows: never publish them.'
    return join(
        tag("p", words),
        table("Samples of every class", ("class", "real", "synthetic"), rows, class_="samples"),
    )


def _pictures(images: ImageSamples, few: tuple[str, ...], words: str) -> Html:
    if not few:
        return tag("strong", "none")
    address = strip(few, height=images.height, width=images.width)
    return tag("img", src=address, alt=f"{len(few)} {words}")
