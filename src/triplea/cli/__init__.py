"""The command line: parse, call, print. Heavy libraries load only when a command needs them."""

from __future__ import annotations


def main() -> None:
    """Run the `triplea` command."""
    from triplea.cli.app import app

    app()
