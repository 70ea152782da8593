"""LightGBM's accuracy on MNIST's test images, trained on a release: too slow for one thread of a grid.

python bench/lightgbm_on_images.py --method clustmix --seed 0 --threads 4 --out images.jsonl
python bench/lightgbm_on_images.py --method clustmix --variant published --params '{"alpha": 1.0}'
"""

from __future__ import annotations

import json
from time import perf_counter

from trials import keep, options

from triplea.bench.datasets import load_dataset
from triplea.bench.evaluators import Material, measure
from triplea.engines import LocalEngine
from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.tables import open_table


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", default="mnist")
    parser.add_argument("--method", default="clustmix")
    parser.add_argument("--variant", default="provable")
    parser.add_argument("--params", type=json.loads, default={})
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument(
        "--rows", type=int, help="synthetic images (default: as many as there are for training)"
    )
    given = parser.parse_args()
    dataset = load_dataset(given.data)
    request = prepare(
        schema=dataset.schema, epsilon=1.0, delta=1e-5, method=given.method, variant=given.variant,
        params=given.params, rows=given.rows or dataset.train.num_rows,
    )  # fmt: skip
    start = perf_counter()
    made = run(request, open_table(dataset.train, schema=request.schema), seed=given.seed,
               engine=LocalEngine(threads=given.threads))  # fmt: skip
    released = perf_counter()
    material = Material(dataset=dataset, synthetic=made.rows, seed=given.seed, threads=given.threads)
    scores = measure("lightgbm", material)
    result = {
        "data": given.data,
        "method": given.method,
        "variant": given.variant,
        "params": given.params,
        "seed": given.seed,
        "rows": made.rows.num_rows,
        "accuracy": scores["accuracy"],
        "notes": list(made.certificate.notes),
        "release_s": round(released - start, 1),
        "lightgbm_s": round(perf_counter() - released, 1),
    }
    print(json.dumps(result))
    keep([result], given.out)


if __name__ == "__main__":
    main()
