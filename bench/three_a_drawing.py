"""How the figures of 3A are drawn: colours, clouds of points, fields of a classifier, small PNG files."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

COLOURS = np.array(["#0072B2", "#D55E00"])
PALE = ["#D6E8F4", "#F9E0D0"]
INK, QUIET, WRONG = "#222222", "#777777", "#B00020"
Classifier = Callable[[np.ndarray], np.ndarray]  # points to scores: above 0 is the second class


def new_figure(width: float, height: float):
    """An empty figure without a window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor="white")


def row_of_panels(count: int):
    """Square fields side by side, with room for words above and below."""
    figure = new_figure(3.0 * count, 3.62)
    panels = figure.subplots(1, count)
    figure.subplots_adjust(left=0.008, right=0.992, top=0.9, bottom=0.1, wspace=0.05)
    return figure, panels


def grid_of_panels(lines: int, columns: int):
    """The same in several lines."""
    figure = new_figure(2.0 * columns, 2.42 * lines)
    panels = figure.subplots(lines, columns)
    figure.subplots_adjust(left=0.008, right=0.992, top=0.955, bottom=0.04, wspace=0.06, hspace=0.22)
    return figure, panels


def picture_blocks(count: int):
    """Fields for sheets of digits, twice as high as wide."""
    figure = new_figure(2.0 * count, 4.75)
    panels = figure.subplots(1, count)
    figure.subplots_adjust(left=0.005, right=0.995, top=0.89, bottom=0.06, wspace=0.06)
    return figure, panels


def pictures(axes, pixels: np.ndarray, labels: np.ndarray, *, columns: int) -> None:
    """A sheet of digits, one line for each, dark on white; empty where there are too few."""
    sheet = np.zeros((10 * 29 + 1, columns * 29 + 1))
    for digit in range(10):
        for place, image in enumerate(pixels[labels == digit][:columns]):
            top, left = 1 + 29 * digit, 1 + 29 * place
            sheet[top : top + 28, left : left + 28] = image.reshape(28, 28)
    axes.imshow(sheet, cmap="gray_r", vmin=0, vmax=255, interpolation="nearest")
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_color("#BBBBBB")


def frame(axes, *, low: float = 0.0, high: float = 1.0) -> None:
    """A square field without ticks."""
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_color("#BBBBBB")
        side.set_linewidth(0.8)


def cloud(axes, points: np.ndarray, labels: np.ndarray, *, size: float, strength: float = 1.0, **options):
    """Points in the colours of their classes, in mixed order so that no class hides the other."""
    order = np.random.default_rng(0).permutation(len(points))
    axes.scatter(
        *points[order].T, s=size, c=COLOURS[labels[order]], alpha=strength,
        linewidths=options.pop("linewidths", 0), **options,
    )  # fmt: skip


def field(axes, classify: Classifier, *, low: float = 0.0, high: float = 1.0, line: bool = True) -> None:
    """Which class a classifier gives to every place, and its border."""
    ticks = np.linspace(low, high, 161)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1)
    scores = classify(grid.reshape(-1, 2)).reshape(161, 161)
    axes.contourf(ticks, ticks, scores, levels=[-1e9, 0.0, 1e9], colors=PALE, zorder=0)
    if line:
        axes.contour(
            ticks, ticks, scores, levels=[0.0], colors=INK, linestyles="dashed", linewidths=1.2, zorder=4
        )


def rings(axes, points: np.ndarray) -> None:
    """Mark rows that a classifier gets wrong."""
    axes.scatter(*points.T, s=26, facecolors="none", edgecolors=WRONG, linewidths=1.1, zorder=5)


def circles(axes, centres: np.ndarray, owner: np.ndarray, rows: np.ndarray, group: np.ndarray) -> None:
    """One and two deviations of isotropic Gaussians."""
    from matplotlib.patches import Circle

    for number, centre in enumerate(centres):
        spread = np.sqrt(((rows[group == number] - centre) ** 2).mean())
        for reach, strength in ((1.0, 0.9), (2.0, 0.45)):
            colour = COLOURS[owner[number]]
            axes.add_patch(Circle(centre, reach * spread, fill=False, color=colour, alpha=strength, lw=0.9))


def arrows(axes, before: np.ndarray, after: np.ndarray) -> None:
    """Where every point went."""
    style = {"arrowstyle": "-|>", "color": INK, "lw": 1.0, "shrinkB": 5}
    for tail, head in zip(before, after, strict=True):
        axes.annotate("", head, tail, arrowprops=style, zorder=6)


def spokes(axes, centres: np.ndarray, owner: np.ndarray, rows: np.ndarray, group: np.ndarray) -> None:
    """A thin line from every row to the mean that it is part of."""
    for row, number in zip(rows, group, strict=True):
        line = np.stack([row, centres[number]]).T
        axes.plot(*line, color=COLOURS[owner[number]], lw=0.35, alpha=0.3, zorder=1)


def caption(axes, heading: str, words: str) -> None:
    """A heading above a field, and a line below it."""
    axes.set_title(heading, fontsize=10.5, color=INK, pad=5)
    axes.text(0.5, -0.035, words, transform=axes.transAxes, ha="center", va="top", fontsize=8.5, color=QUIET)


def save(figure, path: Path, *, dpi: int = 130, colours: int = 128) -> None:
    """Write a PNG with few colours, so that the file stays small."""
    from PIL import Image

    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=dpi)
    drawn.seek(0)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.open(drawn).convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB", flush=True)
