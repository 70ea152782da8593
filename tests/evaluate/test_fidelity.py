from __future__ import annotations

import numpy as np
import pytest

from triplea.evaluate.fidelity import QUICK, Effort, fidelity_steps, measure_fidelity
from triplea.evaluate.models import Settings
from triplea.evaluate.progress import Steps
from triplea.evaluate.rows import Field, Rows


def test_a_copy_has_perfect_fidelity_and_floors_beside_it(train: Rows, held_out: Rows) -> None:
    steps = Steps(fidelity_steps(train, QUICK))
    found = measure_fidelity(
        train, held_out, train, target="ill", settings=Settings(), effort=QUICK, steps=steps
    )
    assert steps.done == steps.total
    assert [record.mean for record in found.marginals] == [0, 0, 0]
    assert found.nist_score.value == 1e6
    floors = [(record.floor, record.uniform) for record in found.marginals]
    assert all(0 < floor < uniform for floor, uniform in floors if floor is not None and uniform is not None)
    assert found.association is not None
    assert found.association.mean_difference == 0
    assert all(point.real == pytest.approx(point.synthetic) for point in found.prediction)


def test_histograms_sum_to_one_and_name_their_cells(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    found = measure_fidelity(
        train, held_out, synthetic, target="ill", settings=Settings(), effort=QUICK, steps=Steps(1)
    )
    for column in found.columns:
        assert sum(column.real) == pytest.approx(1)
        assert len(column.real) == len(column.synthetic) == len(column.labels)
        assert (column.edges is None) == (column.kind == "category")
    assert found.marginal(1).mean == pytest.approx(np.mean([c.total_variation for c in found.columns]))


def test_a_wide_table_is_measured_in_part_with_the_target(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    effort = Effort(pairs=2, triples=1, association_columns=2, predicted_columns=2)
    found = measure_fidelity(
        train, held_out, synthetic, target="ill", settings=Settings(), effort=effort, steps=Steps(1)
    )
    assert (found.marginal(2).computed, found.marginal(2).total) == (2, 6)
    assert found.association is not None
    assert "ill" in found.association.columns
    assert len(found.prediction) == 2


def test_one_column_is_enough() -> None:
    rows = Rows(fields=(Field(name="x", levels=("u", "v")),), values={"x": np.array([0, 1, 1])})
    found = measure_fidelity(rows, rows, rows, target=None, settings=Settings(), effort=QUICK, steps=Steps(1))
    assert [record.ways for record in found.marginals] == [1]
    assert found.association is None
    assert found.projection is not None
    assert found.prediction == ()
    assert np.isnan(found.nist_score.value)
