"""The figures of the DP-auto-GAN paper on Adult, and figures 2 and 3 on the simulated wide table.

Releases are kept under --rows and made only once; everything else is drawn from them.

    python bench/dp_auto_gan_figures.py --rows build/dp-auto-gan --folder docs/results
    python bench/dp_auto_gan_figures.py --rows build/dp-auto-gan --folder docs/results --binary
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from dp_auto_gan_adult import DATASET, synthesize
from sheets import Panel, bars, cloud, histogram, legend, scatter, sheet

from triplea.bench.datasets import Dataset, load_dataset
from triplea.bench.dimension_scores import binary_matrix, dimension_scores
from triplea.bench.evaluators import Material
from triplea.evaluate.binning import cells_of
from triplea.evaluate.dimensions import dimension_wise_probability, predict_dimension
from triplea.evaluate.models import Settings
from triplea.evaluate.projection import project

LARGE = [
    ("dp-auto-gan", "provable", 1.01), ("dp-wgan", "provable", 1.01), ("dp-vae", "provable", 1.01),
    ("dp-syn", "provable", 1.4), ("dp-syn", "published", 1.4),
]  # fmt: skip
SMALL = [
    ("dp-auto-gan", "provable", 0.36), ("dp-wgan", "provable", 0.36), ("dp-vae", "provable", 0.36),
    ("dp-syn", "provable", 0.5), ("dp-syn", "published", 0.5),
]  # fmt: skip
MOST_ROWS = 12_000  # for the models of one prediction panel
BINARY_EPSILONS = (2.7, 1.33, 0.81)
COLOURS = {"categorical": "blue", "binary": "green", "numeric": "orange"}
Key = tuple[str, str, float]


def material(dataset: Dataset, folder: Path, key: Key, params: dict | None = None) -> Material:
    """A release from the folder; made now if it is not there."""
    method, variant, epsilon = key
    path = folder / f"{method}-{variant}-{epsilon:g}-0.parquet"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rows = synthesize(dataset, method, epsilon, variant=variant, params=params or {})
        pq.write_table(rows, path)
    return Material(dataset=dataset, synthetic=pq.read_table(path), seed=0)


def name_of(key: Key) -> str:
    """A heading."""
    method, variant, epsilon = key
    return f"{method}{' (published)' if variant == 'published' else ''}, ε {epsilon:g}"


def histograms(dataset: Dataset, rows: Path) -> str:
    """Figure 7: columns that no model predicts well, at three epsilons."""
    panels, size = [], (290.0, 150.0)
    for column, log in (("capital_gain", True), ("capital_loss", True), ("hours_per_week", False)):
        for epsilon in (1.01, 0.51, 0.36):
            made = material(dataset, rows, ("dp-auto-gan", "provable", epsilon))
            values = [
                np.asarray(table.column(column), dtype=float) for table in (dataset.train, made.synthetic)
            ]
            edges = np.linspace(0, 100 if column == "hours_per_week" else values[0].max(), 26)
            real, ours = (np.histogram(part, edges)[0] / len(part) for part in values)
            body = histogram(edges.tolist(), real.tolist(), ours.tolist(), size=size, log=log)
            panels.append(Panel(head=f"{column}, ε {epsilon:g}", body=body))
    key = legend([("real", "real"), ("ours", "dp-auto-gan")])
    return sheet(panels, columns=3, size=size, legend=key, title="Histograms of three numeric columns")


def diversity(dataset: Dataset, rows: Path) -> str:
    """Figures 5 and 6: categories, and which of them are gone."""
    panels, size = [], (290.0, 168.0)
    for key in SMALL:
        for column, most in (("marital_status", 7), ("race", 5), ("native_country", 6)):
            made = material(dataset, rows, key)
            tables = made.tables
            levels = tables.train.field(column).levels
            codes = [part[column] for part in (tables.train, tables.synthetic)]
            known = [np.where(part < 0, len(levels), part) for part in codes]
            counts = [np.bincount(part, minlength=len(levels) + 1) for part in known]
            real, ours = (count / count.sum() for count in counts)
            order = np.argsort(-real)
            shown, rest = order[:most], order[most:]
            labels = [str((*levels, "missing")[place]) for place in shown]
            pairs = [[*part[shown], part[rest].sum()] for part in (real, ours)]
            if real[rest].any():
                labels.append(f"{int((real[rest] > 0).sum())} others")
            p, q = (part[: len(labels)] for part in pairs)
            panels.append(
                Panel(head=f"{column}: {name_of(key)}", body=bars(labels, p, q, size=(size[0], size[1] - 8)))
            )
    bar_key = legend([("real", "real"), ("bar", "synthetic")])
    return sheet(
        panels, columns=3, size=size, legend=bar_key, title="Shares of categories, real and synthetic"
    )


def components(dataset: Dataset, rows: Path) -> str:
    """Figure 8: first two principal components of the real rows; synthetic rows on the same axes."""
    panels, size = [], (290.0, 210.0)
    for line in (LARGE, SMALL):
        for place, key in enumerate(line):
            tables = material(dataset, rows, key).tables
            rng = np.random.default_rng(0)
            found = project(tables.train, tables.synthetic, target=None, rng=rng, points=900)
            spans = [np.percentile([point[axis] for point in found.real], (0.2, 99.8)) for axis in (0, 1)]
            ranges = tuple((float(a - 0.1 * (b - a)), float(b + 0.1 * (b - a))) for a, b in spans)
            if place == 0:
                panels.append(
                    Panel(head="real", body=cloud(found.real, size=size, ranges=ranges, colour="blue"))
                )
            body = cloud(found.synthetic, size=size, ranges=ranges, colour="orange")
            panels.append(Panel(head=name_of(key), body=body))
    return sheet(
        panels, columns=3, size=size, legend=None, title="Principal components of real and synthetic rows"
    )


def probability(dataset: Dataset, rows: Path) -> str:
    """Shares of all categories; square-root scales."""
    panels, size = [], (184.0, 178.0)
    for key in (*LARGE, *SMALL):
        tables = material(dataset, rows, key).tables
        found = dimension_wise_probability(tables.train, cells_of(tables.train), cells_of(tables.synthetic))
        points = [(point.real, point.synthetic, "blue") for point in found]
        panels.append(Panel(head=name_of(key), body=scatter(points, size=size, root=True, marks="marks")))
    return sheet(
        panels, columns=5, size=size, legend=None, title="Dimension-wise probability: shares of categories"
    )


def prediction(dataset: Dataset, rows: Path, keep: Path) -> str:
    """Figure 4: every column predicted from the others. Scores are kept, because forests take time."""
    panels, size = [], (184.0, 178.0)
    for key in (*LARGE, *SMALL):
        path = keep / f"prediction-{'-'.join(map(str, key))}.json"
        if not path.exists():
            path.write_text(json.dumps(list(_predicted(material(dataset, rows, key)))))
        points = [tuple(point) for point in json.loads(path.read_text())]
        panels.append(Panel(head=name_of(key), body=scatter(points, size=size, low=-0.2, marks="marks")))
    entries = [
        ("blue", "category column: F1"),
        ("green", "column of two values: F1"),
        ("orange", "number: R²"),
    ]
    return sheet(
        panels, columns=5, size=size, legend=legend(entries),
        title="Dimension-wise prediction: trained on real against trained on synthetic rows",
    )  # fmt: skip


def _predicted(made: Material) -> Iterator[tuple[float, float, str]]:
    tables, settings = made.tables, Settings(seed=0, threads=1)
    few = np.arange(MOST_ROWS)
    train, synthetic = tables.train.take(few), tables.synthetic.take(few)
    for column in tables.train.names:
        point = predict_dimension(
            column, train, tables.test, synthetic, binary_table=False, settings=settings
        )
        if point is not None:
            yield round(point.real, 4), round(point.synthetic, 4), COLOURS[point.kind]


def binary(rows: Path, params: dict) -> str:
    """Figures 2 and 3 on the SIMULATED table: shares of ones, and AUROC of columns with 5 % of ones."""
    dataset = load_dataset("comorbidities")
    names = dataset.train.column_names
    train, test = (binary_matrix(table, names) for table in (dataset.train, dataset.test))
    shares, auroc, size = [], [], (290.0, 270.0)
    for epsilon in BINARY_EPSILONS:
        made = material(dataset, rows / "binary", ("dp-auto-gan", "provable", epsilon), params)
        found = dimension_scores(train, test, binary_matrix(made.synthetic, names))
        points = [(p, q, "blue") for p, q in zip(found.real_shares, found.synthetic_shares, strict=True)]
        shares.append(
            Panel(
                head=f"share of ones, ε {epsilon:g}",
                body=scatter(points, size=size, high=0.5, root=True, marks="dots"),
            )
        )
        points = [(p, q, "orange") for p, q in zip(found.real_auroc, found.synthetic_auroc, strict=True)]
        auroc.append(
            Panel(
                head=f"AUROC, ε {epsilon:g}",
                body=scatter(points, size=size, low=0.3, names=("trained on real rows", "on synthetic")),
            )
        )
    return sheet(
        [*shares, *auroc], columns=3, size=size, legend=None,
        title="Simulated wide binary table: dimension-wise probability and prediction",
    )  # fmt: skip


def main() -> None:
    """Draw everything, or the wide table alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--binary", action="store_true")
    parser.add_argument("--params", type=json.loads, default={"preset": "binary"}, help="for --binary")
    options = parser.parse_args()
    if options.binary:
        drawn = {"binary": binary(options.rows, options.params)}
    else:
        dataset = load_dataset(DATASET)
        drawn = {
            "histograms": histograms(dataset, options.rows),
            "diversity": diversity(dataset, options.rows),
            "components": components(dataset, options.rows),
            "probability": probability(dataset, options.rows),
            "prediction": prediction(dataset, options.rows, options.rows),
        }
    for name, text in drawn.items():
        path = options.folder / f"dp-auto-gan-{name}.svg"
        path.write_text(text + "\n", encoding="utf-8")
        print(path, f"{len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
