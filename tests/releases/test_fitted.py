"""A fitted model draws rows at no further cost, and refuses nonsense."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from triplea.errors import ReleaseError, SchemaError
from triplea.releases.run import release as release_rows


@pytest.mark.parametrize("n", [-1, 2.5, True, "3"])
def test_the_number_of_rows_must_be_a_whole_number(release, n):
    with pytest.raises(ReleaseError, match="n must be a whole number from 0 to 1,000,000,000"):
        release.model.sample(n)


def test_an_unknown_column_in_a_condition_is_refused(release):
    with pytest.raises(SchemaError, match="nowhere"):
        release.model.sample(5, where={"nowhere": 1})


def test_no_rows_have_all_columns(release):
    assert release.model.sample(0).column_names == list(release.schema.names)


def test_tables_are_the_rows_of_a_sample(release):
    whole = release.model.sample(40, seed=5)
    assert pa.concat_tables(release.model.tables(40, seed=5)).equals(whole)


@pytest.mark.parametrize("frame", ["pandas", "polars", "arrow"])
def test_weights_come_back_in_the_container_that_went_in(frame):
    rows = pa.table({"town": ["A", "B"] * 300, "ill": ["no"] * 588 + ["yes"] * 12})
    given = {"pandas": rows.to_pandas, "polars": lambda: pl.from_arrow(rows), "arrow": lambda: rows}[frame]()
    columns = [
        {"name": "town", "kind": "categorical", "categories": ["A", "B"]},
        {"name": "ill", "kind": "categorical", "categories": ["no", "yes"]},
    ]
    made = release_rows(
        given,
        schema={"target": "ill", "columns": columns},
        epsilon=5.0,
        delta=1e-3,
        method="naive-bayes",
        seed=0,
    )
    drawn = made.model.sample(500, weights="counts_for", seed=1)
    assert type(drawn) is type(given)
    assert list(drawn.columns if frame != "arrow" else drawn.column_names) == ["town", "ill", "counts_for"]
    weights = np.asarray(drawn["counts_for"])
    assert weights.sum() == pytest.approx(500)
    assert (np.asarray(drawn["ill"]) == "yes").sum() > 30  # of about ten without weights
