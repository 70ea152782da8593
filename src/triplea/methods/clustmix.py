"""ClustMix (Madl et al. 2023, arXiv:2307.01875): cluster, move the centres for a learner, mix with noise.

Private: sums over cells of rows, `queries.cell_tables` and `queries.cluster_sums`.   Door: codes, classes,
cells.   Public: cells from what was released, adaptation on draws from them, rows.   Guarantee: (epsilon,
delta) for the stated neighbours, proved: the composition of the questions in the ledger. Differs from the
paper, whose guarantee does not hold (docs/methods/clustmix.md): cells are fixed before rows are looked at,
and sizes are noisy.

    provable                                          published (Algorithm 2; claimed)
 1  code: bins, or scaled numbers                     scale to [0, 1]; cut into slices
 2  classes: noisy counts and sums                    l_min from Eq. 8; |X_c| / l_min clusters per class
 3  cells: rounds of likeliest cells, noisy sums      size-constrained Gaussian mixture, centroids
 4  adapt: kernel inducing points on released cells   kernel inducing points on the rows
           (or on rows: DP-KIP, in the plan)
 5  rows: cell means plus the spread within           re-assign as a partition; means with noise
"""

from __future__ import annotations

from collections.abc import Sequence

from triplea.adapt.inducing_points import KernelInducing
from triplea.adapt.one_of import OneOf
from triplea.adapt.private_inducing import PrivateInducing
from triplea.adapt.stage import Adaptation, Unchanged
from triplea.anonymize.mixing import MixWithNoise
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.approximate.cell_stages import LearnedCells
from triplea.approximate.codes.unit_code import TAIL
from triplea.approximate.gaussians.constrained_mixture import ConstrainedMixture
from triplea.approximate.networks.compiled import require_jax
from triplea.methods._three_a_adapting import Stage
from triplea.methods._three_a_checks import (
    alphas,
    check_cells_of_classes,
    check_choice,
    check_kernel,
    check_reading,
    one_alpha,
    one_sigma,
    sigmas,
)
from triplea.methods.three_a import Combination, ThreeA

SIGMA_MAX: dict[str, float | tuple[float, ...]] = {"provable": 0.05, "published": (0.05, 0.1, 0.2, 0.4)}
ALPHA = {"provable": 1.0, "published": 0.5}
LEARN_FROM = ("cells", "rows")


class ClustMix(Combination):
    """Cluster mixing.

    Both variants: `alpha` weighs staying at the centres against serving a learner (Eq. 6: 1 stays, 0 adapts;
    None: 1 in the provable variant, 0.5 in the published one; provable, of a list of them the plan pays for a
    choice by the rows' classes), `ridge` is its lambda, `depth` the hidden layers of the kernel's network,
    `steps` the most steps of Adam; `sigma_max` bounds the noise of a mixture (None: 0.05; published: of 0.05,
    0.1, 0.2 and 0.4 the best on the training rows).

    Provable: at most `clusters` cells per class, redrawn in `rounds`; adaptation learns from draws of the
    released "cells", or from the "rows" by a private run that the plan pays for (DP-KIP).

    Published: `slices` (0: one for 20,000 rows), `codes`, `scaling` (normal scores are cut at +-`tail`), the
    least `spread` of rows beyond the mixtures (on the scale from 0 to 1), and `trials` of Bayesian
    optimisation on the training rows (the paper: 30).
    """

    name = "clustmix"
    title = "ClustMix"
    summary = "3A: clusters within classes, adapted to a learner, mixed with noise"
    variants = ("provable", "published")
    claim = "provable: (epsilon, delta), proved; published: (epsilon, delta), claimed"

    def __init__(
        self,
        *,
        alpha: float | Sequence[float] | None = None,
        ridge: float = 1e-3,
        depth: int = 2,
        steps: int = 300,
        learn_from: str = "cells",
        sigma_max: float | Sequence[float] | None = None,
        clusters: int = 8,
        rounds: int = 2,
        slices: int = 0,
        codes: str = "ordinal",
        scaling: str = "min-max",
        tail: float = TAIL,
        spread: float = 0.0,
        trials: int = 0,
        max_cells: int = 20_000_000,
    ) -> None:
        self.alpha = alpha
        self.ridge = ridge
        self.depth = depth
        self.steps = steps
        self.learn_from = learn_from
        self.sigma_max = sigma_max
        self.clusters = clusters
        self.rounds = rounds
        self.slices = slices
        self.codes = codes
        self.scaling = scaling
        self.tail = tail
        self.spread = spread
        self.trials = trials
        self.max_cells = max_cells

    def combination(self) -> ThreeA:
        """The three stages of the chosen variant."""
        self._check()
        sigma = SIGMA_MAX[self.variant] if self.sigma_max is None else self.sigma_max
        if self.variant == "published":
            return ThreeA(
                approximate=ConstrainedMixture(),
                adapt=self._adaptation(),
                anonymize=MixWithNoise(sigma_max=sigmas(sigma)),
                slices=self.slices,
                codes=self.codes,
                scaling=self.scaling,
                tail=self.tail,
                spread=self.spread,
                trials=self.trials,
            )
        return ThreeA(
            approximate=LearnedCells(clusters=self.clusters, rounds=self.rounds),
            adapt=self._adaptation(),
            anonymize=NoisyCells(sigma_max=one_sigma(sigma)),
            max_cells=self.max_cells,
        )

    def _adaptation(self) -> Stage:
        given = alphas(ALPHA[self.variant] if self.alpha is None else self.alpha)
        if self.variant == "provable" and self.learn_from == "rows":
            require_jax("ClustMix that learns from rows")
            return PrivateInducing(
                alpha=one_alpha(given), ridge=self.ridge, depth=self.depth, steps=self.steps
            )
        if self.variant == "published":
            return self._by_kernel(one_alpha(given))
        stages = tuple(self._by_kernel(alpha) for alpha in given)
        return stages[0] if len(stages) == 1 else OneOf(stages=stages)

    def _by_kernel(self, alpha: float) -> Adaptation:
        if alpha == 1.0:
            return Unchanged()
        require_jax("ClustMix with alpha below 1")
        return KernelInducing(alpha=alpha, ridge=self.ridge, depth=self.depth, steps=self.steps)

    def _check(self) -> None:
        """Refuse parameters outside their ranges, those of the other variant too."""
        check_kernel(ridge=self.ridge, depth=self.depth, steps=self.steps)
        check_choice("learn_from", self.learn_from, LEARN_FROM)
        check_cells_of_classes(clusters=self.clusters, rounds=self.rounds)
        check_reading(
            slices=self.slices, codes=self.codes, scaling=self.scaling, tail=self.tail,
            spread=self.spread, trials=self.trials,
        )  # fmt: skip
