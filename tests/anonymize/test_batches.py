"""Samples are Poisson samples, and every sampled row is used exactly once in its step."""

import numpy as np
import pytest
from scipy import stats

from triplea.anonymize.batches import chunks, padded_rows, pass_width, poisson_batches, row_rate


def test_every_row_is_drawn_independently_at_the_rate():
    rows, rate, steps = 40, 0.15, 4000
    hits = np.zeros((steps, rows))
    for step, batch in enumerate(
        poisson_batches(rows, rate=rate, steps=steps, generator=np.random.default_rng(1))
    ):
        assert len(set(batch.tolist())) == len(batch)
        hits[step, batch] = 1
    sizes = np.bincount(hits.sum(1).astype(int), minlength=rows + 1)[:15]
    expected = stats.binom.pmf(np.arange(15), rows, rate) * steps
    usual = expected > 5
    assert (
        stats.chisquare(sizes[usual], expected[usual] * sizes[usual].sum() / expected[usual].sum()).pvalue
        > 1e-4
    )
    each = hits.sum(0)
    assert stats.chisquare(each).pvalue > 1e-4
    together = (hits.T @ hits)[np.triu_indices(rows, 1)] / steps
    assert np.abs(together - rate**2).max() < 6 * rate / np.sqrt(steps)
    assert np.abs(np.corrcoef(hits[:-1].sum(1), hits[1:].sum(1))[0, 1]) < 0.08


@pytest.mark.parametrize("expected", [64.0, 9.0, 1.0])
def test_batches_wider_than_a_pass_are_taken_in_several_and_lose_no_row(expected):
    generators = [np.random.default_rng(5) for _ in range(2)]
    wanted = list(poisson_batches(300, rate=0.2, steps=50, generator=generators[0]))
    steps, open_step = [], []
    for chunk in chunks(
        rows=300, rate=0.2, expected=expected, steps=50, numbers=2**16, generator=generators[1]
    ):
        assert chunk.slots.shape[1] == pass_width(expected)
        for index in range(chunk.used):
            open_step += chunk.slots[index, : chunk.counts[index]].tolist()
            if chunk.ends[index]:
                steps.append(open_step)
                open_step = []
    assert not open_step
    assert [sorted(batch) for batch in steps] == [sorted(batch.tolist()) for batch in wanted]


def test_a_chunk_ends_behind_every_step_that_is_asked_for():
    options = {"rows": 300, "rate": 0.2, "expected": 9.0, "steps": 50, "numbers": 64}
    found, done = [], 0
    for chunk in chunks(**options, generator=np.random.default_rng(5), cuts=(1, 7, 50)):
        done += int(chunk.ends[: chunk.used].sum())
        if chunk.ends[chunk.used - 1]:
            found.append(done)
    assert {1, 7, 50} <= set(found) and done == 50
    whole = sum(int(chunk.counts.sum()) for chunk in chunks(**options, generator=np.random.default_rng(5)))
    parts = chunks(**options, generator=np.random.default_rng(5), cuts=(1, 7))
    assert sum(int(chunk.counts.sum()) for chunk in parts) == whole


def test_an_empty_table_gives_empty_steps():
    (chunk,) = chunks(rows=0, rate=0.5, expected=10, steps=3, numbers=4, generator=np.random.default_rng(0))
    assert chunk.used == 3 and chunk.ends.all() and not chunk.counts.any()
    assert padded_rows(np.zeros((0, 2))).shape == (8, 2)


def test_nearly_equal_tables_have_one_shape():
    assert padded_rows(np.ones((1000, 2))).shape == padded_rows(np.ones((1001, 2))).shape


def test_a_unit_of_several_rows_is_touched_at_the_planned_rate():
    assert row_rate(0.3, 1) == pytest.approx(0.3)
    assert 1 - (1 - row_rate(0.3, 4)) ** 4 == pytest.approx(0.3)
    assert row_rate(1.0, 3) == 1.0
