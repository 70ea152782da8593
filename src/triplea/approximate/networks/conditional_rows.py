"""A stored generator that is told the class: labels are drawn by released shares and given to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from triplea.approximate.mixtures.product_mixture import quota
from triplea.approximate.model import Condition, State
from triplea.approximate.networks.latent_rows import LOGIT_LIMIT, LatentRows


class ConditionalRows(LatentRows):
    """Latent rows whose network takes noise and the coded `label`, drawn by the shares of its `classes`.

    `shifts`, one line for each class, are added to what the network says; without them nothing is.
    """

    kind = "conditional-rows"

    def __init__(
        self, *, label: str, classes: np.ndarray, shifts: np.ndarray | None = None, **network: Any
    ) -> None:
        super().__init__(**network)
        self.label = label
        self.classes = classes
        self.shifts = np.zeros((0, 0), np.float32) if shifts is None else shifts

    def inputs(self, n: int, fixed: Condition, rng: np.random.Generator) -> np.ndarray:
        """Normal noise, and beside it labels: as many as their shares say, or the one that is asked for."""
        if self.label in fixed:
            labels = np.repeat(self.code.binnings[self.label].assign(np.asarray([fixed[self.label]])), n)
        else:
            counts = quota(self.classes / self.classes.sum(), n, rng)
            labels = rng.permutation(np.repeat(np.arange(len(counts)), counts))
        return self.told(super().inputs(n, fixed, rng), labels)

    def told(self, noise: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Noise with the coded labels beside it."""
        coded = labels[:, None] if len(self.classes) == 2 else labels[:, None] == np.arange(len(self.classes))
        return np.concatenate([noise, coded.astype(np.float32)], axis=1)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """The network's output, shifted for its class; the label is as certain as can be."""
        logits, coded = super().logits(inputs), inputs[:, self.noise :]
        if len(self.shifts):
            labels = coded[:, 0].astype(np.intp) if coded.shape[1] == 1 else coded.argmax(axis=1)
            logits = np.clip(logits + self.shifts[labels], -LOGIT_LIMIT, LOGIT_LIMIT)
        logits[:, self.code.entries[self.label]] = LOGIT_LIMIT * (2.0 * coded - 1.0)
        return logits

    def state(self) -> State:
        """Return what latent rows have, the label, its shares and the shifts."""
        description, arrays = super().state()
        described = {**description, "label": self.label}
        return described, {**arrays, "classes": self.classes, "shifts": self.shifts}

    @classmethod
    def arguments(cls, description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """What `state` says about the arguments of a model."""
        known = super().arguments(description, arrays)
        return {
            **known,
            "label": description["label"],
            "classes": arrays["classes"],
            "shifts": arrays["shifts"],
        }
