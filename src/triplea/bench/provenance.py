"""Which code on which machine made a number."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from triplea.releases.versions import versions

SCORING = ("lightgbm", "scikit-learn", "jax")


@cache
def commit() -> str | None:
    """Return the git commit of the sources, with "+" if they were changed since; None outside of git."""
    here = Path(__file__).resolve().parent
    try:
        found = _git("rev-parse", "HEAD", folder=here)
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", folder=here.parent)
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{found[:12]}{'+' if changed else ''}"


def all_versions() -> dict[str, str]:
    """Return the versions of what makes and of what scores a release."""
    found = versions()
    for name in SCORING:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def machine() -> str:
    """Return the processor's kind and the number of its cores."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _git(*arguments: str, folder: Path) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()
