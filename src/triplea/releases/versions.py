"""Which versions made a release."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

PACKAGES = ("triplea", "dp-accounting", "numpy", "scipy", "pyarrow")

_version = cache(version)  # it parses a file each time


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that decide the result."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}
