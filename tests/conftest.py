"""What all tests share: repeatable examples, and the way to data sets that may or may not be there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# Machines differ in speed, so no example has a deadline; examples repeat, so a failure can be looked at.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of public data sets: $TRIPLEA_DATA, or shared/data beside the repository."""
    folder = Path(os.environ.get("TRIPLEA_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("no data sets here: set TRIPLEA_DATA to their folder")
    return folder
