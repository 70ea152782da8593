"""The flagship on mixed tables: what it asks, what it does with few rows, wide tables and odd targets."""

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.approximate.mixtures.taught_mixture import TAUGHT
from triplea.errors import MethodError
from triplea.methods._mosaic_shares import CROSSED, LEAVES, MARGINS, MISSES, PAIRS
from triplea.methods._mosaic_tables import Layout, TableMosaic, _rows_counted
from triplea.schema import dump_schema, load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)


def _columns():
    return dump_schema(SCHEMA)["columns"]


def test_it_asks_five_questions_at_most():
    asks = TableMosaic().plan(SCHEMA, BUDGET).asks
    times = {ask.label: ask.times for ask in asks}
    assert times == {LEAVES: 1, MARGINS: 1, PAIRS: 1, MISSES: 2, CROSSED: 1}
    short = load_schema({"columns": [{"name": "a", "kind": "boolean"}]})
    assert [ask.label for ask in TableMosaic().plan(short, BUDGET).asks] == [MARGINS]


@pytest.mark.parametrize(("epsilon", "looks"), [(0.1, 2), (3.9, 2), (4.0, 3), (10.0, 3)])
def test_the_less_noise_the_more_looks(epsilon, looks):
    asks = TableMosaic().plan(SCHEMA, Budget(epsilon=epsilon, delta=1e-5)).asks
    assert {ask.label: ask.times for ask in asks}[MISSES] == looks


def test_what_was_planned_is_asked_when_there_is_little_noise():
    made, _ = synthetic("mosaic", epsilon=10.0)
    asked = [entry.charge.label for entry in made.certificate.entries]
    assert (asked.count(MISSES), asked.count(CROSSED)) == (3, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [("components", 0), ("steps", 0), ("most_cells", 1), ("pair_cells", 1), ("most_pairs", 0)],
)
def test_bad_parameters_are_refused_by_name(name, value):
    with pytest.raises(MethodError, match=name):
        TableMosaic(**{name: value}).plan(SCHEMA, BUDGET)


def test_few_rows_get_columns_independent_within_a_class():
    _, fake = synthetic("mosaic", table=rows(200), rows=2000)
    assert set(fake.ill) == {"no", "yes"}


def test_pairs_drown_when_a_cell_holds_less_than_its_noise():
    layout = Layout(groups=[np.arange(10), np.arange(10)], pairs=[(0, 1)], cells=10)
    assert layout.drowns(rows=500.0, noise=10.0)
    assert not layout.drowns(rows=5000.0, noise=10.0)


def test_a_numeric_target_and_none_at_all_work():
    numeric = load_schema({"target": "income", "columns": _columns()})
    _, fake = synthetic("mosaic", schema=numeric)
    assert fake.income.nunique() > 50
    plain = load_schema({"columns": _columns()})
    _, fake = synthetic("mosaic", schema=plain)
    assert fake[fake.ill == "yes"].age.mean() > fake[fake.ill == "no"].age.mean() + 10


def test_a_wide_table_counts_pairs_of_its_most_uncertain_columns():
    rng = np.random.default_rng(0)
    table = {f"c{i}": rng.integers(0, 2, 5000).astype(bool) for i in range(60)}
    table["c1"] = table["c0"]
    schema = load_schema({"columns": [{"name": name, "kind": "boolean"} for name in table]})
    made, fake = synthetic("mosaic", table=pa.table(table), schema=schema, params={"most_pairs": 100})
    assert made.certificate.entries[-1].sensitivity <= np.sqrt(100)
    assert len(fake.columns) == 60


def test_thousands_of_categories_share_cells():
    rng = np.random.default_rng(0)
    names = [f"k{i}" for i in range(3000)]
    table = pa.table({"k": rng.choice(names[:5], 8000), "y": rng.integers(0, 2, 8000)})
    schema = load_schema(
        {
            "target": "y",
            "columns": [
                {"name": "k", "kind": "categorical", "categories": names},
                {"name": "y", "kind": "categorical", "categories": [0, 1]},
            ],
        }
    )
    _, fake = synthetic("mosaic", table=table, schema=schema)
    assert fake.k.isin(names[:5]).mean() > 0.9


def _two_that_must_differ(rng, n):
    """The label is whether two features differ: neither of them says anything alone."""
    first, second = rng.integers(0, 2, (2, n)).astype(bool)
    label = np.where(rng.random(n) < 0.9, first != second, first == second)
    return pa.table({"first": first, "second": second, "third": rng.integers(0, 3, n), "ill": label})


def test_a_label_that_only_two_features_together_tell_is_taught():
    table = _two_that_must_differ(np.random.default_rng(0), 20_000)
    columns = [{"name": name, "kind": "boolean"} for name in ("first", "second", "ill")]
    columns.append({"name": "third", "kind": "integer", "lower": 0, "upper": 2})
    schema = load_schema({"target": "ill", "columns": columns})
    _, fake = synthetic("mosaic", table=table, schema=schema, epsilon=3.0, rows=20_000)
    differ = fake["first"] != fake["second"]
    assert fake.ill[differ].mean() > fake.ill[~differ].mean() + 0.2


def test_a_small_table_says_once_of_each_question_that_it_was_spent_on_counts():
    columns = [{"name": name, "kind": "integer", "lower": 0, "upper": 9} for name in ("first", "second")]
    schema = load_schema({"target": "ill", "columns": [*columns, {"name": "ill", "kind": "boolean"}]})
    table = pa.table({"first": [1] * 20, "second": [2] * 20, "ill": [True, False] * 10})
    made, _ = synthetic("mosaic", table=table, schema=schema, epsilon=0.5, rows=20)
    spent = [note for note in made.certificate.notes if "was spent on" in note]
    assert any(f"'{MISSES}'" in note for note in spent)
    assert len(spent) == len(set(spent))


