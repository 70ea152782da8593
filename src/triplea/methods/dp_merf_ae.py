"""DP-MERF+AE (Harder, Adamczewski and Park 2021, section 3.3): the mean embedding of an autoencoder's codes.

Private: queries.bins and queries.marginals count; queries.reconstruction trains encoder and decoder together;
queries.embedding sums, by class, the features of every row's latent code.
Door: two measurements, one descent, one measurement, calibrated together.   Public: a generator in latent
space with the released class means; the decoder makes rows of its points.
Guarantee: (epsilon, delta), both kinds of neighbours.   Differs from the paper: the encoder is trained under
DP-SGD like the decoder, there is no siamese term (it couples pairs of rows), and codes are of cells.

The published variant trains the encoder without noise, as the paper does; its guarantee is claimed only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import Binning
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.embeddings.latent_coordinates import LatentCoordinates
from triplea.approximate.embeddings.random_features import draw_features
from triplea.approximate.networks.dense import Layers
from triplea.methods._adversaries import Recipe, autoencoder_run, automatic
from triplea.methods._merf import EMBEDDING, MerfMethod
from triplea.methods._networks import Counted, NetworkMethod, claimed_noises, public_code
from triplea.queries.embedding import Embedding
from triplea.schema import Encoded, Schema

if TYPE_CHECKING:
    from triplea.queries.descent import Descent

AUTOENCODER = "training of the autoencoder"
CLAIM = "autoencoder and embedding as published"
AUTOENCODER_PART = 0.4  # of what the counts leave; the embedding gets the rest
HARMONICS = (1.0, 2.0, 4.0)  # half turns over a latent coordinate
BANDWIDTHS = (0.1, 0.3, 1.0)
REASONS = (
    "The encoder takes gradient steps without noise (section 3.3). It is hidden state: a record can move it "
    "anywhere, and with it the code of every other record in the released embedding.",
    "Batches are drawn with replacement, and the row count is used as it is.",
)


class DPMerfAE(NetworkMethod, MerfMethod):
    """An autoencoder under DP-SGD, and DP-MERF in its latent space."""

    name = "dp-merf-ae"
    title = "DP-MERF+AE"
    summary = "the mean embedding of an autoencoder's codes; encoder and decoder under DP-SGD"
    variants = ("provable", "published")
    claimed = CLAIM
    joint_share: float

    def __init__(
        self,
        *,
        features: int = 500,
        bandwidths: Sequence[float] | None = None,
        joint_share: float = 0.5,
        count_share: float = 0.05,
        autoencoder_steps: int = 300,
        sampling_rate: float = 1 / 32,
        clip_norm: float = 1.0,
        most_bins: int = 16,
        noise: int = 10,
        hidden: Sequence[int] = (64, 64),
        steps: int = 1500,
        batch: int = 500,
        learning_rate: float = 0.01,
    ) -> None:
        self.features = features
        self.bandwidths = bandwidths
        self.joint_share = joint_share
        self.count_share = count_share
        self.autoencoder_steps = autoencoder_steps
        self.sampling_rate = sampling_rate
        self.clip_norm = clip_norm
        self.most_bins = most_bins
        self.noise = noise
        self.hidden = hidden
        self.steps = steps
        self.batch = batch
        self.learning_rate = learning_rate

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """Counts, one training run and the embedding; or, as published, one claim."""
        self.check_features()
        plan = super().plan(schema, budget)
        return Plan(asks=(*plan.asks, self._embedding_ask())) if self.variant == "provable" else plan

    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """Encoder and decoder as one run."""
        del schema
        training = Ask(
            label=AUTOENCODER, mechanism=Mechanism.SAMPLED_GAUSSIAN,
            share=AUTOENCODER_PART * self.training_share,
            sampling_rate=self.sampling_rate, steps=self.autoencoder_steps,
        )  # fmt: skip
        return (training,)

    def _embedding_ask(self) -> Ask:
        share = (1.0 - AUTOENCODER_PART) * self.training_share
        return Ask(label=EMBEDDING, mechanism=Mechanism.GAUSSIAN, share=share)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count, train the autoencoder, release the embedding of the codes, train the generator."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        inputs = _without_label(counted)
        layers: Layers = {}
        if inputs.code.layout.width:  # else every column has one value: there is nothing to encode
            coding = self._autoencoder(inputs, rng)
            layers = door.descend(coding, label=AUTOENCODER).layers
        classes = None if counted.label is None else counted.code.binnings[counted.label]
        latent = LatentCoordinates(code=inputs.code, layers=layers)
        query = self._query(latent, counted.label, classes, rng)
        released = door.measure(query, label=EMBEDDING)
        self.train(query, released.values, released.stddev, schema=door.schema, outputs=latent, rng=rng)
        return self

    def _autoencoder(self, inputs: Counted, rng: np.random.Generator) -> Descent:
        return autoencoder_run(self._recipe(inputs), inputs, clip_norm=self.clip_norm, rng=rng)

    def _recipe(self, inputs: Counted) -> Recipe:
        return replace(automatic(inputs.code.layout.width), autoencoder_steps=self.autoencoder_steps)

    def _query(
        self,
        latent: LatentCoordinates,
        label: str | None,
        classes: Binning | None,
        rng: np.random.Generator,
    ) -> Embedding:
        features = draw_features(
            latent,
            harmonics=HARMONICS,
            joint=self.features // 2,
            bandwidths=self.bandwidths or BANDWIDTHS,
            turn=0.0,
            joint_share=self.joint_share,
            count_share=self.count_share,
            rng=rng,
        )
        return Embedding(coordinates=latent, features=features, label=label, classes=classes)

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Noise on the decoder and on the embedding, none on the encoder; public bins, no counts."""
        from triplea.queries.hidden_encoder import train_hidden_encoder

        schema = door.schema
        code = public_code(schema, self.most_bins)
        label = self._label(schema, code.binnings)
        classes = None if label is None else code.binnings[label]
        inputs = _without_label(replace(Counted.blank(code, rows=1), label=label))
        coding = self._autoencoder(inputs, rng)
        training, embedding = claimed_noises((*self.trainings(schema), self._embedding_ask()), door.budget)

        def computation(
            rows: Encoded, chance: np.random.Generator
        ) -> tuple[Embedding, np.ndarray, np.ndarray]:
            coded = inputs.code.encode(rows)
            layers = train_hidden_encoder(
                coded, coding.layers, layout=inputs.code.layout, optimizer=coding.optimizer,
                steps=self.autoencoder_steps, batch=max(1, round(self.sampling_rate * len(coded))),
                clip_norm=self.clip_norm, noise_multiplier=training, generator=chance,
            )  # fmt: skip
            latent = LatentCoordinates(code=inputs.code, layers=layers)
            query = self._query(latent, label, classes, rng)
            spread = np.asarray(query.scale) * query.swap_l2 * embedding
            sums = query.partial_sums(rows) * np.asarray(query.grid)
            return query, sums + spread * chance.standard_normal(query.shape), spread

        query, values, spread = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        assert isinstance(query.coordinates, LatentCoordinates)
        self.train(query, values, spread, schema=schema, outputs=query.coordinates, rng=rng)
        return self


def _without_label(counted: Counted) -> Counted:
    """What the autoencoder sees: every column but the label, which the embedding has by class."""
    names = [name for name in counted.code.binnings if name != counted.label]
    shares = counted.shares
    return replace(
        counted,
        code=RowCode({name: counted.code.binnings[name] for name in names}),
        label=None,
        joint={name: shares[name] for name in names},
    )
