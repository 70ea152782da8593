"""The Adult data with its official split, for scores of methods."""

import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq

from triplea.schema import load_schema


def adult_split(folder):
    whole = pq.ParquetFile(folder / "adult.parquet").read()
    split = whole["split"].cast("string")
    table = whole.filter(pc.equal(split, "train"))
    test = whole.filter(pc.equal(split, "test")).to_pandas()
    return load_schema(folder / "schemas" / "adult.json"), table, test


def typed(frame, schema):
    columns = {
        name: pd.Categorical(frame[name].astype(object), categories=schema.column(name).categories)
        if schema.column(name).is_discrete
        else frame[name].astype(float)
        for name in schema.features
    }
    return pd.DataFrame(columns)
