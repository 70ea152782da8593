"""How a command ends: never with a traceback, never with words from a row."""

from __future__ import annotations

import os
import signal

import pytest
import typer
from typer.testing import CliRunner

from triplea.cli.guard import FAULT, guarded
from triplea.errors import UserError

SECRET = "diagnosis of Mrs Miller"


def outcome(error: BaseException) -> tuple[int, str, str]:
    """Run a command that raises, and return exit code, stdout and stderr."""
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    @guarded
    def fail() -> None:
        raise error

    done = CliRunner().invoke(app, [], env={"COLUMNS": "80"})
    return done.exit_code, done.stdout, done.stderr


def test_a_user_error_ends_with_two_and_its_own_words() -> None:
    code, out, err = outcome(UserError("option rows must be at least 1, got 0 [x]. Leave it out."))
    assert (code, out) == (2, "")
    assert err == "Error: option rows must be at least 1, got 0 [x]. Leave it out.\n"


def test_a_fault_ends_with_one_and_hides_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIPLEA_DEBUG", raising=False)
    code, out, err = outcome(ValueError(SECRET))
    assert (code, out) == (1, "")
    assert err == f"Error: {FAULT}\n"


def test_two_different_faults_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIPLEA_DEBUG", raising=False)
    assert outcome(ValueError(SECRET)) == outcome(KeyError("something else"))


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PermissionError(13, SECRET, "out.md"), "out.md: Permission denied. "),
        (OSError(28, SECRET), "No space left on device. "),
    ],
)
def test_what_the_system_refuses_can_be_mended(
    error: OSError, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRIPLEA_DEBUG", raising=False)
    code, out, err = outcome(error)
    assert (code, out) == (2, "")
    assert err.startswith(f"Error: {text}")
    assert SECRET not in err


def test_an_error_of_the_system_without_a_number_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIPLEA_DEBUG", raising=False)
    assert outcome(OSError(SECRET)) == (1, "", f"Error: {FAULT}\n")


def test_debug_shows_the_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEA_DEBUG", "1")
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    @guarded
    def fail() -> None:
        raise ValueError(SECRET)

    done = CliRunner().invoke(app, [])
    assert isinstance(done.exception, ValueError)


def test_debug_leaves_a_user_error_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEA_DEBUG", "1")
    assert outcome(UserError("mend it."))[::2] == (2, "Error: mend it.\n")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    code, out, err = outcome(BrokenPipeError(32, "Broken pipe"))
    assert (code, out, err) == (1, "", "")


def test_an_exit_keeps_its_code() -> None:
    assert outcome(typer.Exit(7))[0] == 7


def test_a_command_that_is_told_to_stop_tidies_up() -> None:
    tidied = []
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    @guarded
    def wait() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            signal.pause()
        finally:
            tidied.append(True)

    assert CliRunner().invoke(app, []).exit_code == 128 + signal.SIGTERM
    assert tidied == [True]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_somebody_elses_handler_stays() -> None:
    def theirs(*_: object) -> None: ...

    before = signal.signal(signal.SIGTERM, theirs)
    seen = []

    @guarded
    def look() -> None:
        seen.append(signal.getsignal(signal.SIGTERM))

    try:
        look()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert seen == [theirs]
