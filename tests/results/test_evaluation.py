from __future__ import annotations

from pathlib import Path

import pytest

from triplea.results import Evaluation, Fidelity, MarginalFidelity, Note, Score


def record() -> Evaluation:
    marginal = MarginalFidelity(
        ways=2, bins=20, mean=0.1, maximum=0.2, with_target=None, computed=1, total=1, worst=()
    )
    fidelity = Fidelity(
        columns=(),
        marginals=(marginal,),
        nist_score=Score(value=1e6),
        association=None,
        probability=(),
        prediction=(),
        projection=None,
    )
    return Evaluation(
        source="t.csv",
        suite="quick",
        seed=0,
        rows={"train": 1},
        columns=("a",),
        target=None,
        utility=None,
        fidelity=fidelity,
        risk=None,
        notes=(Note(code="c", text="t"),),
    )


def test_an_evaluation_survives_a_file_and_says_who_it_is_for(tmp_path: Path) -> None:
    found = Evaluation.load(record().save(tmp_path / "e.json"))
    assert found == record()
    assert "for the owner" in found.caution
    assert found.fidelity.marginal(2).mean == 0.1


def test_another_json_file_is_refused() -> None:
    with pytest.raises(ValueError, match="not an evaluation record: format is 'x'"):
        Evaluation.from_dict({**record().to_dict(), "format": "x"})
