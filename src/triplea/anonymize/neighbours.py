"""Which two tables count as neighbours: the change that the guarantee hides."""

from __future__ import annotations

from enum import StrEnum


class Neighbours(StrEnum):
    """The relation between two tables that a released value must not tell apart.

    A ledger never mixes the two: a total over both has no meaning.
    """

    ADD_OR_REMOVE_ONE = "add-or-remove-one"
    REPLACE_ONE = "replace-one"

    @property
    def in_words(self) -> str:
        """The protected change in plain words."""
        if self is Neighbours.ADD_OR_REMOVE_ONE:
            return "adding or removing one row"
        return "replacing one row by another"