def test_beside_a_rare_class_the_last_look_is_spent_on_counts_and_its_rows_keep_to_pairs():
    """All planned questions are asked, and first and second never differ, in the rare class as elsewhere."""
    rng = np.random.default_rng(0)
    n = 40_000
    kind = rng.choice(3, n, p=[0.6, 0.392, 0.008])
    first = rng.random(n) < 0.3 + 0.2 * kind
    table = pa.table({"first": first, "second": first, "third": rng.integers(0, 3, n), "kind": kind})
    columns = [{"name": name, "kind": "boolean"} for name in ("first", "second")]
    columns.append({"name": "third", "kind": "integer", "lower": 0, "upper": 2})
    columns.append({"name": "kind", "kind": "categorical", "categories": [0, 1, 2]})
    schema = load_schema({"target": "kind", "columns": columns})
    made, fake = synthetic("mosaic", table=table, schema=schema, epsilon=3.0, rows=n)
    asked = [entry.charge.label for entry in made.certificate.entries]
    assert (asked.count(MISSES), asked.count(CROSSED)) == (2, 1)
    assert f"'{CROSSED}' was spent on '{MARGINS}'" in str(made.certificate.notes)
    assert made.model.model.teacher.crossed is None
    rare = fake[fake.kind == 2]
    assert len(rare) == pytest.approx(0.008 * n, rel=0.2)
    assert rare["first"].mean() == pytest.approx(0.7, abs=0.12)
    assert (rare["first"] != rare["second"]).mean() < 0.1, "by chance two in five would differ"


def test_a_rare_stretch_of_a_number_is_like_its_neighbours_and_has_no_rows_of_its_own():
    rng = np.random.default_rng(0)
    n = 20_000
    first = rng.random(n) < 0.5
    cost = np.round(np.exp(rng.normal(3.0 + first, 1.0, n))).clip(0, 5000)
    table = pa.table({"first": first, "second": rng.random(n) < 0.5, "cost": cost})
    columns = [{"name": name, "kind": "boolean"} for name in ("first", "second")]
    columns.append({"name": "cost", "kind": "numeric", "lower": 0, "upper": 5000})
    schema = load_schema({"target": "cost", "columns": columns})
    made, fake = synthetic("mosaic", table=table, schema=schema, epsilon=3.0)
    assert set(made.model.model.owners) == {TAUGHT}
    assert made.model.model.teacher.crossed is not None
    means = [np.log1p(fake.cost[fake["first"] == value]).mean() for value in (False, True)]
    assert means[1] - means[0] == pytest.approx(1.0, abs=0.15)


def test_the_number_of_rows_is_read_off_the_quietest_level():
    """Six long runs and 100,000 leaves, noise of 10 in each: 24 against 3,162 if leaves were all there is."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(50):
        levels = [rng.multinomial(30_000, np.full(n, 1 / n)) + rng.normal(0, 10.0, n) for n in (6, 100_000)]
        spreads = [np.full(len(level), 10.0) for level in levels]
        found.append(_rows_counted({"x": levels}, {"x": spreads}))
    # Five standard errors of 50 draws.
    assert np.mean(found) == pytest.approx(30_000, abs=5 * 24.5 / 7)
    assert np.std(found) < 24.5 * 1.5


def test_a_number_that_two_features_together_tell_is_taught():
    """Where two columns differ the number is larger by one deviation; each alone says nothing about it."""
    rng = np.random.default_rng(1)
    pair = rng.random((20_000, 2)) < 0.5
    differ = pair[:, 0] != pair[:, 1]
    score = (50 + 10 * (rng.normal(size=20_000) + differ)).clip(0, 100)
    table = pa.table({"first": pair[:, 0], "second": pair[:, 1], "score": score})
    columns = [{"name": name, "kind": "boolean"} for name in ("first", "second")]
    columns.append({"name": "score", "kind": "numeric", "lower": 0, "upper": 100})
    schema = load_schema({"target": "score", "columns": columns})
    _, fake = synthetic("mosaic", table=table, schema=schema, epsilon=3.0)
    apart = fake["first"] != fake["second"]
    assert fake.score[apart].mean() - fake.score[~apart].mean() > 4.0


def _together(n, others=10):
    """Two columns of numbers that go together, a label, and columns that have to do with nothing."""
    rng = np.random.default_rng(0)
    first = rng.integers(0, 100, n)
    columns = {"a": first, "b": np.clip(first + rng.integers(-10, 11, n), 0, 99)}
    columns |= {f"c{i}": rng.integers(0, 100, n) for i in range(others)}
    listed = [{"name": name, "kind": "integer", "lower": 0, "upper": 99} for name in columns]
    schema = {"target": "y", "columns": [*listed, {"name": "y", "kind": "boolean"}]}
    return pa.table({**columns, "y": rng.random(n) < 0.5}), load_schema(schema)


def test_where_noise_is_loud_pairs_are_counted_on_coarser_cells():
    table, schema = _together(4_000)
    made, fake = synthetic("mosaic", table=table, schema=schema)
    assert any(f"'{PAIRS}' went by about" in note for note in made.certificate.notes)
    assert np.corrcoef(fake.a, fake.b)[0, 1] > 0.4  # 0 where pairs are not counted


def test_where_coarser_cells_drown_as_well_pairs_are_not_counted():
    table, schema = _together(1_000)
    made, _ = synthetic("mosaic", table=table, schema=schema)
    assert any(f"'{PAIRS}' was spent on" in note for note in made.certificate.notes)
