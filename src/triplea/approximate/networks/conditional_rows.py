"""A stored generator that is told the class: labels are drawn by released shares and given to it."""

from __future__ import annotations

import numpy as np

from triplea.approximate.model import Condition
from triplea.approximate.networks.latent_rows import LOGIT_LIMIT, LatentRows


class ConditionalRows(LatentRows):
    """Latent rows whose network takes noise and the coded label; `label` and `classes` must be given."""

    kind = "conditional-rows"

    def inputs(self, n: int, fixed: Condition, rng: np.random.Generator) -> np.ndarray:
        """Normal noise, and beside it labels: drawn by their shares, or the one that is asked for."""
        assert self.label is not None
        if self.label in fixed:
            values = self.code.binnings[self.label].assign(np.asarray([fixed[self.label]]))
            labels = np.repeat(values, n)
        else:
            labels = rng.choice(len(self.classes), size=n, p=self.classes / self.classes.sum())
        noise = super().inputs(n, fixed, rng)
        coded = labels[:, None] if len(self.classes) == 2 else labels[:, None] == np.arange(len(self.classes))
        return np.concatenate([noise, coded.astype(np.float32)], axis=1)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """The network's output; the label is as certain as can be."""
        assert self.label is not None
        logits = super().logits(inputs)
        logits[:, self.code.entries[self.label]] = LOGIT_LIMIT * (2.0 * inputs[:, self.noise :] - 1.0)
        return logits
