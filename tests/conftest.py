"""What all tests share: repeatable examples, and the way to data sets that may or may not be there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# Compiling small networks takes longer than training them. Programs are found again by their own text, so a
# changed source is compiled anew; the limit on the size also makes JAX lock the folder. Without the costly
# optimisations a program computes the same in about half the time to compile.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT / ".pytest_cache" / "compiled"))
os.environ.setdefault("JAX_COMPILATION_CACHE_MAX_SIZE", str(256 * 2**20))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.2")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep together, under `--dist loadgroup`, what shares fits or compiled programs.

    Contracts go by method, across modules; everything else by module, as its fixtures do.
    """
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        path = item.nodeid.partition("::")[0]
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        together = parameters.get("method") if path.startswith("tests/contracts/") else None
        item.add_marker(pytest.mark.xdist_group(str(together or path)))


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
