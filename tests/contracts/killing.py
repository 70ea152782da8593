"""A fork server for the test that kills releases: imports once, then forks one real process per release.

Run as `python -m tests.contracts.killing FOLDER FIRST LAST`. Every child runs `triplea release` to its own
folder and is killed by SIGKILL after a random delay; delays span the whole run. Inside a child, every step
that makes something durable is stretched by a pause on either side, so that a kill hits the narrow places
too. A child writes a mark just before it first reads rows: from there on its budget must be counted.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PAUSE = 0.004


def arguments(folder: Path, run: int) -> list[str]:
    """The command of one run; its epsilon says in the budget file which run it was."""
    options = ["--schema", folder / "rows.json", "--out", folder / f"run-{run}", "--epsilon", epsilon_of(run)]
    return ["release", *map(str, [folder / "rows.csv", *options, "--method", "naive-bayes", "--csv"])]


def epsilon_of(run: int) -> float:
    return 1 + run / 1000


def main() -> None:
    folder, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    _import_everything()
    rng = np.random.default_rng(first)
    started = time.monotonic()
    _wait(_fork(folder, first))
    whole = time.monotonic() - started
    for run in range(first + 1, last):
        child = _fork(folder, run)
        time.sleep(float(rng.random()) * 1.1 * whole)
        _kill(child)


def _import_everything() -> None:
    import triplea
    from triplea.cli import app  # noqa: F401

    for name in triplea.__all__:
        getattr(triplea, name)
    from triplea.methods import naive_bayes  # noqa: F401


def _fork(folder: Path, run: int) -> int:
    child = os.fork()
    if child == 0:
        _child(folder, run)
    return child


def _child(folder: Path, run: int) -> None:
    """Release, and leave at once; nothing of the parent may run here afterwards."""
    from triplea.cli.app import app
    from triplea.engines.local import LocalEngine

    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    for name in ("fsync", "replace", "rename", "open"):
        setattr(os, name, _stretched(getattr(os, name)))
    LocalEngine.total = _marked(LocalEngine.total, folder / f"read-{run}")  # type: ignore[method-assign]
    code = 1
    try:
        app(arguments(folder, run))
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def _stretched(call: Callable[..., Any]) -> Callable[..., Any]:
    def slow(*args: Any, **options: Any) -> Any:
        time.sleep(PAUSE)
        result = call(*args, **options)
        time.sleep(PAUSE)
        return result

    return slow


def _marked(total: Callable[..., Any], mark: Path) -> Callable[..., Any]:
    def reading(*args: Any, **options: Any) -> Any:
        mark.touch()
        return total(*args, **options)

    return reading


def _kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _wait(child: int) -> None:
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit("a release that nobody killed has failed")


if __name__ == "__main__":
    main()
