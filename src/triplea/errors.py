"""Errors that a user can mend: each says what was wrong, what was got, what is allowed, and the cure.

No message here may be built from private rows: texts quote parameters, names and limits only.
"""

from __future__ import annotations


class UserError(Exception):
    """A mistake in what was asked for. The command line ends with exit code 2."""

    exit_code = 2


class SchemaError(UserError):
    """The schema contradicts itself, or does not fit what it is used for."""


class TableError(UserError):
    """The table cannot be opened, or its layout does not fit the schema."""


class MethodError(UserError):
    """A method does not exist, or cannot work with this schema and budget."""


class ReleaseError(UserError):
    """A release folder cannot be written, read or verified."""


class BudgetError(UserError):
    """A privacy budget is invalid or cannot be met."""


class BudgetExceeded(BudgetError):
    """A question costs more than what is left. Nothing was read."""


class MissingExtra(UserError):
    """An optional dependency is needed and not installed."""

    def __init__(self, *, package: str, extra: str, purpose: str) -> None:
        cure = f"Install it with: pip install 'triplea[{extra}]'"
        super().__init__(f"{purpose} needs the package {package!r}. {cure}")
