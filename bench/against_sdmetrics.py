"""Our fidelity numbers beside those of SDMetrics, computed on the same cells: they should be the same.

pip install sdmetrics    # no dependency of this project
triplea bench fetch adult
python bench/against_sdmetrics.py --epsilon 1
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from sdmetrics.column_pairs import ContingencySimilarity, CorrelationSimilarity
from sdmetrics.single_column import TVComplement
from trials import released

from triplea.bench.datasets import load_dataset
from triplea.evaluate.association import pearson
from triplea.evaluate.binning import cells_of
from triplea.evaluate.marginals import marginal_distance
from triplea.evaluate.sources import read_tables
from triplea.schema import load_schema

Pair = tuple[float, float]


def compared(dataset_name: str, *, method: str, epsilon: float) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the name of a measure and its values, ours and theirs, for every column or pair of columns."""
    dataset = load_dataset(dataset_name)
    rows = released(dataset, method=method, epsilon=epsilon, seed=0)
    tables = read_tables(dataset.train, dataset.test, rows, schema=load_schema(dataset.schema))
    real, ours = cells_of(tables.train), cells_of(tables.synthetic)
    frames = [pd.DataFrame(cells.codes).astype(str) for cells in (real, ours)]

    def distances(ways: int, theirs: Callable[[pd.DataFrame, pd.DataFrame], float]) -> list[Pair]:
        chosen = itertools.combinations(tables.train.names, ways)
        return [
            (1 - marginal_distance(real, ours, names), theirs(*(frame[list(names)] for frame in frames)))
            for names in chosen
        ]

    yield "TVComplement", distances(1, lambda a, b: TVComplement.compute(a.iloc[:, 0], b.iloc[:, 0]))
    yield "ContingencySimilarity", distances(2, ContingencySimilarity.compute)
    numbers = [field.name for field in tables.train.fields if not field.is_category]
    values = [np.column_stack([part[name] for name in numbers]) for part in (tables.train, tables.synthetic)]
    gaps = np.abs(pearson(values[0]) - pearson(values[1]))
    yield (
        "CorrelationSimilarity",
        [
            (1 - gaps[i, j] / 2, CorrelationSimilarity.compute(*(pd.DataFrame(v[:, [i, j]]) for v in values)))
            for i, j in itertools.combinations(range(len(numbers)), 2)
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dataset", default="adult")
    parser.add_argument("--method", default="mosaic")
    parser.add_argument("--epsilon", type=float, default=1.0)
    given = parser.parse_args()
    print(
        "| SDMetrics | values | mean, theirs | mean, ours | largest difference |\n|---|---:|---:|---:|---:|"
    )
    for name, pairs in compared(given.dataset, method=given.method, epsilon=given.epsilon):
        found = np.array(pairs)
        gap = np.abs(found[:, 0] - found[:, 1]).max()
        ours, theirs = found.mean(axis=0)
        print(f"| {name} | {len(found)} | {theirs:.6f} | {ours:.6f} | {gap:.1e} |")


if __name__ == "__main__":
    main()
