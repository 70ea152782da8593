"""The flagship on mixed tables: what it asks, what it does with few rows, wide tables and odd targets."""

import numpy as np
import pyarrow as pa
import pytest

from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.anonymize.budget import Budget
from triplea.approximate.mixtures.class_margins import Margins
from triplea.errors import MethodError
from triplea.methods._mosaic_tables import (
    LEAVES,
    MARGINS,
    MISFIT,
    MISSES,
    PAIRS,
    Layout,
    TableMosaic,
    _evidence,
)
from triplea.schema import dump_schema, load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)


def _columns():
    return dump_schema(SCHEMA)["columns"]


def test_it_asks_four_questions_at_most():
    asks = TableMosaic().plan(SCHEMA, BUDGET).asks
    assert {ask.label: ask.times for ask in asks} == {LEAVES: 1, MARGINS: 1, PAIRS: 1, MISSES: 2}
    short = load_schema({"columns": [{"name": "a", "kind": "boolean"}]})
    assert [ask.label for ask in TableMosaic().plan(short, BUDGET).asks] == [MARGINS]


@pytest.mark.parametrize(("epsilon", "looks"), [(0.1, 2), (3.9, 2), (4.0, 6), (10.0, 6)])
def test_the_less_noise_the_more_looks(epsilon, looks):
    asks = TableMosaic().plan(SCHEMA, Budget(epsilon=epsilon, delta=1e-5)).asks
    assert {ask.label: ask.times for ask in asks}[MISSES] == looks


def test_what_was_planned_is_asked_when_there_is_little_noise():
    made, _ = synthetic("mosaic", epsilon=10.0)
    assert [entry.charge.label for entry in made.certificate.entries].count(MISSES) == 6


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
    layout = Layout(groups=[np.arange(10), np.arange(10)], pairs=[(0, 1)])
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


@pytest.mark.parametrize(("stddev", "misfit"), [(1.9, MISFIT), (2.1, 0.0)])
def test_the_mixture_is_doubted_where_counts_are_nearly_exact(stddev, misfit):
    table = np.array([[4000.0, 1000.0], [3000.0, 2000.0]])
    assert _evidence(Margins.of({"town": table}, stddev), SCHEMA, ["town"]).misfit == misfit
