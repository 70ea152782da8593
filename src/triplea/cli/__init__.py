"""The command line: parse, call, print. Heavy libraries load only when a command needs them."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the `triplea` command."""
    from triplea.cli.app import app

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal lacks letters for ends nothing
    app()
