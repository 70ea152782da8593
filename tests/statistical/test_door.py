"""What leaves the door carries the noise that was paid for, and nothing of the answer but the noise hides it.

Seeds are fixed, so these tests repeat exactly. Each threshold is 1e-6: over all seeds, a right door would
fail one of the tests here with probability below 1e-4, and the wrong scales are always rejected.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.door import Door
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Mechanism
from triplea.queries import DyadicCounts, Scores, SumQuery
from triplea.schema import Encoded, Schema, load_schema
from triplea.tables import open_table

FALSE_ALARM = 1e-6
PLAIN = {"columns": [{"name": "x", "kind": "integer", "lower": 0, "upper": 4095}]}
BY_PERSON = {
    "unit": {"column": "who", "max_rows": 3},
    "columns": [{"name": "who", "kind": "identifier"}, *PLAIN["columns"]],
}
LAWS = {"gaussian": stats.norm, "laplace": stats.laplace}


def opened(
    values: list[int], charge: Charge, *, schema: Schema, seed: int | None, relation: Neighbours
) -> Door:
    rows = pa.table({"who": pa.array(range(len(values)), pa.int64()), "x": pa.array(values, pa.int64())})
    budget = Budget(epsilon=1.0, delta=1e-5, neighbours=relation)
    table = open_table(rows, schema=schema)
    return Door(table=table, schema=schema, budget=budget, charges={charge.label: charge}, seed=seed)


def charge_for(law: str, *, relative_scale: float, times: int) -> Charge:
    if law == "gaussian":
        return Charge(label="q", mechanism=Mechanism.GAUSSIAN, noise_multiplier=relative_scale, times=times)
    return Charge(label="q", mechanism=Mechanism.LAPLACE, epsilon=1 / relative_scale, times=times)


@pytest.mark.parametrize("by_person", [False, True], ids=["row", "unit"])
@pytest.mark.parametrize("relation", list(Neighbours))
@pytest.mark.parametrize("law", LAWS)
def test_noise_through_the_door_is_rejected_at_two_thirds_and_three_halves_of_its_scale(
    law: str, relation: Neighbours, by_person: bool
) -> None:
    schema = load_schema(BY_PERSON if by_person else PLAIN)
    query = DyadicCounts(column=schema.column("x"), levels=(1, 12))
    door = opened(
        [7, 7, 4000],
        charge_for(law, relative_scale=3000.0, times=5),
        schema=schema,
        seed=31,
        relation=relation,
    )
    exact = query.partial_sums({"x": np.array([7, 7, 4000])})
    released = [door.measure(query, label="q") for _ in range(5)]
    noise = np.concatenate([answer.values - exact for answer in released])

    # Two histograms; a row moves one cell of each, a swapped row two; a person has up to three rows.
    rows = 3 if by_person else 1
    swapped = relation is Neighbours.REPLACE_ONE
    sensitivity = {
        "gaussian": rows * np.sqrt(2) * (np.sqrt(2) if swapped else 1),
        "laplace": rows * 2 * (2 if swapped else 1),
    }[law]
    scale = 3000.0 * sensitivity
    p_at = {
        factor: stats.kstest(noise, LAWS[law](scale=scale * factor).cdf).pvalue
        for factor in (2 / 3, 1, 3 / 2)
    }
    assert p_at[1] > FALSE_ALARM
    assert p_at[2 / 3] < FALSE_ALARM
    assert p_at[3 / 2] < FALSE_ALARM
    stddev = scale * (1 if law == "gaussian" else np.sqrt(2))
    assert released[0].stddev == pytest.approx(stddev), "the method is told the noise that it gets"
    entry = door.ledger.entries[0]
    assert (entry.sensitivity, entry.noise_from, entry.noise_to) == pytest.approx(
        (sensitivity, stddev, stddev)
    )


class Weighed(SumQuery):
    """Nothing to add up; two rows of entries on grids of their own, the second with three times the noise."""

    columns, shape, proof = ("x",), (2, 3000), "none"
    row_l1 = row_l2 = swap_l1 = swap_l2 = 2.0
    grid = np.broadcast_to([[0.25], [2.0**-10]], shape)
    scale = np.broadcast_to([[1.0], [3.0]], shape)

    def partial_sums(self, rows: Encoded) -> np.ndarray:
        return np.zeros(self.shape, dtype=np.int64)


@pytest.mark.parametrize("law", LAWS)
def test_noise_is_counted_in_steps_of_the_grid_and_follows_the_scale_of_every_entry(law: str) -> None:
    charge = charge_for(law, relative_scale=50.0, times=1)
    relation = Neighbours.ADD_OR_REMOVE_ONE
    door = opened([7], charge, schema=load_schema(PLAIN), seed=34, relation=relation)
    released = door.measure(Weighed(), label="q").values
    for noise, grid, scale in zip(released, (0.25, 2.0**-10), (100.0, 300.0), strict=True):
        assert np.array_equal(noise / grid, np.round(noise / grid))
        p_at = {
            factor: stats.kstest(noise, LAWS[law](scale=scale * factor).cdf).pvalue
            for factor in (2 / 3, 1, 3 / 2)
        }
        assert p_at[1] > FALSE_ALARM
        assert max(p_at[2 / 3], p_at[3 / 2]) < FALSE_ALARM


class Lead(Scores):
    """Two candidates; the first leads by so much."""

    proof, size, row_bound, swap_bound = "none", 2, 1.0, 1.5

    def __init__(self, lead: float) -> None:
        self.sums, self.lead = Weighed(), lead

    def scores(self, units: np.ndarray) -> np.ndarray:
        return np.array([self.lead, 0.0])


@pytest.mark.parametrize("by_person", [False, True], ids=["row", "unit"])
@pytest.mark.parametrize("relation", list(Neighbours))
def test_a_choice_is_as_sharp_as_was_paid_for(relation: Neighbours, by_person: bool) -> None:
    """A lead of two bounds at epsilon 1 wins with odds e to one; twice as sharp would be e^2 to one."""
    schema, askings = load_schema(BY_PERSON if by_person else PLAIN), 1500
    charge = Charge(label="q", mechanism=Mechanism.EXPONENTIAL, epsilon=1.0, times=askings)
    door = opened([7], charge, schema=schema, seed=35, relation=relation)
    door._engine.total = lambda table, schema, query: np.zeros(1)  # type: ignore[method-assign]
    door.ledger.asked = lambda label: 0  # type: ignore[method-assign]  # counting all entries is slow
    bound = (3 if by_person else 1) * (1.5 if relation is Neighbours.REPLACE_ONE else 1.0)
    won = sum(door.choose(Lead(2 * bound), label="q") == 0 for _ in range(askings))
    assert stats.binomtest(won, askings, 1 / (1 + np.exp(-1))).pvalue > FALSE_ALARM
    assert stats.binomtest(won, askings, 1 / (1 + np.exp(-2))).pvalue < FALSE_ALARM


@pytest.mark.parametrize("law", LAWS)
def test_counts_of_neighbours_can_have_the_same_values_and_no_others(law: str) -> None:
    """Every released count is a whole number, and neighbours share the likely ones: no digits to read."""
    schema = load_schema(PLAIN)
    query = DyadicCounts(column=schema.column("x"), levels=(11,))
    shown: list[Counter[float]] = []
    for values in ([7] * 4, [7] * 4 + [9], [7] * 3):
        charge = charge_for(law, relative_scale=2.0, times=3)
        door = opened(values, charge, schema=schema, seed=32, relation=Neighbours.ADD_OR_REMOVE_ONE)
        released = np.concatenate([door.measure(query, label="q").values for _ in range(3)])
        assert np.array_equal(released, np.round(released))
        shown.append(Counter(released.tolist()))
    window = set(np.arange(-5.0, 6.0).tolist())
    assert all(window <= set(counts) for counts in shown)


@pytest.mark.parametrize("relation", list(Neighbours))
def test_a_category_of_one_row_shows_itself_at_most_as_often_as_paid_for(relation: Neighbours) -> None:
    """Slack 0.02 a question; 2,500 askings. The rate stays below the slack by an exact binomial test."""
    schema = load_schema({"columns": [{"name": "x", "kind": "categorical", "discover": True}]})
    rows = pa.table({"x": ["common"] * 60 + ["unique"]})
    askings = 2500
    charge = Charge(
        label="q", mechanism=Mechanism.THRESHOLD, noise_multiplier=2.0, slack_delta=0.02, times=askings
    )
    budget = Budget(epsilon=1.0, delta=0.1, neighbours=relation)
    table = open_table(rows, schema=schema)
    door = Door(table=table, schema=schema, budget=budget, charges={"q": charge}, seed=33)
    door.ledger.asked = lambda label: 0  # type: ignore[method-assign]  # counting all entries each time is slow
    counts = door._engine.key_counts(table, schema.column("x"))  # read once: only the noise is new each time
    door._engine.key_counts = lambda table, column: counts  # type: ignore[method-assign]
    shown = Counter(key for _ in range(askings) for key in door.keys("x", label="q"))
    assert stats.binomtest(shown["unique"], askings, 0.02, alternative="greater").pvalue > FALSE_ALARM
    assert shown["unique"] > 0, "the threshold is not needlessly high"
    assert shown["common"] == askings
