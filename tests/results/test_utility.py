from __future__ import annotations

import math

from triplea.results import ModelResult, Score, Utility


def test_a_score_is_found_by_model_and_training_rows() -> None:
    result = ModelResult(
        model="m",
        title="M",
        trained_on="real",
        rows=1,
        scores={"roc_auc": Score(value=0.9), "f1": Score(value=0.1)},
    )
    utility = Utility(target="y", task="classification", headline="roc_auc", results=(result,))
    assert utility.score("m", "real") == 0.9
    assert utility.score("m", "real", "f1") == 0.1
    assert math.isnan(utility.score("m"))
    assert math.isnan(utility.score("m", "real", "r2"))
