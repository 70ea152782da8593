"""What to expect: the door's own noise, similar public tables, and silence where nothing was measured."""

import math
from dataclasses import replace

import pytest

import triplea
from tests.methods.counting_support import SCHEMA, rows
from triplea.releases.expectation import CellNoise, ReferencePoint, _similar, reference_points

OPTIONS = {"schema": SCHEMA, "epsilon": 1.0, "delta": 1e-5}


def test_the_noise_is_the_one_that_the_door_will_add():
    for neighbours, delta in (("add-or-remove-one", 1e-5), ("replace-one", 1e-5), ("add-or-remove-one", 0.0)):
        options = {**OPTIONS, "neighbours": neighbours, "delta": delta}
        expected = triplea.plan(**options, rows=500).expectation
        made = triplea.release(rows(n=500), **options, rows=5, seed=1, params={"steps": 2})
        spent = {entry.charge.label: entry.noise_to for entry in made.certificate.entries}
        for noise in expected.noise:
            if noise.label == "counts by label":
                assert noise.stddev == pytest.approx(spent[noise.label])


def test_more_rows_make_a_cell_clearer():
    small, large = (triplea.plan(**OPTIONS, rows=rows).expectation.noise[0] for rows in (100, 100_000))
    assert small.stddev == large.stddev
    assert (small.words, large.words) == ("mostly noise", "clear")
    assert large.ratio == pytest.approx(1000 * small.ratio)


def test_the_share_kept_is_the_range_of_similar_tables():
    points = reference_points()
    assert points, "there are measured points"
    middle = points[len(points) // 2]
    expected = triplea.plan(**{**OPTIONS, "epsilon": middle.epsilon}, rows=middle.rows).expectation
    assert middle in expected.similar
    assert expected.kept_from <= middle.kept <= expected.kept_to
    assert middle.table in expected.sentence
    assert "Yours may differ" in expected.sentence


def test_where_nothing_was_measured_nothing_is_expected():
    for options, size in (
        ({"epsilon": 1e-6}, 10),
        ({"method": "naive-bayes"}, 30_000),
        ({"delta": 0.0}, 30_000),
        ({"schema": replace(SCHEMA, target=None)}, 30_000),
        ({"schema": replace(SCHEMA, target="income")}, 30_000),
    ):
        expected = triplea.plan(**{**OPTIONS, **options}, rows=size).expectation
        assert expected.kept_from is None
        assert "no expectation of quality" in expected.sentence


def test_without_a_guess_there_is_no_expectation_but_an_outline():
    planned = triplea.plan(**OPTIONS)
    assert planned.expectation is None
    assert any("teacher for 'ill'" in line for line in planned.outline)


def test_similar_is_within_a_factor_of_three():
    def point(rows):
        return ReferencePoint(
            table="t", rows=rows, columns=2, epsilon=1.0, seeds=1, auc=0.8, real=0.9, kept=0.75
        )

    assert [p.rows for p in _similar([point(n) for n in (30, 40, 100, 290, 310)], 100.0)] == [40, 100, 290]


def test_an_average_cell_is_described_by_its_ratio():
    words = [CellNoise(label="q", stddev=1.0, rows_per_cell=r).words for r in (1.0, 5.0, 50.0)]
    assert words == ["mostly noise", "blurred", "clear"]
    assert math.isclose(CellNoise(label="q", stddev=2.0, rows_per_cell=5.0).ratio, 2.5)
