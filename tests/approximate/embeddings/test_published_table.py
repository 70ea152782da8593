"""The published order of columns, and valid rows from its model."""

import numpy as np

from triplea.approximate.embeddings.published_table import PublishedTable
from triplea.schema import load_schema

SCHEMA = load_schema(
    {
        "target": "y",
        "columns": [
            {"name": "town", "kind": "categorical", "categories": ["a", "b", "c"]},
            {"name": "age", "kind": "integer", "lower": 18, "upper": 99},
            {"name": "y", "kind": "boolean"},
        ],
    }
)


def rows(n=200):
    rng = np.random.default_rng(0)
    return {
        "town": rng.integers(0, 3, n).astype(np.int32),
        "age": rng.integers(0, 82, n),
        "y": rng.integers(0, 2, n).astype(np.int32),
    }


def test_numbers_come_first_and_the_label_is_apart():
    table = PublishedTable(SCHEMA)
    assert table.names == ("age", "town") and table.numeric == 1
    assert table.label.name == "y" and table.classes.cells == 2


def test_the_embedding_has_a_row_for_every_class_and_the_model_gives_valid_rows():
    table, rng = PublishedTable(SCHEMA), np.random.default_rng(1)
    found = table.embedding(rows(), rng, features=20, undersampling=1.0, noise_multiplier=1.0)
    assert found.means.shape == (2, 21) and found.rows == 190
    sizes = [4, 6, 6, 2]
    layers = {f"weights{i}": rng.normal(size=sizes[i : i + 2]) for i in range(3)}
    layers |= {f"biases{i}": 50 * rng.random(sizes[i + 1]) for i in range(3)}
    made = table.model(found, layers, noise=3).sample(100, rng=rng)
    assert list(made) == list(SCHEMA.names)
    assert made["age"].min() >= 0 and made["age"].max() <= 81 and set(made["town"]) <= {0, 1, 2}


def test_without_a_label_there_is_one_class():
    plain = load_schema({"columns": [{"name": "age", "kind": "integer", "lower": 18, "upper": 99}]})
    table = PublishedTable(plain)
    found = table.embedding(
        rows(), np.random.default_rng(0), features=4, undersampling=1.0, noise_multiplier=0.0
    )
    assert found.means.shape == (1, 4) and table.classes is None
