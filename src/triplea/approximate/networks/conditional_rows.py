"""A stored generator that is told the class: labels are drawn by released shares and given to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from triplea.approximate.model import Condition, State
from triplea.approximate.networks.latent_rows import LOGIT_LIMIT, LatentRows


class ConditionalRows(LatentRows):
    """Latent rows whose network takes noise and the coded label; `label` and `classes` must be given.

    `shifts`, one line per class, are added to what the network says; without them nothing is.
    """

    kind = "conditional-rows"
    shifts: np.ndarray = np.zeros((0, 0), np.float32)

    def inputs(self, n: int, fixed: Condition, rng: np.random.Generator) -> np.ndarray:
        """Normal noise, and beside it labels: drawn by their shares, or the one that is asked for."""
        assert self.label is not None
        if self.label in fixed:
            values = self.code.binnings[self.label].assign(np.asarray([fixed[self.label]]))
            labels = np.repeat(values, n)
        else:
            labels = rng.choice(len(self.classes), size=n, p=self.classes / self.classes.sum())
        return self.told(super().inputs(n, fixed, rng), labels)

    def told(self, noise: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Noise with the coded labels beside it."""
        coded = labels[:, None] if len(self.classes) == 2 else labels[:, None] == np.arange(len(self.classes))
        return np.concatenate([noise, coded.astype(np.float32)], axis=1)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """The network's output, shifted for its class; the label is as certain as can be."""
        assert self.label is not None
        logits, coded = super().logits(inputs), inputs[:, self.noise :]
        if len(self.shifts):
            labels = coded[:, 0].astype(np.intp) if coded.shape[1] == 1 else coded.argmax(axis=1)
            logits = np.clip(logits + self.shifts[labels], -LOGIT_LIMIT, LOGIT_LIMIT)
        logits[:, self.code.entries[self.label]] = LOGIT_LIMIT * (2.0 * coded - 1.0)
        return logits

    def state(self) -> State:
        """Return what latent rows have, and the shifts."""
        description, arrays = super().state()
        return description, {**arrays, "shifts": self.shifts}

    @classmethod
    def from_state(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """Rebuild what `state` gave."""
        model = super().from_state(description, arrays)
        model.shifts = arrays["shifts"]
        return model
