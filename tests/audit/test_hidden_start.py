"""From the chosen start, one odd row moves the sums of an encoder without noise far beyond the clip norm."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax")

from tests.audit.test_pairs import differing
from triplea.audit.catalogue import attacked
from triplea.audit.hidden_start import hidden_encoder, start
from triplea.audit.runs import Batch, look
from triplea.releases.request import prepare


def test_one_row_is_exchanged() -> None:
    assert differing(hidden_encoder()) == (1, 1)


def test_the_usual_row_is_known_by_heart_and_the_odd_one_is_not() -> None:
    layers = start(4)
    (weights, biases), (steep, _) = layers["encoder.0"], layers["decoder.0"]
    usual, odd = biases[0], biases[0] + weights.sum()
    assert (steep * usual < -30).all() and (-30 < steep * odd).all() and (steep * odd < -20).all()


def test_an_odd_row_pulls_all_of_the_decoders_biases_to_one_side() -> None:
    pair = hidden_encoder()
    request = prepare(
        schema=pair.schema, epsilon=1.0, delta=1e-5, neighbours=pair.relation,
        method=attacked("dp-auto-gan", "published", pair),
    )  # fmt: skip
    means = []
    for table in (pair.table, pair.neighbour):
        batch = Batch(request=request, table=table, other=table, sign=1.0, seeds=(0, 1), visible=False)
        seen = look(batch)
        means.append(np.mean([run.features["mean of decoder.0.biases"] for run in seen if run.features]))
    assert means[1] < means[0] - 0.004
