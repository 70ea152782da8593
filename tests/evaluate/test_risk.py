from __future__ import annotations

from triplea.evaluate.models import Settings
from triplea.evaluate.progress import Steps
from triplea.evaluate.risk import Effort, measure_risk, risk_steps
from triplea.evaluate.rows import Rows

SMALL = Effort(rows=50, attacks=30, references=300, inferred=2)


def test_all_attacks_run_and_the_caveat_stands_beside_them(
    train: Rows, held_out: Rows, synthetic: Rows
) -> None:
    steps = Steps(risk_steps(train, SMALL))
    found = measure_risk(
        train, held_out, synthetic, target="ill", settings=Settings(), effort=SMALL, steps=steps
    )
    assert steps.done == steps.total
    names = [attack.attack for attack in found.attacks]
    assert names == [
        "singling_out_univariate",
        "singling_out_multivariate",
        "linkability",
        "inference",
        "inference",
    ]
    assert "ill" in [attack.column for attack in found.attacks]
    assert len(found.membership) == 2
    assert "no guarantee" in found.caveat


def test_a_table_of_one_column_skips_what_needs_two(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    one = [rows.only(["age"]) for rows in (train, held_out, synthetic)]
    steps = Steps(risk_steps(one[0], SMALL))
    found = measure_risk(*one, target=None, settings=Settings(), effort=SMALL, steps=steps)
    assert steps.done == steps.total
    assert [attack.attack for attack in found.attacks] == [
        "singling_out_univariate",
        "singling_out_multivariate",
    ]


def test_the_same_seed_gives_the_same_risk(train: Rows, held_out: Rows, synthetic: Rows) -> None:
    found = [
        measure_risk(
            train, held_out, synthetic, target="ill", settings=Settings(seed=4), effort=SMALL, steps=Steps(1)
        )
        for _ in range(2)
    ]
    assert found[0] == found[1]
