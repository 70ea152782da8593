"""The Anonymize stage of the provable 3A: how the budget is shared out, and how small a cell may be."""

from __future__ import annotations

from dataclasses import dataclass

from triplea.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class NoisyCells:
    """Noisy counts and sums by cell, in one calibrated plan.

    `sigma_max` bounds the noise of a cell's mean, in units of one row's entry: a class is cut into cells of
    at least l_min = noise of a sum / sigma_max rows, as Eq. 8 of the paper has it. `classes_share` and
    `cells_share` are parts of the squared signal-to-noise; codes (bins, scales, spreads) get the rest.
    """

    sigma_max: float = 0.05
    classes_share: float = 0.4
    cells_share: float = 0.4

    def __post_init__(self) -> None:
        """Refuse shares and noise outside their ranges."""
        if not 0.0 < self.sigma_max < float("inf"):
            raise MethodError(
                f"parameter 'sigma_max' must be a finite number above 0, got {self.sigma_max!r}."
            )
        for name in ("classes_share", "cells_share"):
            if not 0.0 < getattr(self, name) < 1.0:
                raise MethodError(
                    f"parameter {name!r} must lie strictly between 0 and 1, got {getattr(self, name)!r}."
                )
        if self.classes_share + self.cells_share >= 1.0:
            raise MethodError(
                "parameters 'classes_share' and 'cells_share' must add up to less than 1, got "
                f"{self.classes_share + self.cells_share:g}. Lower one of them."
            )

    @property
    def codes_share(self) -> float:
        """What is left for bins, scales and spreads."""
        return 1.0 - self.classes_share - self.cells_share

    def least_size(self, stddev: float) -> float:
        """The smallest cell whose mean has noise of at most `sigma_max`, for sums with this noise."""
        return stddev / self.sigma_max
