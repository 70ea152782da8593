"""A table as the authors' code of DP-MERF sees it: numbers first, then codes, and the label apart."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from triplea.approximate.codes.binning import Binning, each_value
from triplea.approximate.codes.coordinates import whole_range
from triplea.approximate.embeddings.published_merf import (
    Embedded,
    PublishedGenerator,
    published_embedding,
    raw_matrix,
)
from triplea.approximate.embeddings.schema_hints import class_column
from triplea.schema import Encoded, Schema


class PublishedTable:
    """The columns of a schema in the published order."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.label = class_column(schema)
        others = [column for column in schema.columns if column is not self.label]
        self.names = tuple(c.name for c in sorted(others, key=lambda column: column.is_discrete))
        self.numeric = sum(not column.is_discrete for column in others)

    @cached_property
    def classes(self) -> Binning | None:
        """The label's classes."""
        return None if self.label is None else each_value(self.label)

    def embedding(
        self,
        rows: Encoded,
        chance: np.random.Generator,
        *,
        features: int,
        undersampling: float,
        noise_multiplier: float,
    ) -> Embedded:
        """What the authors' code computes from rows, noise included."""
        matrix = raw_matrix(rows, self.names, self.schema)
        labels = np.zeros(len(matrix), int)
        if self.label is not None and self.classes is not None:
            labels = np.asarray(self.classes.assign(rows[self.label.name]), int)
        return published_embedding(
            matrix,
            labels,
            classes=1 if self.classes is None else self.classes.cells,
            numeric=self.numeric,
            features=features,
            undersampling=undersampling,
            noise_multiplier=noise_multiplier,
            rng=chance,
        )

    def model(self, found: Embedded, layers: dict[str, np.ndarray], *, noise: int) -> PublishedGenerator:
        """The trained layers with what they need to put out rows."""
        columns = [self.schema.column(name) for name in self.names]
        lowest = [0.0 if c.is_discrete or not c.is_countable else c.bounds[0] for c in columns]
        binnings = {name: whole_range(self.schema, name) for name in self.schema.names}
        if self.label is not None and self.classes is not None:
            binnings[self.label.name] = self.classes
        return PublishedGenerator(
            layers=layers,
            noise=noise,
            numeric=self.numeric,
            weights=found.weights,
            names=self.names,
            lowest=np.asarray(lowest, float),
            binnings=binnings,
            label=None if self.label is None else self.label.name,
            order=self.schema.names,
        )
