"""A worker ends with its pool."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest


@pytest.mark.parametrize(("own_session", "code"), [(True, -signal.SIGKILL), (False, 7)])
def test_a_worker_of_a_pool_ends_with_it(own_session: bool, code: int) -> None:
    script = (
        "from triplea.bench.ending import end_with_parent as end; end(); import time; time.sleep(1); exit(7)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, start_new_session=own_session
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == code
