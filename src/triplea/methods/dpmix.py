"""DPMix (Lee et al. 2019): mixtures of random rows of a class, with noise. ClustMix without the clusters.

Private: sums over random cells of rows.   Door: codes, classes, cells.   Public: rows from the noisy cells.
Guarantee: (epsilon, delta) for the stated neighbours, proved. Differs from the paper: a row's cell is a keyed
hash of the row, so that every row is mixed once and a sum over cells has the bound of one cell.

    provable                                   published (as in 3A's comparison; claimed)
 1  code: bins, or scaled numbers              scale to [0, 1]
 2  classes: noisy counts and sums             l_min from Eq. 8
 3  cells: by a keyed hash; noisy sums         groups of l_min random rows per class
 4  rows: cell means plus the spread within    means with noise
"""

from __future__ import annotations

from triplea.adapt.stage import Unchanged
from triplea.anonymize.mixing import MixWithNoise
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.approximate.cell_stages import RandomCells
from triplea.approximate.codes.unit_code import TAIL
from triplea.approximate.gaussians.groupings import RandomGroups
from triplea.methods._three_a_checks import check_cells_of_classes, check_reading, one_sigma
from triplea.methods.three_a import Combination, ThreeA

SIGMA_MAX = {"provable": 0.05, "published": 0.1}


class DPMix(Combination):
    """Random mixing: the baseline that ClustMix improves on.

    `sigma_max` bounds the noise of a mixture (None: 0.05, published 0.1), `clusters` the cells per class of
    the provable variant; `codes`, `scaling`, `tail` and `spread` belong to the published one, as in ClustMix.
    """

    name = "dpmix"
    title = "DPMix"
    summary = "3A without clusters: random mixtures of a class's rows, with noise"
    variants = ("provable", "published")
    claim = "provable: (epsilon, delta), proved; published: (epsilon, delta), claimed"

    def __init__(
        self,
        *,
        sigma_max: float | None = None,
        clusters: int = 8,
        codes: str = "ordinal",
        scaling: str = "min-max",
        tail: float = TAIL,
        spread: float = 0.0,
        max_cells: int = 20_000_000,
    ) -> None:
        self.sigma_max = sigma_max
        self.clusters = clusters
        self.codes = codes
        self.scaling = scaling
        self.tail = tail
        self.spread = spread
        self.max_cells = max_cells

    def combination(self) -> ThreeA:
        """The three stages of the chosen variant."""
        check_cells_of_classes(clusters=self.clusters, rounds=1)
        check_reading(
            slices=1, codes=self.codes, scaling=self.scaling, tail=self.tail, spread=self.spread, trials=0
        )
        sigma = one_sigma(SIGMA_MAX[self.variant] if self.sigma_max is None else self.sigma_max)
        if self.variant == "published":
            return ThreeA(
                approximate=RandomGroups(),
                adapt=Unchanged(),
                anonymize=MixWithNoise(sigma_max=sigma),
                slices=1,
                codes=self.codes,
                scaling=self.scaling,
                tail=self.tail,
                spread=self.spread,
            )
        return ThreeA(
            approximate=RandomCells(clusters=self.clusters),
            adapt=Unchanged(),
            anonymize=NoisyCells(sigma_max=sigma),
            max_cells=self.max_cells,
        )
