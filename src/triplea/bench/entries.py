"""The methods of a block: names with variants and parameters, or `every` for all that are registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from triplea.bench.cells import REAL
from triplea.bench.choices import known
from triplea.errors import UserError
from triplea.registry import find_method, method_names

EVERY = "every"
VARIANTS = ("provable", "published")
# Methods of the papers that a grid may name before they exist; their cells are recorded as failed.
PLANNED = (
    "clustmix", "dp-merf", "dp-auto-gan", "mc-gen", "ron-gauss", "privbayes", "dp-gan", "pate-gan", "ads-gan",
    "dp-cgan", "dp-vae", "dp-wgan", "dp-syn", "dp-merf-ae", "dpmix", "mosaic", "aim", "mst",
)  # fmt: skip
_KEYS = ("name", "variants", "params", "without")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One method in one variant."""

    name: str
    variant: str = "provable"
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_real(self) -> bool:
        """Whether these are the real rows and no method."""
        return self.name == REAL


def expand_entry(item: Any, where: str) -> Iterator[Entry]:
    """Yield the variants of one entry of `methods`, each checked as far as the method exists."""
    given = {"name": item} if isinstance(item, str) else item
    if not isinstance(given, Mapping) or "name" not in given:
        raise UserError(f"{where}: a method is a name or a mapping with a name, got {item!r}.")
    for key in given:
        known(key, _KEYS, kind="key of a method", where=where)
    names = dict.fromkeys([REAL, EVERY, "auto", *method_names(), *PLANNED])
    name = known(given["name"], names, kind="method", where=where)
    params = given.get("params") or {}
    if not isinstance(params, Mapping):
        raise UserError(f"{where}, method {name!r}: params must be a mapping, got {params!r}.")
    if name == EVERY:
        left_out = [
            known(item, method_names(), kind="method", where=where) for item in given.get("without", [])
        ]
        yield from (entry for entry in _every(given.get("variants"), where) if entry.name not in left_out)
        return
    if name == REAL:
        yield Entry(name=REAL)
        return
    for variant in _variants(given.get("variants", ["provable"]), where):
        yield _checked(Entry(name=name, variant=variant, params=dict(params)), where)


def _every(variants: Any, where: str) -> Iterator[Entry]:
    """All registered methods in the variants that they have, or in those of them that are asked for."""
    wanted = None if variants is None else _variants(variants, where)
    for name in method_names():
        try:
            offered = find_method(name).variants
        except ImportError:
            offered = ("provable",)  # an extra is missing: the cell will say so
        for variant in offered:
            if wanted is None or variant in wanted:
                yield Entry(name=name, variant=variant)


def _variants(given: Any, where: str) -> list[str]:
    items = given if isinstance(given, list) else [given]
    return [known(item, VARIANTS, kind="variant", where=where) for item in items]


def _checked(entry: Entry, where: str) -> Entry:
    """Refuse parameters that an existing method does not have.

    A variant that a method does not have yet is no mistake of the grid: its cells are recorded as failed.
    """
    if entry.name in {"auto", *method_names()}:
        try:
            find_method(entry.name)().set_params(**entry.params)
        except UserError as error:
            raise UserError(f"{where}: {error}") from None
        except ImportError:
            pass  # an extra is missing: the cell will say so
    return entry
