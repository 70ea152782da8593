"""A training run that diverges ends with a sentence, and what was spent stays spent."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.contracts.support import QUICK
from tests.methods.counting_support import SCHEMA, rows
from triplea.anonymize.budget_file import BudgetFile
from triplea.errors import MethodError
from triplea.registry import find_method
from triplea.releases.run import release

DESCENDING = ("dp-vae", "dp-syn")


@pytest.mark.parametrize("method", DESCENDING)
def test_a_diverging_release_is_an_error_and_its_budget_is_spent(method: str, tmp_path: Path) -> None:
    assert "learning_rate" in find_method(method).defaults()
    path = tmp_path / "people.parquet"
    pq.write_table(rows(500), path)
    params = {**QUICK[method], "learning_rate": 3e38, "steps": 12}
    with pytest.raises(MethodError, match="diverged.*budget is spent.*smaller learning rate"):
        release(path, schema=SCHEMA, epsilon=1.0, delta=1e-5, method=method, params=params)
    kept = BudgetFile(tmp_path / "people.parquet.budget.json")
    assert len(kept.releases) == 1
    assert 0.99 < kept.total(1e-5) <= 1.0
