"""Name -> method. Others can add methods through the entry-point group "triplea.methods"."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from triplea.errors import MethodError
from triplea.methods._base import Method

AUTO = "mosaic"
BUILT_IN = {
    "independent": "triplea.methods.independent:Independent",
    "naive-bayes": "triplea.methods.naive_bayes:NaiveBayes",
    "mosaic": "triplea.methods.mosaic:Mosaic",
    "privbayes": "triplea.methods.privbayes:PrivBayes",
    "mst": "triplea.methods.mst:Mst",
    "aim": "triplea.methods.aim:Aim",
    "clustmix": "triplea.methods.clustmix:ClustMix",
    "dpmix": "triplea.methods.dpmix:DPMix",
    "mc-gen": "triplea.methods.mc_gen:McGen",
    "ron-gauss": "triplea.methods.ron_gauss:RonGauss",
    "dp-merf": "triplea.methods.dp_merf:DPMerf",
    "dp-merf-ae": "triplea.methods.dp_merf_ae:DPMerfAE",
    "mosaic-numbers": "triplea.methods._mosaic_numbers:NumberMosaic",
    "dp-auto-gan": "triplea.methods.dp_auto_gan:DpAutoGan",
    "dp-vae": "triplea.methods.dp_vae:DpVae",
    "dp-wgan": "triplea.methods.dp_wgan:DpWgan",
    "dp-gan": "triplea.methods.dp_gan:DpGan",
    "dp-cgan": "triplea.methods.dp_cgan:DpCgan",
    "pate-gan": "triplea.methods.pate_gan:PateGan",
    "ads-gan": "triplea.methods.ads_gan:AdsGan",
    "dp-syn": "triplea.methods.dp_syn:DpSyn",
}
ENTRY_POINTS = "triplea.methods"


@dataclass(frozen=True, kw_only=True)
class MethodInfo:
    """What `triplea methods` shows."""

    name: str
    title: str
    summary: str
    variants: tuple[str, ...]
    parameters: dict[str, Any]
    is_auto: bool


def method_names() -> list[str]:
    """All known names, built-in ones first."""
    others = sorted(point.name for point in entry_points(group=ENTRY_POINTS) if point.name not in BUILT_IN)
    return [*BUILT_IN, *others]


def find_method(name: str) -> type[Method]:
    """Return the class behind a name; it is imported only now."""
    wanted = AUTO if name == "auto" else name
    if wanted in BUILT_IN:
        module, _, attribute = BUILT_IN[wanted].partition(":")
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == wanted:
            return _loaded(point)
    close = difflib.get_close_matches(wanted, method_names(), n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise MethodError(f"there is no method {name!r}.{hint} Known methods: auto, {', '.join(method_names())}.")


def _loaded(point: EntryPoint) -> type[Method]:
    """A method of another package. Importing it may fail in any way, and happens before a row is read."""
    try:
        kind = point.load()
    except Exception as error:
        raise MethodError(
            f"method {point.name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}. "
            "Mend or remove the package that brings it."
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Method)):
        raise MethodError(f"method {point.name!r} ({point.value}) is not a class of triplea's Method.")
    return kind


def create_method(name: str, *, variant: str = "provable", params: Mapping[str, Any] | None = None) -> Method:
    """Build a method by name, with a variant and parameters that it knows."""
    kind = find_method(name)
    if variant not in kind.variants:
        raise MethodError(
            f"method {kind.name!r} has no variant {variant!r}. It has: {', '.join(kind.variants)}. "
            "Choose one of them with --variant."
        )
    method = kind().set_params(**dict(params or {}))
    method.variant = variant
    return method


def list_methods() -> list[MethodInfo]:
    """Describe every known method; one of another package that cannot be loaded says why."""
    return [_described(name) for name in method_names()]


def _described(name: str) -> MethodInfo:
    try:
        kind = find_method(name)
    except MethodError as error:
        return MethodInfo(
            name=name, title=name, summary=str(error), variants=(), parameters={}, is_auto=False
        )
    return MethodInfo(
        name=name,
        title=kind.title,
        summary=kind.summary,
        variants=kind.variants,
        parameters=kind.defaults(),
        is_auto=name == AUTO,
    )
