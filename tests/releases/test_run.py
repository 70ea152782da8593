"""From a table to a certified release."""

import os

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import triplea
from tests.methods.counting_support import SCHEMA, rows
from triplea.anonymize.budget import Budget
from triplea.anonymize.budget_file import BudgetFile
from triplea.anonymize.plan import Plan
from triplea.approximate.codes.binning import each_value
from triplea.errors import BudgetError, BudgetExceeded, MethodError
from triplea.methods._base import Cost, Method, measuring
from triplea.queries import Marginals
from triplea.schema import dump_schema

CONFIRMED = {"source": "observed", "confirmed": True}
OPTIONS = {"schema": SCHEMA, "epsilon": 1.0, "delta": 1e-5, "seed": 0, "rows": 100}


def test_the_type_that_went_in_comes_out():
    table = rows(500)
    assert isinstance(triplea.release(table, **OPTIONS).rows, pa.Table)
    assert isinstance(triplea.release(table.to_pandas(), **OPTIONS).rows, pd.DataFrame)
    assert isinstance(triplea.release(pl.from_arrow(table), **OPTIONS).rows, pl.DataFrame)


def test_rows_are_the_same_every_time_they_are_asked_for(release):
    assert release.rows.equals(pa.concat_tables(release.tables()))


def test_the_certificate_says_what_was_spent(release):
    assert release.certificate.proved
    assert 0.995 < release.certificate.epsilon_proved <= 1.0
    assert [entry.question for entry in release.certificate.entries] == ["measure"] * 6
    assert any("Seeded" in warning for warning in release.certificate.warnings)


