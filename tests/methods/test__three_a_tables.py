"""The provable 3A on mixed tables."""

import numpy as np

from tests.methods.counting_support import SCHEMA, rows
from triplea.anonymize.budget import Budget
from triplea.anonymize.noisy_cells import NoisyCells
from triplea.approximate.cell_stages import LearnedCells
from triplea.methods import _three_a_tables as tables
from triplea.methods.three_a import ThreeA
from triplea.releases.run import release
from triplea.schema import load_schema


def test_a_class_has_as_many_cells_as_it_can_fill():
    method = ThreeA(approximate=LearnedCells(clusters=4), anonymize=NoisyCells(sigma_max=0.05))
    made = release(rows(), schema=SCHEMA, epsilon=8.0, delta=1e-5, method=method, seed=0)
    few = release(rows(), schema=SCHEMA, epsilon=0.01, delta=1e-5, method=method, seed=0)
    cells = [len(r.model.model.weights) for r in (made, few)]
    assert cells[0] > 2 and cells[1] == 2


def test_columns_that_go_together_stay_together():
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 20_000)
    columns = {f"c{i}": np.where(rng.random(20_000) < 0.9, hidden, 1 - hidden) for i in range(6)}
    schema = load_schema(
        {"columns": [{"name": name, "kind": "categorical", "categories": [0, 1]} for name in columns]}
    )
    import pyarrow as pa

    made = release(
        pa.table(columns), schema=schema, epsilon=1.0, delta=1e-5, method="clustmix",
        params={"clusters": 4, "rounds": 3}, seed=1,
    )  # fmt: skip
    fake = pa.concat_tables(made.tables()).to_pandas().astype(float)
    assert fake.corr().to_numpy()[np.triu_indices(6, 1)].mean() > 0.4  # independent columns would have 0


def test_the_questions_and_their_number():
    asks = tables.table_asks(SCHEMA, Budget(epsilon=1.0, delta=0.0), NoisyCells(), rounds=3)
    assert [ask.times for ask in asks] == [1, 1, 3]
    assert {ask.mechanism.value for ask in asks} == {"laplace"}
    assert tables.table_cells(SCHEMA, clusters=4, rounds=2) > tables.table_cells(SCHEMA, clusters=2, rounds=2)
