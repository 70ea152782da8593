"""The simulated table has the published sizes, the structure it names, and the same rows every time."""

from __future__ import annotations

import numpy as np
import pytest

from triplea.bench import simulated
from triplea.bench.datasets import load_dataset
from triplea.bench.simulated import comorbidities, comorbidity_structure


def matrix(rows: int, columns: int) -> np.ndarray:
    return np.stack([np.asarray(part) for part in comorbidities(rows, columns).columns], axis=1)


def test_prevalences_follow_the_published_counts() -> None:
    prevalences = comorbidity_structure().prevalences
    assert len(prevalences) == 1_071
    assert [int((prevalences >= level).sum()) for level in (0.05, 0.025, 0.01)] == [64, 127, 219]
    assert int((prevalences == 0).sum()) == 146


def test_drawn_rows_have_the_prevalences_and_correlations_of_the_structure() -> None:
    structure, drawn = comorbidity_structure(500), matrix(10_000, 500)
    assert drawn.mean(axis=0) == pytest.approx(structure.prevalences, abs=0.02)
    common = np.flatnonzero(structure.prevalences > 0.05)
    linked = structure.correlations[np.ix_(common, common)]
    seen = np.corrcoef(drawn[:, common].T)
    pairs = np.triu_indices(len(common), 1)
    assert np.corrcoef(linked[pairs], seen[pairs])[0, 1] > 0.85


def test_loadings_leave_room_for_noise() -> None:
    assert np.linalg.norm(comorbidity_structure().loadings, axis=1).max() < 0.96


def test_the_same_rows_come_every_time() -> None:
    assert comorbidities(50, 7).equals(comorbidities(50, 7))


def test_it_is_a_data_set_that_says_it_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(simulated.SIMULATED, "comorbidities", lambda: comorbidities(100))
    found = load_dataset("comorbidities")
    assert (found.train.num_rows, found.test.num_rows, found.train.num_columns) == (60, 40, 1_071)
    assert found.target is None and "SIMULATED" in found.note
