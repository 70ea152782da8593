"""Bayesian optimisation of the published 3A's free parameters on private rows: nothing here is private."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from triplea.approximate.codes.unit_code import SCALINGS
from triplea.errors import MissingExtra


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One choice of the free parameters."""

    alpha: float
    ridge: float
    sigma_max: float
    scaling: str


def require_search() -> None:
    """Raise MissingExtra where Optuna is not installed."""
    if find_spec("optuna") is None:
        raise MissingExtra(package="optuna", extra="tune", purpose="choosing parameters in trials")


def best_setting(
    score: Callable[[Setting], float], *, trials: int, adapts: bool, rng: np.random.Generator
) -> Setting:
    """The best of `trials` settings by a tree-structured Parzen estimator; without adaptation alpha is 1."""
    import optuna

    def objective(trial: optuna.Trial) -> float:
        return score(_suggested(trial.suggest_float, trial.suggest_categorical, adapts=adapts))

    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        sampler = optuna.samplers.TPESampler(seed=int(rng.integers(2**31)))
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.optimize(objective, n_trials=trials)
    finally:
        optuna.logging.set_verbosity(verbosity)
    found = study.best_params
    return Setting(
        alpha=found.get("alpha", 1.0),
        ridge=found.get("ridge", 1e-3),
        sigma_max=found["sigma_max"],
        scaling=found["scaling"],
    )


def _suggested(number: Callable[..., float], choice: Callable[..., str], *, adapts: bool) -> Setting:
    return Setting(
        alpha=number("alpha", 0.0, 1.0) if adapts else 1.0,
        ridge=number("ridge", 1e-6, 1.0, log=True) if adapts else 1e-3,
        sigma_max=number("sigma_max", 0.02, 1.0, log=True),
        scaling=choice("scaling", list(SCALINGS)),
    )
