"""A record of pictures, for tables whose rows are images."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ImageSamples:
    """A few rows of every class as grey pictures: base64 of height x width bytes, 0 lowest, 255 highest."""

    height: int
    width: int
    classes: tuple[str, ...]
    real: tuple[tuple[str, ...], ...]
    synthetic: tuple[tuple[str, ...], ...]
