"""Optional packages, loaded when first needed so that `import triplea` stays quick."""

from __future__ import annotations

import importlib
import os
from typing import Any

from triplea.errors import MissingExtra

_PACKAGES = {"sklearn": "scikit-learn"}


def need(module: str) -> Any:
    """Import `module`, or say which extra to install."""
    # Threads that spin while they wait make LightGBM ten times slower on a shared machine. Read at import.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        return importlib.import_module(module)
    except ImportError as error:
        root = module.partition(".")[0]
        raise MissingExtra(
            package=_PACKAGES.get(root, root), extra="eval", purpose="evaluating a table"
        ) from error
