"""Record and replay passes honest methods and finds every planted leak, naming the question."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tests.audit import planted
from tests.support.tables import UNIT, unit_table
from triplea.anonymize.neighbours import Neighbours
from triplea.audit import ReplayReport, replay
from triplea.methods._base import Method
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "target": "sick",
        "columns": [
            {"name": "age", "kind": "integer", "lower": 0, "upper": 120},
            {"name": "score", "kind": "numeric", "lower": -1, "upper": 1, "nullable": True},
            {"name": "ward", "kind": "categorical", "categories": ["a", "b", "c", "d"]},
            {"name": "sick", "kind": "boolean"},
        ],
    }
)
ROWS = pa.table(
    {
        "age": pa.array(np.arange(20, 60)),
        "score": pa.array(np.linspace(-0.9, 0.9, 40)),
        "ward": pa.array(["a", "b"] * 20),
        "sick": pa.array([True, False] * 20),
    }
)


def with_row(age: int = 30, score: float | None = 0.0, ward: str = "a") -> pa.Table:
    row = pa.table({"age": [age], "score": pa.array([score], pa.float64()), "ward": [ward], "sick": [True]})
    return pa.concat_tables([ROWS, row])


NEIGHBOURS = {
    "a new maximum": with_row(age=119),
    "the only missing value": with_row(score=None),
    "a unique category": with_row(ward="d"),
    "a row like others": with_row(),
    "a row fewer": ROWS.slice(1),
}


def replayed(method: type[Method], neighbour: pa.Table, **options: object) -> ReplayReport:
    settings = {"schema": SCHEMA, "epsilon": 1.0, "delta": 1e-5, **options}
    return replay(ROWS, neighbour, method=method(), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", NEIGHBOURS)
def test_an_honest_method_passes(change: str) -> None:
    report = replayed(planted.Toy, NEIGHBOURS[change])
    assert report.ok, str(report)
    assert [step.label for step in report.steps] == [planted.COUNTS]
    assert report.used == pytest.approx(1.0), "one row moves every histogram: the bound is tight"
    assert str(report) == "toy: 1 question(s) in bounds, at most 100% used"


@pytest.mark.parametrize("leak", planted.PLANTED, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak: type[Method]) -> None:
    found = {change: replayed(leak, table) for change, table in NEIGHBOURS.items()}
    assert any(not report.ok for report in found.values()), f"{leak.__doc__} was not noticed"


def test_a_bin_edge_from_rows_breaks_the_question_that_uses_it() -> None:
    report = replayed(planted.BinEdgeFromRows, NEIGHBOURS["a new maximum"])
    assert report.breaking_question == planted.AGAIN
    finding = report.findings[0]
    assert finding.measured is not None and finding.allowed is not None
    assert finding.measured > 2 * finding.allowed
    assert "the exact answers differ by" in str(report) and planted.AGAIN in str(report)


def test_an_understated_bound_is_measured_against_its_price() -> None:
    report = replayed(planted.UnderstatedBound, NEIGHBOURS["a row like others"])
    (finding,) = report.findings
    assert (finding.label, finding.allowed) == (planted.COUNTS, 1.0)
    assert finding.measured == pytest.approx(2.0)  # four histograms move by one each


def test_an_extra_question_and_a_question_left_out_are_named() -> None:
    missing = NEIGHBOURS["the only missing value"]
    more = replayed(planted.ExtraQuestionOnMissing, missing)
    assert [str(finding) for finding in more.findings] == [
        f"at '{planted.AGAIN}': the question was asked of the second table only"
    ]
    fewer = replayed(planted.OneQuestionFewerOnMissing, missing)
    assert str(fewer.findings[0]) == f"at '{planted.AGAIN}': the question was asked of the first table only"


def test_an_answer_of_another_shape_is_named() -> None:
    report = replayed(planted.ExactClassCount, NEIGHBOURS["a unique category"])
    assert report.breaking_question == planted.AGAIN
    assert "has shape" in str(report)


def test_nan_through_a_clip_is_far_beyond_any_bound() -> None:
    report = replayed(planted.NanThroughTheClip, NEIGHBOURS["the only missing value"])
    assert report.breaking_question == planted.AGAIN
    assert report.findings[0].measured is not None and report.findings[0].measured > 1e6


def test_an_error_that_only_one_table_causes_is_a_finding() -> None:
    report = replayed(planted.ErrorFromARow, NEIGHBOURS["a new maximum"])
    assert "the first run ended with a release, the second with ValueError" in str(report)


def test_a_noise_scale_from_rows_shows_in_the_ledger() -> None:
    report = replayed(planted.NoiseScaleFromRows, NEIGHBOURS["a new maximum"])
    assert any("the ledger entries differ" in str(finding) for finding in report.findings)


def test_a_note_with_an_exact_number_shows_in_the_certificate() -> None:
    report = replayed(planted.StatisticInANote, NEIGHBOURS["a new maximum"])
    assert [str(finding) for finding in report.findings] == ["the certificates differ with the same answers"]


@pytest.mark.parametrize("relation", list(Neighbours))
def test_both_relations_can_be_replayed(relation: Neighbours) -> None:
    swapped = pa.concat_tables([ROWS.slice(1), with_row(age=119, score=None, ward="d").slice(40)])
    near = swapped if relation is Neighbours.REPLACE_ONE else ROWS.slice(1)
    assert replayed(planted.Toy, near, neighbours=relation).ok
    assert not replayed(planted.UnderstatedBound, near, neighbours=relation).ok


def test_tables_that_are_no_neighbours_are_told_apart() -> None:
    assert not replayed(planted.Toy, ROWS.slice(3)).ok


@pytest.mark.parametrize("method", [planted.Toy, planted.ForgetsTheUnit])
def test_a_unit_of_several_rows_is_priced_as_such(method: type[Method]) -> None:
    """A person has two rows that count. Nobody may price a person as one row."""
    rows = unit_table(60, seed=3)
    persons = rows.column("person")
    reports = [
        replay(
            rows,
            rows.filter(pa.compute.fill_null(pa.compute.not_equal(persons, person), True)),
            schema=UNIT, epsilon=1.0, delta=1e-5, method=method(),
        )
        for person in range(5)
    ]  # fmt: skip
    assert all(report.ok for report in reports) == (method is planted.Toy)


def test_a_published_variant_that_reads_rows_is_found_out() -> None:
    report = replayed(planted.AroundTheDoor, NEIGHBOURS["a new maximum"])
    assert any("the models differ" in str(finding) for finding in report.findings)
