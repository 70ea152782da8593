"""Which pair of tables attacks which method, and the settings that keep a run short."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from triplea.anonymize.budget import Budget
from triplea.anonymize.plan import Mechanism
from triplea.audit import pairs, published_pairs
from triplea.audit.pairs import GENERAL, Pair
from triplea.errors import MethodError
from triplea.methods._base import Method
from triplea.registry import create_method, find_method
from triplea.releases.request import prepare

# What is asked at the door stays the same; networks are small and trained for a few steps only.
QUICK: dict[str, dict[str, Any]] = {
    "mosaic": {"steps": 6, "components": 20},
    "mst": {"steps": 5, "most_bins": 4, "estimator": "numpy"},
    "aim": {"steps": 5, "most_bins": 4, "estimator": "numpy", "rounds_per_column": 0.3},
    "dp-merf": {"features": 50, "steps": 5, "hidden": (16,), "batch": 64},
    "dp-merf-ae": {
        "features": 50, "steps": 5, "hidden": (16,), "batch": 64, "autoencoder_steps": 4, "most_bins": 4,
    },
    "dp-auto-gan": {"autoencoder_steps": 4, "critic_steps": 4, "most_bins": 4},
    "dp-vae": {"steps": 6, "most_bins": 4},
    "dp-wgan": {"steps": 6, "most_bins": 4},
    "dp-gan": {"steps": 6, "critic_steps": 2, "hidden": 8, "most_bins": 4},
    "dp-cgan": {"steps": 6, "hidden": 8, "noise": 4, "most_bins": 4},
    "pate-gan": {"rounds": 2, "questions": 16, "turns": 2, "hidden": 8, "noise": 4, "most_bins": 4},
    "ads-gan": {"steps": 6, "most_bins": 4},
    "dp-syn": {"steps": 6, "hidden": 6, "latent": 3, "components": 2, "rounds": 2, "most_bins": 4},
}  # fmt: skip
COUNTED = ("steps", "epochs", "iterations")  # parameters of other methods that are cut down by name
FEW, LONGER = 6, 60


def _hidden_encoder() -> Pair:
    from triplea.audit.hidden_start import hidden_encoder  # needs JAX

    return hidden_encoder()


def _numbers_within_bounds() -> Pair:
    """For DP-MERF: without bins of its own, a generator's program is compiled once for all runs."""
    return replace(pairs.singleton_category(), params={"scale": "bounds"})


OWN: dict[tuple[str, str], Callable[[], Pair]] = {
    ("clustmix", "published"): published_pairs.mover,
    ("mc-gen", "published"): published_pairs.halves,
    ("ron-gauss", "published"): published_pairs.many_dimensions,
    ("dp-merf", "provable"): _numbers_within_bounds,
    ("dp-merf", "published"): published_pairs.bandwidth,
    ("dp-auto-gan", "published"): _hidden_encoder,
}


def quick_settings(name: str) -> dict[str, Any]:
    """Settings for short runs: our own, or fewer steps where a parameter's name says that it counts them."""
    if name in QUICK:
        return dict(QUICK[name])
    return {
        key: FEW
        for key, value in find_method(name).defaults().items()
        if key.endswith(COUNTED) and type(value) is int and value > FEW
    }


def attacked(method: str, variant: str, pair: Pair, given: dict[str, Any] | None = None) -> Method:
    """The method as the audit runs it: quick settings, then the pair's, then the user's."""
    params = {**quick_settings(method), **pair.params, **(given or {})}
    made = create_method(method, variant=variant, params=None if pair.kind is not None else params)
    if pair.kind is not None:
        made = pair.kind().set_params(**params)
        made.variant = variant
    return made


def is_compiled(name: str) -> bool:
    """Whether a method trains networks, which takes longer than any number of questions."""
    return name in QUICK and ("hidden" in find_method(name).defaults() or name == "dp-auto-gan")


def longer_settings(name: str) -> dict[str, Any]:
    """Settings for a single run with canaries: enough steps to learn something from them."""
    return {key: LONGER if key.endswith(COUNTED) else value for key, value in quick_settings(name).items()}


def candidate_pairs(method: str, variant: str) -> Iterator[Pair]:
    """The method's own pair, if it has one, then the general ones."""
    own = OWN.get((method, variant))
    if own is not None:
        yield own()
    first = pairs.singleton_category if variant == "provable" else pairs.flipped_label
    second = pairs.lone_answer
    if variant == "provable" and _is_trained(method):
        first, second = second, first  # categories only: nothing is binned, and programs are compiled once
    for make in dict.fromkeys((first, second, *GENERAL)):
        yield make()


def _is_trained(method: str) -> bool:
    """Whether the provable plan trains on sampled batches."""
    pair = pairs.lone_answer()
    try:
        made = attacked(method, "provable", pair)
        asks = made.plan(pair.schema, Budget(epsilon=1.0, delta=1e-5)).asks
    except MethodError:
        return False
    return any(ask.mechanism is Mechanism.SAMPLED_GAUSSIAN for ask in asks)


def main_pair(method: str, variant: str, *, epsilon: float, delta: float) -> Pair:
    """The first pair that the method takes."""
    refusal: MethodError | None = None
    for pair in candidate_pairs(method, variant):
        try:
            prepare(
                schema=pair.schema, epsilon=epsilon, delta=delta, neighbours=pair.relation,
                method=attacked(method, variant, pair),
            )  # fmt: skip
            return pair
        except MethodError as error:
            refusal = refusal or error
    raise refusal or MethodError(f"no pair of tables suits method {method!r}.")


def named_pair(name: str, method: str, variant: str) -> Pair:
    """The pair that the user named."""
    known = {pair.name: pair for pair in candidate_pairs(method, variant)}
    if name not in known:
        raise MethodError(
            f"option --pair: there is no pair {name!r} for {method!r}. Choose one of: {', '.join(known)}."
        )
    return known[name]
