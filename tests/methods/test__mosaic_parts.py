"""Parts of classes: when they are looked for, what they find, and what they leave alone."""

import numpy as np
import pytest

from tests.methods.numbers_support import fitted, schema_of, table_of
from triplea.anonymize.budget import Budget
from triplea.anonymize.neighbours import Neighbours
from triplea.audit import Recording, neighbours_of
from triplea.methods._mosaic_numbers import NumberMosaic
from triplea.methods._mosaic_parts import PARTS, ROUNDS, asked, part_cells
from triplea.releases.request import prepare
from triplea.schema import load_schema

WIDTH = 60
LINE = np.sin(np.arange(WIDTH) / 6.0)


def _clouds(n=6000, *, apart, seed=0):
    """One class is two clouds, the other lies between them: no mean and no variance says so."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    rows = 0.15 * rng.standard_normal((n, WIDTH))
    rows[label] += apart * rng.choice([-1.0, 1.0], int(label.sum()))[:, None] * LINE
    return table_of(rows, label), schema_of(WIDTH, lower=-2.0, upper=2.0)


def _along(made):
    """Where rows of the class that may be two clouds lie along the line between them."""
    frame = made.rows.to_pandas()
    return frame[frame.y].drop(columns="y").to_numpy(float) @ LINE / (LINE @ LINE)


def test_they_are_asked_for_where_noise_is_quiet():
    assert not asked(Budget(epsilon=1.0, delta=1e-5)) and asked(Budget(epsilon=4.0, delta=1e-5))
    for epsilon, rounds in ((1.0, []), (4.0, [ROUNDS])):
        plan = NumberMosaic(wide_from=30).plan(schema_of(WIDTH), Budget(epsilon=epsilon, delta=1e-5))
        assert [ask.times for ask in plan.asks if ask.label == PARTS] == rounds
        assert sum(ask.share for ask in plan.asks) == pytest.approx(1.0)


def test_every_round_stands_in_the_ledger():
    table, schema = _clouds(600, apart=0.5)
    made, _ = fitted(table, schema, epsilon=4.0, wide_from=30)
    assert [entry.charge.label for entry in made.certificate.entries].count(PARTS) == ROUNDS


def _kurtosis(values):
    return np.mean((values - values.mean()) ** 4) / values.var() ** 2


def test_a_class_of_two_clouds_keeps_its_gap():
    table, schema = _clouds(apart=0.5)
    made, method = fitted(table, schema, epsilon=6.0, wide_from=30)
    along = _along(made)
    assert len(method.model_.owner) > 4
    assert _kurtosis(along) < 2.3  # of one Gaussian it would be 3, of two points 1
    assert along.mean() == pytest.approx(0.0, abs=0.06)


def test_a_class_that_is_one_cloud_stays_one():
    table, schema = _clouds(apart=0.0)
    made, _ = fitted(table, schema, epsilon=6.0, wide_from=30)
    assert _kurtosis(_along(made)) == pytest.approx(3.0, abs=0.4)


def test_parts_leave_the_spread_of_a_class_as_it_was(monkeypatch):
    table, schema = _clouds(apart=0.3)
    spreads = []
    for quiet in (3.0, np.inf):
        monkeypatch.setattr("triplea.methods._mosaic_parts.QUIET", quiet)
        made, _ = fitted(table, schema, epsilon=6.0, wide_from=30)
        spreads.append(_along(made).std())
    assert spreads[0] == pytest.approx(spreads[1], rel=0.03)


def test_spreads_are_those_of_the_table_where_no_direction_outweighs_the_others():
    table, schema = _clouds(apart=0.15)
    made, _ = fitted(table, schema, epsilon=6.0, wide_from=30)
    real = table.to_pandas()
    along = real[real.y].drop(columns="y").to_numpy(float) @ LINE / (LINE @ LINE)
    assert _along(made).std() == pytest.approx(along.std(), rel=0.1)


@pytest.mark.parametrize("rows", [0, 40])
def test_few_rows_are_one_part_a_class(rows):
    table, schema = _clouds(rows, apart=0.5)
    made, method = fitted(table, schema, epsilon=3.0, wide_from=30)
    assert method.model_.owner.tolist() == [0, 1]
    assert np.isfinite(_along(made)).all()


def test_a_table_without_classes_has_parts_too():
    table, _ = _clouds(apart=0.5)
    columns = [{"name": f"x{i}", "kind": "numeric", "lower": -2.0, "upper": 2.0} for i in range(WIDTH)]
    made, method = fitted(
        table.drop_columns(["y"]), load_schema({"columns": columns}), epsilon=6.0, wide_from=30
    )
    assert len(method.model_.owner) > 4
    assert made.rows.num_columns == WIDTH


@pytest.mark.parametrize("relation", list(Neighbours))
def test_rounds_learn_about_rows_at_the_door_only(relation):
    table, schema = _clouds(1500, apart=0.5)
    request = prepare(
        schema=schema, epsilon=6.0, delta=1e-5, neighbours=relation, method="mosaic-numbers",
        params={"wide_from": 30},
    )  # fmt: skip
    recording = Recording(request, table)
    rng = np.random.default_rng(5)
    for near in neighbours_of(table, schema, relation=relation, rng=rng, count=3):
        report = recording.against(near.table)
        assert report.ok, f"{near.change}: {report}"


def test_cells_are_announced():
    assert part_cells(10) >= ROUNDS * 11
