"""How a command ends: 0 when it worked, 2 for a mistake that the user can mend, 1 for a fault of ours."""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import ParamSpec

import typer

from triplea.cli.output import print_error
from triplea.errors import UserError

P = ParamSpec("P")

# Constant on purpose: the text of an unforeseen exception may hold a value from a private row.
FAULT = (
    "Something went wrong inside triplea. The details are not shown, because they could hold values from "
    "your rows. Set TRIPLEA_DEBUG=1 and run the command again to see them."
)


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Turn exceptions into one readable paragraph and an exit code, never into a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with _tidy_when_told_to_stop():
                return command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter, KeyboardInterrupt, BrokenPipeError):
            raise  # a closed pipe, as in `triplea methods | head`, is ended quietly by the caller
        except UserError as error:
            print_error(str(error))
            raise typer.Exit(error.exit_code) from None
        except Exception as error:
            if os.environ.get("TRIPLEA_DEBUG") == "1":
                raise
            refusal = _refusal_of_the_system(error)
            print_error(refusal or FAULT)
            raise typer.Exit(UserError.exit_code if refusal else 1) from None

    return run


def _refusal_of_the_system(error: Exception) -> str | None:
    """Say what the system refused, by its error number; the error's own text could hold a value."""
    if not isinstance(error, OSError) or error.errno is None:
        return None
    place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return f"{place}{os.strerror(error.errno)}. Name another place, change its rights, or make room there."


@contextmanager
def _tidy_when_told_to_stop() -> Iterator[None]:
    """Let SIGTERM unwind the command as Ctrl-C does, so that temporary files and processes go with it."""
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
