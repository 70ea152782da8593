"""Processes that share a machine."""

from __future__ import annotations

import os
import subprocess
import sys

from triplea.engines.one_thread import ONE_THREAD


def test_a_process_of_this_environment_has_one_arrow_thread() -> None:
    asked = "import pyarrow; print(pyarrow.cpu_count())"
    environment = {**os.environ, **ONE_THREAD}
    done = subprocess.run(
        [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1"
