"""What DP-MERF and DP-MERF+AE share: checks of their parameters, and from an embedding to a generator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triplea.approximate.embeddings.class_weights import class_weights
from triplea.approximate.embeddings.embedding_generator import Outputs
from triplea.approximate.embeddings.embedding_target import read_embedding
from triplea.approximate.embeddings.generator_fit import GeneratorOptions, fit_generator
from triplea.approximate.embeddings.schema_hints import balanced
from triplea.errors import MethodError
from triplea.methods._base import Method
from triplea.methods._checks import check_fraction, check_positive, check_whole
from triplea.queries.embedding import Embedding
from triplea.schema import Schema

EMBEDDING = "class sums of features"
WHOLE = (
    ("features", 0, 1_000_000),
    ("most_bins", 2, 4096),
    ("noise", 1, 1000),
    ("steps", 1, 10_000_000),
    ("batch", 16, 1_000_000),
)


class MerfMethod(Method):
    """Parameters of the features and of the generator's training, and what is done with a released embedding.

    Everything here is public: it sees released values only.
    """

    features: int
    bandwidths: Sequence[float] | None
    joint_share: float | None
    count_share: float
    noise: int
    hidden: Sequence[int]
    steps: int
    batch: int
    learning_rate: float
    losses_: list[float]

    def train(
        self,
        query: Embedding,
        values: np.ndarray,
        stddev: float | np.ndarray,
        *,
        schema: Schema,
        outputs: Outputs,
        image: tuple[int, int] | None = None,
        sizes: tuple[np.ndarray, float] | None = None,
        rng: np.random.Generator,
    ) -> None:
        """Read the released sums and train a generator on them; sets `model_`, `rows_` and notes."""
        spread = np.broadcast_to(stddev, query.shape)
        target = read_embedding(values, spread, query.features, sizes=sizes)
        self.rows_ = float(max(target.counts.sum(), 1.0))
        weights, self.notes_ = class_weights(target.counts, balanced=balanced(schema))
        self.model_, self.losses_ = fit_generator(
            target,
            query.features,
            outputs,
            options=GeneratorOptions(
                noise=self.noise,
                hidden=tuple(self.hidden),
                steps=self.steps,
                batch=self.batch,
                learning_rate=self.learning_rate,
                image=image,
            ),
            weights=weights,
            label=query.label,
            classes=query.classes,
            order=schema.names,
            rng=rng,
            say=self.say,
        )

    def check_features(self) -> None:
        """Refuse parameters outside their ranges."""
        check_fraction("count_share", self.count_share)
        joint_share = 0.0 if self.joint_share is None else self.joint_share
        if self.joint_share is not None:
            check_fraction("joint_share", joint_share)
        if joint_share + self.count_share >= 1.0:
            raise MethodError(
                "parameters 'joint_share' and 'count_share' must add up to less than 1, got "
                f"{joint_share + self.count_share:g}. Lower one of them."
            )
        for option, least, most in WHOLE:
            check_whole(option, getattr(self, option), least=least, most=most)
        check_positive("learning_rate", self.learning_rate)
        if self.bandwidths is not None and not _widths(self.bandwidths):
            raise MethodError(
                f"parameter 'bandwidths' must list numbers above 0, got {self.bandwidths!r}. Usual: 1."
            )


def _widths(given: object) -> bool:
    """Whether these are bandwidths."""
    if not isinstance(given, list | tuple) or not given:
        return False
    return all(isinstance(width, int | float) and 0.0 < width < np.inf for width in given)
