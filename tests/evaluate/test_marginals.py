from __future__ import annotations

import itertools

import numpy as np
import pytest

from triplea.evaluate.binning import cells_of
from triplea.evaluate.marginals import (
    choose_marginals,
    marginal_distance,
    marginal_fidelity,
    mean_distance,
    nist_score,
)
from triplea.evaluate.rows import Field, Rows


def by_hand(real: Rows, synthetic: Rows, columns: tuple[str, ...]) -> float:
    """Total variation from dictionaries of counted cell tuples."""
    shares: dict[tuple[int, ...], list[float]] = {}
    for side, rows in enumerate((real, synthetic)):
        cells = cells_of(rows)
        for cell in zip(*(cells.codes[name] for name in columns), strict=True):
            shares.setdefault(cell, [0.0, 0.0])[side] += 1 / len(rows)
    return 0.5 * sum(abs(p - q) for p, q in shares.values())


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_marginal_distances_equal_counting_by_hand(train: Rows, synthetic: Rows, ways: int) -> None:
    a, b = cells_of(train), cells_of(synthetic)
    for columns in itertools.combinations(train.names, ways):
        assert marginal_distance(a, b, columns) == pytest.approx(
            by_hand(train, synthetic, columns), abs=1e-12
        )


def test_a_sparse_marginal_gives_the_same_distance_as_a_dense_one() -> None:
    rng = np.random.default_rng(0)
    fields = tuple(Field(name=name, levels=tuple(map(str, range(90)))) for name in "abc")
    tables = [Rows(fields=fields, values={n: rng.integers(0, 90, 200) for n in "abc"}) for _ in range(2)]
    found = marginal_distance(cells_of(tables[0]), cells_of(tables[1]), ("a", "b", "c"))
    assert found == pytest.approx(by_hand(tables[0], tables[1], ("a", "b", "c")), abs=1e-12)


def test_equal_tables_have_distance_zero_and_a_perfect_nist_score(train: Rows) -> None:
    assert mean_distance(train, train, ways=3) == 0
    assert nist_score(0.0) == 1e6
    assert nist_score(1.0) == 0


def test_too_many_marginals_are_sampled_without_repetition() -> None:
    names = [f"c{i}" for i in range(30)]
    chosen = choose_marginals(names, 3, 50, np.random.default_rng(0))
    assert len(set(chosen)) == 50
    assert choose_marginals(names[:4], 3, 50, np.random.default_rng(0)) == tuple(
        itertools.combinations(names[:4], 3)
    )


def test_the_record_holds_the_mean_the_target_and_the_floors(train: Rows, synthetic: Rows) -> None:
    a, b = cells_of(train), cells_of(synthetic)
    pairs = tuple(itertools.combinations(train.names, 2))
    record = marginal_fidelity(a, b, pairs, target="ill", floors=(a, b))
    assert record.mean == pytest.approx(mean_distance(train, synthetic), abs=1e-12)
    assert record.floor == 0
    assert record.uniform == pytest.approx(record.mean)
    assert record.with_target == pytest.approx(
        np.mean([by_hand(train, synthetic, p) for p in pairs if "ill" in p])
    )
    assert (record.ways, record.computed, record.total) == (2, 6, 6)
    assert record.worst[0].value == record.maximum


@pytest.mark.filterwarnings("ignore")
def test_marginal_distances_agree_with_sdmetrics(train: Rows, synthetic: Rows) -> None:
    """Skipped where the library is not installed; bench/against_sdmetrics.py does the same on Adult."""
    pandas = pytest.importorskip("pandas")
    theirs = pytest.importorskip("sdmetrics.column_pairs").ContingencySimilarity
    a, b = cells_of(train), cells_of(synthetic)
    for columns in itertools.combinations(train.names, 2):
        frames = [pandas.DataFrame({name: cells.codes[name] for name in columns}) for cells in (a, b)]
        assert 1 - marginal_distance(a, b, columns) == pytest.approx(theirs.compute(*frames), abs=1e-9)
