"""Images of several kinds within a class: parts with centres and spreads of their own."""

import numpy as np
import pytest

from tests.methods.numbers_support import fitted, schema_of, table_of
from triplea.anonymize.budget import Budget
from triplea.anonymize.neighbours import Neighbours
from triplea.approximate.codes.number_layout import NumberLayout
from triplea.audit import Recording, neighbours_of
from triplea.methods._mosaic_image import KNOWN, image_cells, image_shares
from triplea.methods._mosaic_image_parts import CENTRES, SPREADS, spread_cells
from triplea.methods._mosaic_numbers import NumberMosaic
from triplea.methods._mosaic_parts import PARTS, ROUNDS
from triplea.releases.request import prepare

SIDE = 8
SCHEMA = schema_of(SIDE * SIDE, lower=0.0, upper=255.0, image={"shape": [SIDE, SIDE]})


@pytest.fixture(autouse=True)
def _few_public_draws(monkeypatch):
    monkeypatch.setattr("triplea.methods._mosaic_image.PUBLIC_DRAWS", 2000)


def _blots(n=6000, *, still=False, seed=0):
    """One class is a blot on the left or on the right, never between; the other is a blot in the middle.

    `still`: those on the right are all at one place.
    """
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.5
    across = np.where(label, rng.choice([1.5, 5.5], n), 3.5)
    moves = np.where(still & (across > 5.0), 0.0, 1.0)
    across, down = across + 0.3 * moves * rng.normal(size=n), 3.5 + 0.8 * moves * rng.normal(size=n)
    y, x = np.divmod(np.arange(SIDE * SIDE), SIDE)
    far = (x - across[:, None]) ** 2 + (y - down[:, None]) ** 2
    return table_of(np.round(255.0 * np.exp(-far / 3.0)), label)


def _balance(images):
    """How much brighter the right is than the left, -1 to 1."""
    images = images.reshape(-1, SIDE, SIDE)
    left, right = images[:, :, :4].sum(axis=(1, 2)), images[:, :, 4:].sum(axis=(1, 2))
    return (right - left) / (right + left)


def test_they_are_asked_for_where_noise_is_quiet():
    for epsilon, times in ((1.0, None), (4.0, {PARTS: ROUNDS, CENTRES: 1, SPREADS: 1})):
        budget = Budget(epsilon=epsilon, delta=1e-5)
        asks = {ask.label: ask.times for ask in NumberMosaic().plan(SCHEMA, budget).asks}
        assert {label: asks[label] for label in asks if "parts" in label} == (times or {})
        assert sum(image_shares(budget).values()) == pytest.approx(1.0)


def test_every_question_stands_in_the_ledger():
    made, _ = fitted(_blots(400), SCHEMA, epsilon=4.0)
    labels = [entry.charge.label for entry in made.certificate.entries]
    assert [labels.count(label) for label in (KNOWN, PARTS, CENTRES, SPREADS)] == [1, ROUNDS, 1, 1]


def test_a_class_on_both_sides_is_not_in_the_middle(monkeypatch):
    table = _blots()
    between = []
    for quiet in (3.0, np.inf):
        monkeypatch.setattr("triplea.methods._mosaic_parts.QUIET", quiet)
        made, _ = fitted(table, SCHEMA, epsilon=8.0)
        frame = made.rows.to_pandas()
        balance = _balance(frame[frame.y].drop(columns="y").to_numpy(float))
        between.append((np.abs(balance) < 0.4).mean())
    assert between[0] < 0.6 * between[1]


def test_parts_have_spreads_of_their_own():
    _, method = fitted(_blots(still=True), SCHEMA, epsilon=10.0)
    mine = np.flatnonzero(method.model_.owner == 1)
    gaussians = method.model_.gaussians
    shown = 1.0 + gaussians.offset + gaussians.means[mine] @ gaussians.basis.T  # -1 is black
    right = _balance(shown) > 0.0
    spread = np.trace(gaussians.covariances[mine], axis1=1, axis2=2)
    assert right.any() and not right.all()
    assert spread[right].mean() < 0.8 * spread[~right].mean()


@pytest.mark.parametrize("rows", [0, 40])
def test_few_rows_are_one_part_a_class(rows):
    _, method = fitted(_blots(rows), SCHEMA, epsilon=3.0)
    assert method.model_.owner.tolist() == [0, 1]
    assert np.isfinite(method.model_.gaussians.covariances).all()


@pytest.mark.parametrize("relation", list(Neighbours))
def test_they_learn_about_rows_at_the_door_only(relation):
    table = _blots(1500)
    request = prepare(schema=SCHEMA, epsilon=8.0, delta=1e-5, neighbours=relation, method="mosaic-numbers")
    recording = Recording(request, table)
    for near in neighbours_of(table, SCHEMA, relation=relation, rng=np.random.default_rng(5), count=2):
        report = recording.against(near.table)
        assert report.ok, f"{near.change}: {report}"


def test_cells_are_announced():
    layout = NumberLayout.of(SCHEMA)
    assert spread_cells(64) > ROUNDS * 12 * 25
    assert image_cells(layout) > layout.classes * spread_cells(64)
