"""The stored generator of groups: groups by their shares, conditions that hold, storage without loss."""

import numpy as np
import pytest

from tests.approximate.codes.test_row_code import BINNINGS
from triplea.approximate.codes.row_code import RowCode
from triplea.approximate.mixtures.ball_mixtures import BallMixtures
from triplea.approximate.networks.dense import dense_layers
from triplea.approximate.networks.latent_mixtures import LatentMixtures

WIDTH = RowCode(BINNINGS).layout.width


def model(group_column="town", **options):
    rng = np.random.default_rng(0)
    groups = BINNINGS[group_column].cells if group_column else 1
    mixtures = BallMixtures.blank(groups, 2, 3)
    return LatentMixtures(
        decoders=[dense_layers(f"decoder.{g}", (3, 8, WIDTH), rng=rng) for g in range(groups)],
        mixtures=BallMixtures(
            shares=mixtures.shares,
            means=rng.uniform(-0.5, 0.5, mixtures.means.shape),
            covariances=0.05 * mixtures.covariances,
        ),
        groups=np.arange(1, groups + 1) / np.arange(1, groups + 1).sum(),
        group_column=group_column,
        binnings=BINNINGS,
        **options,
    )


@pytest.mark.parametrize("column", ["town", "sex"])
def test_groups_have_their_shares_and_stand_in_their_column(column):
    made = model(column)
    rows = made.sample(20_000, rng=np.random.default_rng(1))
    assert list(rows) == list(BINNINGS)
    found = np.bincount(BINNINGS[column].assign(rows[column]), minlength=len(made.groups)) / 20_000
    assert found == pytest.approx(made.groups, abs=0.015)


def test_conditions_hold():
    rows = model().sample(300, rng=np.random.default_rng(2), where={"town": 1, "age": 33.0})
    assert set(rows["town"]) == {1} and set(rows["age"]) == {33.0}


def test_without_a_column_there_is_one_group():
    rows = model(None, drawn=False).sample(50, rng=np.random.default_rng(3))
    assert len(rows["age"]) == 50


def test_a_stored_model_draws_the_same_rows():
    made = model()
    description, arrays = made.state()
    again = LatentMixtures.from_state(description, arrays)
    one, two = (each.sample(200, rng=np.random.default_rng(4)) for each in (made, again))
    assert all(np.array_equal(one[name], two[name]) for name in one)
