"""Do rows of a rare class look like the class? Two-way distance of its released rows to its training rows.

For every class below 1 % of the training rows: the mean distance of all pairs of features, with the class's
components bent from the mixture, as released, and with its columns independent.

    python bench/within_classes.py --data intrusion --seeds 2
    python bench/within_classes.py --data covtype --seeds 2
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from trials import each, keep, options, released

from triplea.approximate.mixtures import class_margins
from triplea.bench.datasets import load_dataset
from triplea.evaluate.marginals import mean_distance
from triplea.evaluate.rows import Rows
from triplea.evaluate.sources import read_tables
from triplea.schema import load_schema


def independent() -> None:
    def alone(_: object, __: object, margins: Sequence[np.ndarray]) -> list:
        return [(np.ones(1), [margin[[k]] for margin in margins]) for k in range(len(margins[0]))]

    class_margins.tilted = alone


IDEAS = {"as released": lambda: None, "columns independent": independent}


def trial(data: str, idea: str, epsilon: float, seed: int) -> dict:
    bent = class_margins.tilted
    IDEAS[idea]()
    dataset = load_dataset(data)
    made = released(dataset, method="mosaic", epsilon=epsilon, seed=seed)
    class_margins.tilted = bent
    tables = read_tables(dataset.train, dataset.test, made, schema=load_schema(dataset.schema))
    found = {}
    for number, name in enumerate(tables.train.field(dataset.target).levels or ()):
        real, ours = (_of_class(rows, dataset.target, number) for rows in (tables.train, tables.synthetic))
        if 0 < len(real) < class_margins.RARE * len(tables.train):
            found[name] = (len(real), len(ours), round(mean_distance(real, ours), 4))
    return {"data": data, "idea": idea, "epsilon": epsilon, "seed": seed, "classes": found}


def _of_class(rows: Rows, target: str, number: int) -> Rows:
    return rows.take(rows[target] == number).without(target)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="intrusion")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--ideas", nargs="+", choices=IDEAS, default=list(IDEAS))
    given = parser.parse_args()
    cases = [(given.data, idea, given.epsilon, seed) for idea in given.ideas for seed in range(given.seeds)]
    results = each(trial, cases, jobs=given.jobs)
    keep(results, given.out)
    print("\n| idea | class | training rows | two-way distance |\n|---|---|---|---|")
    for idea in given.ideas:
        same = [result["classes"] for result in results if result["idea"] == idea]
        for name, (rows, _, _) in same[0].items():
            print(f"| {idea} | {name} | {rows:,} | {np.mean([found[name][2] for found in same]):.3f} |")


if __name__ == "__main__":
    main()
