"""What a fitted model can do: draw rows, also conditioned ones, and be stored without pickle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from triplea.schema import Encoded

State = tuple[dict[str, Any], dict[str, np.ndarray]]
Condition = Mapping[str, int | float]


class Model(ABC):
    """A distribution over encoded rows, made of released values only.

    Every concrete model registers itself under its `kind`, which is what a stored model names.
    """

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Model]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Register concrete models by name."""
        super().__init_subclass__(**options)
        if "kind" in cls.__dict__:
            Model.kinds[cls.kind] = cls

    @abstractmethod
    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n rows; with `where`, rows in which the named columns hold the given encoded values."""

    @abstractmethod
    def state(self) -> State:
        """Return a JSON-able description and the arrays that go with it."""

    @classmethod
    @abstractmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
