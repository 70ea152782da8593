from __future__ import annotations

import subprocess
import sys

import pytest

from triplea.errors import MissingExtra
from triplea.evaluate.extras import need


def test_a_missing_package_names_the_extra() -> None:
    with pytest.raises(MissingExtra, match=r"needs the package 'not_there'. .*triplea\[eval\]"):
        need("not_there.inside")


def test_importing_evaluate_loads_no_heavy_library() -> None:
    code = (
        "import sys, triplea.evaluate; "
        "print([name for name in ('sklearn', 'lightgbm', 'jax') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
