"""DP-SYN (Abay, Zhou, Kantarcioglu, Thuraisingham and Sweeney 2018): an autoencoder and a mixture per label.

Private: queries.bins and queries.marginals count; queries.grouped_reconstruction trains one autoencoder per
label; queries.mixture_moments sums what a round of expectation-maximisation needs.
Door: two measurements, one descent, then one measurement per round.   Public: the M steps; a row is a label,
a component, a point in the latent ball, and a draw from the label's decoder.
Guarantee: (epsilon, delta) for the whole table, labels included.   Differs from the paper:
docs/methods/dp-syn.md.

The published variant takes labels as public, chooses K on the codes and scales noise by raw cluster sizes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.mixtures.ball_mixtures import BallMixtures, maximised, spread_out
from triplea.approximate.networks.ball_codes import BallCoder, one_hot, part_of
from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.approximate.networks.latent_mixtures import LatentMixtures
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.methods._checks import check_whole
from triplea.methods._networks import Counted, NetworkMethod, bins_for, claimed_noises, public_code, with_bias
from triplea.queries.mixture_moments import MixtureMoments
from triplea.queries.published_dp_em import published_mixture
from triplea.schema import Encoded, Schema

if TYPE_CHECKING:
    from triplea.queries.descent import Descent

TRAINING, ROUNDS = "training of the autoencoders", "rounds of expectation-maximisation"
CLAIM = "autoencoders and DP-EM as published"
AUTOENCODER_PART = 0.5  # of what the counts leave
MOST_GROUPS = 10  # labels with more classes share one autoencoder
MOST_COMPONENTS = 7  # the published variant chooses up to so many
REASONS = (
    "Labels are taken as public: the size of every class is used as it is.",
    "The number of components is chosen by a score on the private codes, and the choice is not paid for.",
    "The noise on a component's mean and covariance is scaled by its raw size: two neighbours get noise of "
    "different laws, and that is no Gaussian mechanism.",
    "Codes are scaled by their largest norm, and the first means lie around their raw mean.",
)


class DpSyn(NetworkMethod):
    """Per label: encoder into the unit ball, Gaussian mixture there, decoder back to column probabilities."""

    name = "dp-syn"
    title = "DP-SYN"
    summary = "an autoencoder per label under DP-SGD, and a mixture of Gaussians in its latent space"
    variants = ("provable", "published")
    claimed = CLAIM

    def __init__(
        self,
        *,
        hidden: int = 40,
        latent: int = 8,
        components: int = 3,
        steps: int = 300,
        rounds: int = 4,
        sampling_rate: float = 1 / 32,
        learning_rate: float = 0.01,
        clip_norm: float = 1.0,
        most_bins: int = 16,
    ) -> None:
        self.hidden = hidden
        self.latent = latent
        self.components = components
        self.steps = steps
        self.rounds = rounds
        self.sampling_rate = sampling_rate
        self.learning_rate = learning_rate
        self.clip_norm = clip_norm
        self.most_bins = most_bins

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Counts, one training run and the rounds of EM; or, as published, one claim."""
        check_whole("hidden", self.hidden, least=1, most=4096)  # codes in fixed point are exact up to here
        check_whole("latent", self.latent, least=1, most=64)
        check_whole("components", self.components, least=1, most=64)
        check_whole("rounds", self.rounds, least=1, most=100)
        return super().plan(schema, budget)

    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """The autoencoders as one run, and one Gaussian measurement per round."""
        del schema
        training, left = AUTOENCODER_PART * self.training_share, (1 - AUTOENCODER_PART) * self.training_share
        return (
            Ask(
                label=TRAINING, mechanism=Mechanism.SAMPLED_GAUSSIAN, share=training,
                sampling_rate=self.sampling_rate, steps=self.steps,
            ),
            Ask(label=ROUNDS, mechanism=Mechanism.GAUSSIAN, share=left, times=self.rounds),
        )  # fmt: skip

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count, train all autoencoders in one run, fit the mixtures by noisy rounds."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        if not counted.code.layout.width:  # every column has one value: there is nothing to learn
            self.model_ = LatentRows(layers={}, noise=1, binnings=counted.code.binnings)
            return self
        label = _groups_by(counted.code, counted.label)
        parts = _by_group(counted, label)
        layers = door.descend(self._run(parts, counted, label, rng), label=TRAINING).layers
        encoders, decoders = ([part_of(layers, f"{role}.{g}") for g in range(len(parts))] for role in ROLES)
        coder = BallCoder(code=counted.code, label=label, encoders=encoders)
        self.model_ = LatentMixtures(
            decoders=decoders,
            mixtures=self._mixtures(door, coder, rng),
            groups=np.ones(1) if label is None else counted.shares[label],
            group_column=label,
            binnings=counted.code.binnings,
        )
        return self

    def _mixtures(self, door: Door, coder: BallCoder, rng: np.random.Generator) -> BallMixtures:
        """EM from noisy sums; the first round finds each group's Gaussian, where all components start."""
        mixtures = BallMixtures.blank(len(coder.encoders), self.components, self.latent)
        for index in range(self.rounds):
            query = MixtureMoments(coder=coder, mixtures=mixtures)
            released = door.measure(query, label=ROUNDS)
            sums = query.sums(released.values, released.stddev)
            first = index == 0 and self.rounds > 1
            mixtures = spread_out(sums, rng=rng) if first else maximised(sums)
        return mixtures

    def _run(
        self, parts: list[Counted], counted: Counted, label: str | None, rng: np.random.Generator
    ) -> Descent:
        """All groups' networks under one clip: a row's gradient is zero in those of the other groups."""
        from triplea.approximate.networks.optimizers import adam
        from triplea.queries.descent import Descent
        from triplea.queries.grouped_reconstruction import GroupedReconstruction

        width = counted.code.layout.width
        encoders: list[Layers] = []
        decoders: list[Layers] = []
        for g, part in enumerate(parts):
            encoders.append(dense_layers(f"encoder.{g}", (width, self.hidden, self.latent), rng=rng))
            fresh = dense_layers(f"decoder.{g}", (self.latent, self.hidden, width), rng=rng)
            decoders.append(with_bias(fresh, f"decoder.{g}.1", part))
        groups = BallCoder(code=counted.code, label=label, encoders=encoders)

        def encode(rows: Encoded) -> np.ndarray:
            return np.hstack([counted.code.encode(rows), one_hot(groups.groups(rows), len(parts))])

        return Descent(
            task=GroupedReconstruction(
                layout=counted.code.layout,
                encoders=tuple(tuple(layers) for layers in encoders),
                decoders=tuple(tuple(layers) for layers in decoders),
            ),
            encode=encode,
            layers={name: layer for layers in (*encoders, *decoders) for name, layer in layers.items()},
            optimizer=adam(self.learning_rate, decay_steps=self.steps, last=0.1),
            clip_norm=self.clip_norm,
            n_public=counted.rows,
            average=0.9,
        )

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Group by group on the raw rows: an autoencoder, codes, DP-EM; half of the budget each."""
        code = public_code(door.schema, bins_for(door.schema, self.most_bins))
        label = _groups_by(code, self._label(door.schema, code.binnings))
        half = Budget(
            epsilon=door.budget.epsilon / 2, delta=door.budget.delta / 2, neighbours=door.budget.neighbours
        )
        (noise,) = claimed_noises(self.trainings(door.schema)[:1], half)

        def computation(rows: Encoded, generator: np.random.Generator) -> tuple[LatentMixtures, int]:
            return self._published(rows, code, label, (noise, half), generator=generator, rng=rng)

        self.model_, count = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        self.rows_ = float(count)
        return self

    def _published(
        self,
        rows: Encoded,
        code: RowCode,
        label: str | None,
        paid: tuple[float, Budget],
        *,
        generator: np.random.Generator,
        rng: np.random.Generator,
    ) -> tuple[LatentMixtures, int]:
        from triplea.anonymize.descending import train

        noise, half = paid
        groups = BallCoder(code=code, label=label, encoders=[]).groups(rows)
        sizes = np.bincount(groups, minlength=code.binnings[label].cells if label else 1)
        decoders, mixtures = [], []
        for g, size in enumerate(sizes):
            mine = {name: values[groups == g] for name, values in rows.items()}
            blank = Counted.blank(code, rows=int(size))
            descent = self._run([blank], blank, None, rng)
            layers = train(
                descent, descent.encode(mine), rate=self.sampling_rate, steps=self.steps,
                stddev=noise * self.clip_norm, generator=generator, public_generator=rng, label=CLAIM,
            ).layers  # fmt: skip
            coder = BallCoder(code=code, label=None, encoders=[part_of(layers, "encoder.0")])
            decoders.append(part_of(layers, "decoder.0"))
            mixtures.append(_scaled_mixture(coder.codes(mine)[1], half, generator))
        model = LatentMixtures(
            decoders=decoders,
            mixtures=_side_by_side(mixtures),
            groups=np.maximum(sizes, 1e-9) / max(sizes.sum(), 1e-9),
            group_column=label,
            binnings=code.binnings,
            drawn=False,
        )
        return model, len(groups)


ROLES = ("encoder", "decoder")


def _groups_by(code: RowCode, label: str | None) -> str | None:
    """The column whose cells are the groups: the label, if it has few classes."""
    return label if label is not None and code.binnings[label].cells <= MOST_GROUPS else None


def _by_group(counted: Counted, label: str | None) -> list[Counted]:
    """What was counted, group by group; without a label there is one."""
    if label is None:
        return [replace(counted, label=None, joint=counted.shares)]
    cells = {name: binning.cells for name, binning in counted.code.binnings.items()}
    tables = {name: np.maximum(part.reshape(-1, cells[name]), 0.0) for name, part in counted.joint.items()}
    return [
        replace(
            counted,
            label=None,
            joint={name: table[g] / max(table[g].sum(), 1e-12) for name, table in tables.items()},
        )
        for g in range(cells[label])
    ]


def _scaled_mixture(codes: np.ndarray, half: Budget, generator: np.random.Generator) -> BallMixtures:
    """DP-EM on codes divided by their largest norm, put back to scale."""
    longest = float(np.linalg.norm(codes, axis=1).max(initial=1e-3))
    found = published_mixture(
        codes / longest, most=MOST_COMPONENTS, epsilon=half.epsilon, delta=half.delta, generator=generator
    )
    return replace(found, means=longest * found.means, covariances=longest**2 * found.covariances)


def _side_by_side(mixtures: list[BallMixtures]) -> BallMixtures:
    """Mixtures of different sizes as one; missing components have no share."""
    most = max(each.shares.shape[1] for each in mixtures)
    whole = BallMixtures.blank(len(mixtures), most, mixtures[0].means.shape[-1])
    whole.shares[:] = 0.0
    for g, each in enumerate(mixtures):
        size = each.shares.shape[1]
        whole.shares[g, :size], whole.means[g, :size] = each.shares[0], each.means[0]
        whole.covariances[g, :size] = each.covariances[0]
    return whole
