"""A small mixed table whose target can be learnt."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from triplea.evaluate.rows import Field, Rows

FIELDS = (
    Field(name="age", lower=0, upper=80, whole=True),
    Field(name="dose", lower=-4, upper=4),
    Field(name="ward", levels=("a", "b", "c")),
    Field(name="ill", levels=("no", "yes")),
)


def make_rows(count: int, seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 81, count).astype(float)
    ward = rng.choice(3, count, p=[0.6, 0.3, 0.1])
    dose = np.clip(rng.normal(0, 1, count) + (ward == 1), -4, 4)
    ill = (age / 40 - 1 + dose + rng.normal(0, 0.5, count) > 0.3).astype(np.int64)
    dose[rng.random(count) < 0.05] = np.nan
    ward = np.where(rng.random(count) < 0.05, -1, ward)
    return Rows(fields=FIELDS, values={"age": age, "dose": dose, "ward": ward, "ill": ill})


def arrow_of(rows: Rows) -> pa.Table:
    """The rows as a user would have them."""
    return pa.table(
        {
            "age": pa.array(rows["age"].astype(int)),
            "dose": pa.array([None if np.isnan(value) else value for value in rows["dose"]]),
            "ward": pa.array([None if code < 0 else "abc"[code] for code in rows["ward"]]),
            "ill": pa.array([("no", "yes")[code] for code in rows["ill"]]),
        }
    )
