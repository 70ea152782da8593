"""Bayesian optimisation of the published 3A's free parameters on private rows: nothing here is private."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from triplea.approximate.codes.unit_code import CODES, SCALINGS
from triplea.errors import MissingExtra

if TYPE_CHECKING:
    import optuna


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One choice of the free parameters."""

    sigma_max: float
    codes: str
    scaling: str
    tail: float
    spread: float
    alpha: float = 1.0
    ridge: float = 1e-3


def require_search() -> None:
    """Raise MissingExtra where Optuna is not installed."""
    if find_spec("optuna") is None:
        raise MissingExtra(package="optuna", extra="tune", purpose="choosing parameters in trials")


def seek(
    score: Callable[[Setting], float], *, trials: int, adapts: bool, rng: np.random.Generator
) -> Setting:
    """Score `trials` settings that a tree-structured Parzen estimator suggests, and return the best."""
    import optuna

    tried: list[tuple[float, Setting]] = []

    def objective(trial: optuna.Trial) -> float:
        setting = _suggested(trial, adapts=adapts)
        tried.append((score(setting), setting))
        return tried[-1][0]

    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        sampler = optuna.samplers.TPESampler(seed=int(rng.integers(2**31)))
        optuna.create_study(direction="maximize", sampler=sampler).optimize(objective, n_trials=trials)
    finally:
        optuna.logging.set_verbosity(verbosity)
    return max(tried, key=lambda pair: pair[0])[1]


def _suggested(trial: optuna.Trial, *, adapts: bool) -> Setting:
    """Without adaptation there is no alpha and no ridge to seek."""
    kernel = (
        {
            "alpha": trial.suggest_float("alpha", 0.0, 1.0),
            "ridge": trial.suggest_float("ridge", 1e-6, 1.0, log=True),
        }
        if adapts
        else {}
    )
    return Setting(
        sigma_max=trial.suggest_float("sigma_max", 0.02, 1.0, log=True),
        codes=trial.suggest_categorical("codes", list(CODES)),
        scaling=trial.suggest_categorical("scaling", list(SCALINGS)),
        tail=trial.suggest_float("tail", 0.5, 3.0),
        spread=trial.suggest_float("spread", 0.0, 1.0),
        **kernel,
    )
