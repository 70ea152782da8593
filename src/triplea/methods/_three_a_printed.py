"""3A as printed (Madl et al. 2023, Algorithm 2): mixtures of rows with noise. Its guarantee is claimed only.

Runs inside `door.as_claimed`. Readings where the paper leaves a choice: docs/methods/clustmix.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from triplea.adapt.inducing_points import KernelInducing
from triplea.adapt.stage import Adaptation
from triplea.anonymize.budget import Budget
from triplea.anonymize.mixing import MixtureNoise, MixWithNoise, mu_of
from triplea.approximate.codes.unit_code import TAIL, UnitCode
from triplea.approximate.gaussians.constrained_mixture import squared_distances
from triplea.approximate.gaussians.groupings import Grouping, centroids
from triplea.approximate.gaussians.regions import regions_for, slice_randomly
from triplea.approximate.gaussians.sized_assignment import sized_assignment
from triplea.approximate.mixtures.noisy_points import NoisyPoints
from triplea.errors import MethodError
from triplea.methods._three_a_choice import Contest, require_judge
from triplea.methods._three_a_tuning import Setting, require_search, seek
from triplea.queries.class_moments import classes_of, features_of
from triplea.schema import Encoded, Schema, len_of

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
REASONS = (
    "Groups are found by looking at all rows: one row can regroup everybody, and then means move far more "
    "than the 1/l that the theorem allows.",
    "Adaptation reads the rows themselves, and moves groups of every class.",
    "Cut values of the slices, the scaling and the noise of a group (by its exact size) come from the rows.",
    "Class sizes are used exactly, and a class with fewer than l_min rows is missing from the result.",
    "Where several sigma_max are given, or trials, the choice is by accuracy on the training rows.",
)
MOST_ROWS = 1e12  # no table has that many: a mixture that needs more does not exist


@dataclass(frozen=True, kw_only=True, eq=False)
class Mixtures:
    """The synthetic set S: noisy means, with the class and the noise of each."""

    points: Floats
    classes: Whole
    spreads: Floats

    @classmethod
    def joined(cls, parts: Sequence[Mixtures]) -> Mixtures:
        """All parts one after the other."""
        return cls(
            points=np.concatenate([part.points for part in parts]),
            classes=np.concatenate([part.classes for part in parts]),
            spreads=np.concatenate([part.spreads for part in parts]),
        )

    @classmethod
    def of_nothing(cls, width: int) -> Mixtures:
        """What an empty table has: one point in the middle that knows nothing."""
        return cls(points=np.full((1, width), 0.5), classes=np.zeros(1, dtype=np.int64), spreads=np.ones(1))


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """What the algorithm hands out."""

    model: NoisyPoints
    rows: int
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Algorithm:
    """Algorithm 2 with its stages and its free parameters."""

    schema: Schema
    budget: Budget
    approximate: Grouping
    adapt: Adaptation
    anonymize: MixWithNoise
    slices: int
    codes: str
    scaling: str
    tail: float = TAIL
    spread: float = 0.0
    trials: int = 0

    def run(self, rows: Encoded, rng: np.random.Generator) -> Made:
        """Make the data set; of several choices of the free parameters keep the one that trains best."""
        klass = classes_of(self.schema).assign(rows, len_of(rows))
        chooses = self.trials or len(self.anonymize.candidates) > 1
        model = self._best(rows, klass, rng) if chooses else self.once(rows, rng)
        return Made(model=model, rows=len(klass), notes=self._notes(model, klass))

    def _best(self, rows: Encoded, klass: Whole, rng: np.random.Generator) -> NoisyPoints:
        """The winner of a contest on the training rows, between trials or between values of sigma_max."""
        contest = Contest(rows=rows, klass=klass, rng=rng)

        def score(setting: Setting) -> float:
            return contest.enter(self._with(setting).once(rows, rng))

        if self.trials:
            seek(score, trials=self.trials, adapts=isinstance(self.adapt, KernelInducing), rng=rng)
        else:
            for sigma in self.anonymize.candidates:
                contest.enter(replace(self, anonymize=MixWithNoise(sigma_max=sigma)).once(rows, rng))
        assert contest.winner is not None
        return contest.winner

    def _with(self, setting: Setting) -> Algorithm:
        adapt = self.adapt
        if isinstance(adapt, KernelInducing):
            adapt = replace(adapt, alpha=setting.alpha, ridge=setting.ridge)
        return replace(
            self,
            adapt=adapt,
            anonymize=MixWithNoise(sigma_max=setting.sigma_max),
            codes=setting.codes,
            scaling=setting.scaling,
            tail=setting.tail,
            spread=setting.spread,
        )

    def once(self, rows: Encoded, rng: np.random.Generator) -> NoisyPoints:
        """Scale the rows and mix them, for one sigma_max."""
        classes, features = classes_of(self.schema), features_of(self.schema)
        code = UnitCode.fitted(
            self.schema, features, rows, codes=self.codes, scaling=self.scaling, tail=self.tail
        )
        noise = mixture_noise(self.schema, self.budget, codes=self.codes)
        klass = classes.assign(rows, len_of(rows))
        made = self.mix(code.encode(rows), klass, noise, self.anonymize.candidates[0], rng)
        return NoisyPoints(
            order=self.schema.names,
            code=code,
            label=(classes.column, classes.binning) if classes.column and classes.binning else None,
            points=made.points,
            classes=made.classes,
            spreads=np.maximum(made.spreads, self.spread),
        )

    def _notes(self, model: NoisyPoints, klass: Whole) -> tuple[str, ...]:
        noise = mixture_noise(self.schema, self.budget, codes=self.codes)
        needed = noise.least_size(max(self.anonymize.candidates))
        lost = sorted(set(range(noise.classes)) - set(model.classes.tolist()))
        notes = [f"mixtures: {len(model.points)}"]
        if lost:
            notes.append(f"classes with too few rows for a mixture, missing from the result: {lost}")
        if not self.trials and np.bincount(klass, minlength=1).max() < needed:
            notes.append(
                f"no class has l_min = {needed:.0f} rows: noise is above sigma_max. A larger epsilon, delta "
                "or sigma_max needs fewer."
            )
        return tuple(notes)

    def mix(
        self, vectors: Floats, klass: Whole, noise: MixtureNoise, sigma_max: float, rng: np.random.Generator
    ) -> Mixtures:
        """Lines 2 to 22: cut into regions, and treat each by itself.

        A class that could not fill a mixture in every region is not cut: all of it is in the first region.
        Where no class has l_min rows, the largest is one mixture, with the noise that Eq. 8 gives it.
        """
        if not len(vectors):
            return Mixtures.of_nothing(vectors.shape[1])
        sizes = np.bincount(klass, minlength=noise.classes)
        least = min(noise.least_size(sigma_max), float(sizes.max()))
        region = slice_randomly(vectors, self.slices or regions_for(len(vectors)), rng=rng)
        region[sizes[klass] < least * (region.max(initial=0) + 1)] = 0
        parts = [
            part
            for number in range(int(region.max(initial=0)) + 1)
            for part in self._region(vectors[region == number], klass[region == number], noise, least, rng)
        ]
        return Mixtures.joined(parts)

    def _region(
        self, vectors: Floats, klass: Whole, noise: MixtureNoise, least: float, rng: np.random.Generator
    ) -> Iterator[Mixtures]:
        members = {c: vectors[klass == c] for c in range(noise.classes)}
        members = {c: own for c, own in members.items() if len(own) >= least}
        if not members:
            return
        size = int(least)
        groups = {c: self.approximate.groups(own, size, rng=rng) for c, own in members.items()}  # line 6
        starts = {c: centroids(own, groups[c])[0] for c, own in members.items()}  # line 8
        adapted = self._adapted(starts, vectors, klass, rng)  # line 11
        for c, own in members.items():
            nearest = sized_assignment(squared_distances(own, adapted[c]), size)  # line 14, as a partition
            means, sizes = centroids(own, nearest)
            points, spreads = noise.mixed(means, sizes, rng)  # lines 16 to 18
            yield Mixtures(points=points, classes=np.full(len(points), c), spreads=spreads)

    def _adapted(
        self, starts: dict[int, Floats], vectors: Floats, klass: Whole, rng: np.random.Generator
    ) -> dict[int, Floats]:
        """All centroids of a region are moved together, their labels fixed."""
        points = np.concatenate(list(starts.values()))
        owner = np.repeat(list(starts), [len(own) for own in starts.values()])
        moved = self.adapt.adapt(points, owner, targets=vectors, target_labels=klass, rng=rng)
        return {c: moved.points[owner == c] for c in starts}


def mixture_noise(schema: Schema, budget: Budget, *, codes: str) -> MixtureNoise:
    """Eq. 8 for a schema and a budget: known before a row is read."""
    return MixtureNoise(
        features=max(width_of(schema, codes), 1),
        classes=classes_of(schema).size,
        mu=mu_of(budget.epsilon, budget.delta),
    )


def width_of(schema: Schema, codes: str) -> int:
    """How many entries a coded row has."""
    columns = [schema.column(name) for name in features_of(schema)]
    return sum(c.cells if codes == "one-hot" and c.is_discrete and c.cells > 2 else 1 for c in columns)


def check_budget(
    schema: Schema, budget: Budget, anonymize: MixWithNoise, *, codes: str, trials: int = 0
) -> None:
    """Refuse a budget under which no mixture fits any table, before a row is read."""
    for sigma in anonymize.candidates:
        if not 0.0 < sigma < float("inf"):
            raise MethodError(f"parameter 'sigma_max' must be a finite number above 0, got {sigma!r}.")
    if len(anonymize.candidates) > 1 or trials:
        require_judge()
    if trials:
        require_search()
    if not features_of(schema):
        raise MethodError(
            "the published variant of 3A needs at least one feature beside the target, got none."
        )
    noise, largest = mixture_noise(schema, budget, codes=codes), max(anonymize.candidates)
    if not noise.least_size(largest) < MOST_ROWS:
        raise MethodError(
            f"at epsilon = {budget.epsilon:g} and delta = {budget.delta:g} a mixture needs l_min = "
            f"{noise.least_size(largest):.3g} rows (sigma_max = {largest:g}, {noise.features} features, "
            f"{noise.classes} classes): none fits. Give a delta above 0, raise epsilon, or raise sigma_max."
        )


def said_of_sizes(schema: Schema, budget: Budget, anonymize: MixWithNoise, *, codes: str) -> str:
    """How many rows a class needs for a mixture: public, and said before anything is read."""
    noise = mixture_noise(schema, budget, codes=codes)
    sizes = ", ".join(f"{noise.least_size(s):.0f} (sigma_max {s:g})" for s in anonymize.candidates)
    return (
        f"a mixture needs l_min rows of one class: {sizes}; a smaller class is missing from the result, and "
        "if every class is smaller the noise is above sigma_max. A larger sigma_max, epsilon or delta needs "
        "fewer rows, and so do fewer columns"
    )
