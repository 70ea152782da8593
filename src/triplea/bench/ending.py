"""A worker ends when the pool that started it ends, however that was: done, stopped, or killed."""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread


def end_with_parent() -> None:
    """Stop this process, and all that it started, as soon as the pool that started it is gone.

    Only a pool gives its workers a session of their own; a worker that was started by hand is left alone.
    """
    if os.getsid(0) == os.getpid():
        Thread(target=_watch, args=(sys.stdin.fileno(),), daemon=True).start()


def _watch(pipe: int) -> None:
    """The pool holds the other end and never writes: reading returns only when the pool has ended."""
    os.read(pipe, 1)
    os.killpg(os.getpid(), signal.SIGKILL)
