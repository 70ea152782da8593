"""How a command ends: 0 when it worked, 2 for a mistake that the user can mend, 1 for a fault of ours."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
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
            return command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter, KeyboardInterrupt):
            raise
        except UserError as error:
            print_error(str(error))
            raise typer.Exit(error.exit_code) from None
        except Exception:
            if os.environ.get("TRIPLEA_DEBUG") == "1":
                raise
            print_error(FAULT)
            raise typer.Exit(1) from None

    return run
