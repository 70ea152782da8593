"""What every method offers: a plan before rows are read, a fit through the door, and samples."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.model import Condition, Model
from triplea.errors import MethodError
from triplea.schema import Encoded, Schema


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a method expects to need, from public knowledge and a guess at the number of rows."""

    seconds: float
    mebibytes: float
    cells: int


@dataclass(frozen=True, kw_only=True)
class Counted:
    """A question that counts: in how many histograms a row is, and how many cells a typical one has."""

    label: str
    histograms: int
    cells: int


class Method(ABC):
    """A synthesizer in scikit-learn's manner: parameters in the constructor, results end in `_`.

    Concrete classes take keyword-only parameters, store them under the same names and do nothing else
    in the constructor.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    variants: ClassVar[tuple[str, ...]] = ("provable",)
    claim: ClassVar[str] = "(epsilon, delta), proved"

    variant: str = "provable"

    model_: Model
    rows_: float
    notes_: tuple[str, ...] = ()  # remarks for the certificate, about released values only
    say: Callable[[str], None] | None = None  # told how far work on released values has come

    @abstractmethod
    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Say what will be asked, before a row is read. Raise MethodError where it cannot work."""

    @abstractmethod
    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Ask the planned questions and build `model_` from the answers."""

    @abstractmethod
    def cost(self, schema: Schema, rows: int) -> Cost:
        """Estimate time, memory and the number of released cells."""

    def outline(self, schema: Schema, budget: Budget) -> tuple[str, ...]:
        """What the method will do with such a table, in words; for the pre-flight."""
        del schema, budget
        return (self.summary,)

    def needs(self, schema: Schema, budget: Budget) -> tuple[str, ...]:
        """What the private table must hold for this to work well, in words; for the pre-flight."""
        del schema, budget
        return ()

    def counted(self, schema: Schema, budget: Budget) -> tuple[Counted, ...]:
        """The plan's counting questions with their public sizes, as far as the method tells."""
        del schema, budget
        return ()

    def sample(self, n: int, *, rng: np.random.Generator, where: Condition | None = None) -> Encoded:
        """Draw n encoded rows from the fitted model."""
        return self.model_.sample(n, rng=rng, where=where)

    @property
    def expected_rows(self) -> int:
        """How many rows the private table has, as far as the released values tell."""
        return max(1, round(self.rows_))

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the parameters with their default values."""
        parameters = inspect.signature(cls.__init__).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, as scikit-learn does."""
        del deep
        return {name: getattr(self, name) for name in self.defaults()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name; an unknown name is an error that lists the known ones."""
        known = self.defaults()
        for name, value in params.items():
            if name not in known:
                raise MethodError(
                    f"method {self.name!r} has no parameter {name!r} (got {name}={value!r}). "
                    f"It has: {', '.join(sorted(known)) or 'none'}."
                )
            _check_kind(self.name, name, value, default=known[name])
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Show the class with its parameters."""
        inside = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({inside})"


def _check_kind(method: str, name: str, value: Any, *, default: Any) -> None:
    """Refuse a value of another kind than the default's; ranges are the method's own business."""
    kinds = next((kinds for kind, kinds in _KINDS if isinstance(default, kind)), None)
    if kinds is None or value == default or type(value) in kinds:
        return
    allowed = " or ".join(kind.__name__ for kind in kinds)
    raise MethodError(f"parameter {name!r} of method {method!r} must be of type {allowed}, got {value!r}.")


# By the type of the default; bool comes first, because it is an int too.
_KINDS: tuple[tuple[type, tuple[type, ...]], ...] = (
    (bool, (bool,)),
    (int, (int,)),
    (float, (int, float)),
    (str, (str,)),
    (tuple, (tuple, list)),
    (list, (tuple, list)),
)


def claiming(label: str) -> Plan:
    """The plan of a variant as published: one computation that is claimed to be private, and not proved."""
    return Plan(asks=(Ask(label=label, mechanism=Mechanism.CLAIMED),))


def measuring(budget: Budget, label: str, *, share: float, times: int = 1) -> Ask:
    """Plan a noisy sum: Gaussian noise, or Laplace where the budget allows no delta."""
    mechanism = Mechanism.GAUSSIAN if budget.delta > 0 else Mechanism.LAPLACE
    return Ask(label=label, mechanism=mechanism, share=share, times=times)
