"""Many methods at one epsilon."""

from __future__ import annotations

import pytest

from tests.bench.support import record
from triplea.bench.dots import LONGEST, dotted, draw_dots, ranked, rows_of, shortened
from triplea.bench.records import NON_PRIVATE, Record
from triplea.bench.summary import summarise


def records(methods: int) -> list[Record]:
    made = []
    for dataset in ("adult", "diabetes"):
        made.append(record(method="real", dataset=dataset, epsilon=None, guarantee=NON_PRIVATE))
        for place in range(methods):
            scores = {"roc_auc": 0.6 + place / 50}
            made.append(record(method=f"m{place}", dataset=dataset, scores=scores))
    return made


def test_many_methods_on_several_data_sets_make_a_picture_and_few_do_not() -> None:
    assert list(dotted(summarise(records(8)))) == ["lightgbm"]
    assert dotted(summarise(records(3))) == {}
    assert dotted(summarise([*records(8), record(epsilon=3.0)])) == {}


def test_every_method_and_data_set_is_named() -> None:
    pytest.importorskip("matplotlib")
    svg = draw_dots(summarise(records(8)), title="T")
    assert all(f">{text}<" in svg for text in ("m0", "m7", "adult", "diabetes", "(real rows: 0.800)"))
    assert "higher is better" in svg


def test_the_best_on_the_table_that_most_were_run_on_comes_first() -> None:
    alone = record(method="alone", dataset="credit", scores={"roc_auc": 0.99})
    lines = [line for line in summarise([alone, *records(8)]) if line.setting.method != "real"]
    assert ranked(lines)[0] == "m7" and ranked(lines)[-2:] == ["m0", "alone"]


def test_a_method_that_is_set_anew_for_each_table_has_one_row() -> None:
    tuned = [
        record(method="tuned", dataset=dataset, params={"size": size})
        for dataset, size in (("adult", 1), ("diabetes", 2))
    ]
    twice = [record(method="twice", dataset="adult", params={"size": size}) for size in (1, 2)]
    names = set(rows_of(summarise([*tuned, *twice])).values())
    assert names == {"tuned, set for each table", 'twice {"size": 1}', 'twice {"size": 2}'}


def test_a_long_name_is_cut_in_the_picture() -> None:
    assert shortened("mosaic") == "mosaic"
    assert len(shortened("clustmix " + "x" * 200)) == LONGEST