def test_a_file_gets_a_budget_file_beside_it(tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(rows(300), path)
    triplea.release(path, **OPTIONS)
    triplea.release(str(path), **OPTIONS)
    kept = BudgetFile(tmp_path / "people.parquet.budget.json")
    assert len(kept.releases) == 2
    assert 1.0 < kept.total(2e-5) < 2.0


@pytest.mark.skipif(os.name != "posix", reason="links of a POSIX system")
def test_a_link_to_a_table_spends_the_budget_of_the_table(tmp_path):
    """Each link would otherwise have a budget of its own, and with it a fresh limit."""
    path, link = tmp_path / "people.parquet", tmp_path / "same.parquet"
    pq.write_table(rows(300), path)
    link.symlink_to(path)
    triplea.release(path, **OPTIONS)
    triplea.release(link, **OPTIONS)
    folder = tmp_path / "elsewhere"
    folder.symlink_to(tmp_path)
    triplea.release(folder / "people.parquet", **OPTIONS)
    assert len(BudgetFile.beside(path).releases) == 3
    assert [place.name for place in tmp_path.glob("*.budget.json")] == ["people.parquet.budget.json"]


def test_rows_that_were_paid_for_are_not_lost_when_the_budget_file_cannot_be_marked(tmp_path, monkeypatch):
    def refuse(*_):
        raise BudgetError("No space left on device")

    monkeypatch.setattr(BudgetFile, "complete", refuse)
    made = triplea.release(rows(200), **OPTIONS, ledger=tmp_path / "kept.json")
    assert made.rows.num_rows > 0
    assert [release.state for release in BudgetFile(tmp_path / "kept.json").releases] == ["reserved"]


def test_people_and_rows_are_not_counted_in_one_budget_file(tmp_path):
    table = rows(300).append_column("person", pa.array([i // 5 for i in range(300)]))
    path = tmp_path / "people.parquet"
    pq.write_table(table, path)
    columns = [*dump_schema(SCHEMA)["columns"], {"name": "person", "kind": "identifier"}]
    schema = {"target": "ill", "columns": columns, "unit": {"column": "person", "max_rows": 3}}
    triplea.release(path, **{**OPTIONS, "schema": schema})
    with pytest.raises(BudgetError, match="'person', this one would protect single rows"):
        triplea.release(path, **OPTIONS)


class Fickle(Method):
    """Asks its second question only where the first answer says so, as a method may."""

    name, title, summary = "fickle", "Fickle", "for this test"

    def plan(self, schema, budget):
        return Plan(asks=(measuring(budget, "first", share=1.0), measuring(budget, "second", share=9.0)))

    def fit(self, door, *, rng):
        query = Marginals(groups=[("ill",)], binnings={"ill": each_value(door.schema.column("ill"))})
        first = door.measure(query, label="first").values
        if first[0] % 2:
            door.measure(query, label="second")
        self.model_ = None  # nobody draws from it
        return self

    def cost(self, schema, rows):
        return Cost(seconds=0.0, mebibytes=0.0, cells=0)


def test_a_certificate_states_what_a_release_can_cost_and_not_what_it_happened_to_ask():
    """Else the epsilon would follow from noisy answers, and the runs that ask less would promise more."""
    made = [triplea.release(rows(60), **{**OPTIONS, "seed": seed}, method=Fickle()) for seed in range(8)]
    certificates = [one.certificate for one in made]
    assert len({sum(entry.was_asked for entry in each.entries) for each in certificates}) == 2
    assert {each.epsilon_proved for each in certificates} == {certificates[0].epsilon_proved}
    assert certificates[0].epsilon_proved == pytest.approx(1.0, rel=5e-3)


def test_a_limit_is_kept_across_releases(tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(rows(300), path)
    ledger = tmp_path / "ledger.json"
    BudgetFile(ledger).set_limit(Budget(epsilon=1.2, delta=1e-5))
    triplea.release(path, **OPTIONS, ledger=ledger)
    with pytest.raises(BudgetExceeded):
        triplea.release(path, **OPTIONS, ledger=ledger)
    assert len(BudgetFile(ledger).releases) == 1


def test_bad_options_are_refused_with_their_range():
    with pytest.raises(BudgetError, match="epsilon"):
        triplea.release(rows(10), schema=SCHEMA, epsilon=-1, delta=1e-5)
    with pytest.raises(BudgetError, match="add-or-remove-one, replace-one, got 'both'"):
        triplea.release(rows(10), **OPTIONS, neighbours="both")
    with pytest.raises(MethodError, match="rows must be a whole number"):
        triplea.release(rows(10), **{**OPTIONS, "rows": 0})


def test_unconfirmed_bounds_are_named(tmp_path):
    observed = {
        "columns": [{"name": "age", "kind": "integer", "lower": 0, "upper": 99, "source": "observed range"}]
    }
    made = triplea.release(rows(50), **{**OPTIONS, "schema": observed})
    assert any("age" in warning and "observed" in warning for warning in made.certificate.warnings)


@pytest.mark.parametrize(("given", "warned"), [({}, 0), ({"source": "observed"}, 1), (CONFIRMED, 0)])
def test_an_unconfirmed_row_limit_is_named(given, warned):
    table = pa.table({"ill": ["yes", "no"] * 20, "person": list(range(40))})
    columns = [dump_schema(SCHEMA)["columns"][-1], {"name": "person", "kind": "identifier"}]
    schema = {"columns": columns, "unit": {"column": "person", "max_rows": 3, **given}}
    made = triplea.release(table, **{**OPTIONS, "schema": schema})
    found = [
        text for text in made.certificate.warnings if "row limit of the privacy unit, 3, was obs" in text
    ]
    assert len(found) == warned


def test_a_privacy_unit_is_named_and_multiplies_the_noise():
    table = rows(500).append_column("person", pa.array([i // 5 for i in range(500)]))
    base = dump_schema(SCHEMA)
    columns = [*base["columns"], {"name": "person", "kind": "identifier"}]
    schema = {"target": "ill", "columns": columns, "unit": {"column": "person", "max_rows": 3}}
    made = triplea.release(table, **{**OPTIONS, "schema": schema}, method="naive-bayes")
    assert "'person'" in made.certificate.unit
    plain = triplea.release(table, **OPTIONS, method="naive-bayes")
    ratio = made.certificate.entries[1].sensitivity / plain.certificate.entries[1].sensitivity
    assert ratio == pytest.approx(3.0)


def test_sampling_more_rows_with_a_condition(release):
    more = release.model.sample(50, where={"ill": "yes"}, seed=1)
    assert set(more["ill"].to_pylist()) == {"yes"}
    assert more.num_rows == 50


def test_stages_are_told():
    said = []
    triplea.release(rows(50), **OPTIONS, progress=said.append)
    assert said == ["asking", "sampling"]
