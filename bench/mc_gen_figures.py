"""The figures of the MC-GEN paper: accuracy of three classifiers against epsilon and cluster size.

Scenario 1 trains on 80 % real rows and tests on rows synthesized from the other 20 %; scenario 2 trains on
rows synthesized from 80 % and tests on the other 20 %. Published variants use the claimed epsilon and are
drawn apart.

    python bench/mc_gen_figures.py run --data diabetes --seeds 5 --out results.json
    python bench/mc_gen_figures.py draw results*.json --folder docs/results
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from triplea.releases.request import prepare
from triplea.releases.run import run
from triplea.schema import load_schema
from triplea.tables import open_table

FOLDER = Path(os.environ.get("TRIPLEA_DATA", Path(__file__).parents[2] / "shared" / "data"))
EPSILONS = (0.1, 0.2, 0.5, 1.0)
SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
CONTENDERS = [
    ("MC-GEN", "mc-gen", "provable", {}),
    ("NoIFS", "mc-gen", "provable", {"ifs": False}),
    ("RON-Gauss", "ron-gauss", "provable", {}),
    ("PrivBayes", "privbayes", "provable", {}),
    ("MC-GEN", "mc-gen", "published", {}),
    ("NoIFS", "mc-gen", "published", {"ifs": False}),
    ("RON-Gauss", "ron-gauss", "published", {}),
]
# Table 1 of the paper: scenario 2, SVM, LR, GB.
PAPER = {"diabetes": (0.82, 0.80, 0.85), "adult": (0.85, 0.86, 0.83), "phishing": (0.96, 0.94, 0.94)}


def classifiers():
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    return {
        "SVM": SVC(),
        "LR": LogisticRegression(max_iter=1000),
        "GB": HistGradientBoostingClassifier(max_iter=100),
    }


def features(frame, schema):
    """One-hot for listed values, [-1, 1] for numbers, as in the paper."""
    blocks = []
    for name in schema.features:
        column = schema.column(name)
        if column.is_discrete:
            values = frame[name].astype(object)
            blocks += [2.0 * (values == level).to_numpy(dtype=float) - 1.0 for level in column.categories]
        else:
            lower, upper = column.bounds
            values = frame[name].astype(float).fillna((lower + upper) / 2).to_numpy()
            blocks.append((values - lower) / max(upper - lower, 1e-12) * 2 - 1)
    return np.column_stack(blocks)


def labels(frame, schema):
    return frame[schema.target].astype(object).astype(str).to_numpy()


def synthesize(rows, schema, method, variant, params, epsilon, seed):
    request = prepare(
        schema=schema,
        epsilon=epsilon,
        delta=1e-5,
        method=method,
        variant=variant,
        rows=len(rows),
        params=params,
    )
    table = open_table(pa.Table.from_pandas(rows, preserve_index=False), schema=schema)
    made = run(request, table, seed=seed)
    return pa.concat_tables(made.tables()).to_pandas()


def fit_all(frame, schema):
    known = labels(frame, schema)
    if len(set(known)) < 2:
        return None, known[0]
    return {name: model.fit(features(frame, schema), known) for name, model in classifiers().items()}, None


def score_all(models, only, frame, schema):
    truth, inputs = labels(frame, schema), features(frame, schema)
    if models is None:
        return dict.fromkeys(("SVM", "LR", "GB"), float(np.mean(truth == only)))
    return {name: float(np.mean(model.predict(inputs) == truth)) for name, model in models.items()}


def jobs():
    for title, method, variant, params in CONTENDERS:
        for epsilon in EPSILONS:
            yield title, method, variant, params, epsilon, 1.0
        if method == "mc-gen":
            for share in SHARES[:-1]:
                yield title, method, variant, {**params, "cluster_share": share}, 1.0, share


def measure(data, seeds, rows, out):
    schema = load_schema(FOLDER / "schemas" / f"{data}.json")
    whole = pd.read_parquet(FOLDER / f"{data}.parquet")[list(schema.names)]
    records = []
    for seed in range(seeds):
        frame = whole.sample(frac=1.0, random_state=seed).reset_index(drop=True)[: rows or len(whole)]
        cut = int(0.8 * len(frame))
        train, test = frame[:cut], frame[cut:]
        real, _ = fit_all(train, schema)
        records.append({"data": data, "seed": seed, "title": "real", **score_all(real, None, test, schema)})
        for title, method, variant, params, epsilon, share in jobs():
            about = {
                "data": data,
                "seed": seed,
                "title": title,
                "variant": variant,
                "epsilon": epsilon,
                "k": share,
            }
            fake = synthesize(test, schema, method, variant, params, epsilon, seed)
            records.append({**about, "scenario": 1, **score_all(real, None, fake, schema)})
            start = time.process_time()
            fake = synthesize(train, schema, method, variant, params, epsilon, seed)
            about["seconds"] = round(time.process_time() - start, 2)
            models, only = fit_all(fake, schema)
            records.append({**about, "scenario": 2, **score_all(models, only, test, schema)})
        Path(out).write_text(json.dumps({"rows": len(frame), "records": records}, indent=0))
        print(data, "seed", seed, "done", flush=True)


def baseline(data, seeds, rows):
    """Table 1: the same classifiers on real rows only."""
    schema = load_schema(FOLDER / "schemas" / f"{data}.json")
    whole = pd.read_parquet(FOLDER / f"{data}.parquet")[list(schema.names)]
    scores = []
    for seed in range(seeds):
        frame = whole.sample(frac=1.0, random_state=seed).reset_index(drop=True)[: rows or len(whole)]
        cut = int(0.8 * len(frame))
        models, only = fit_all(frame[:cut], schema)
        scores.append(score_all(models, only, frame[cut:], schema))
    print(data, pd.DataFrame(scores).mean().round(3).to_dict(), flush=True)


def draw(files, folder):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    frame = pd.concat([pd.DataFrame(json.loads(Path(name).read_text())["records"]) for name in files])
    frame["mean"] = frame[["SVM", "LR", "GB"]].mean(axis=1)
    for variant in ("provable", "published"):
        part = frame[(frame.variant == variant) & (frame.k == 1.0)]
        names = sorted(part.data.unique())
        figure, axes = pyplot.subplots(
            2, len(names), figsize=(3.2 * len(names), 5), squeeze=False, sharex=True
        )
        for row, scenario in enumerate((1, 2)):
            for column, data in enumerate(names):
                axis = axes[row][column]
                some = part[(part.data == data) & (part.scenario == scenario)]
                for title, group in some.groupby("title"):
                    line = group.groupby("epsilon")["mean"].mean()
                    axis.plot(line.index, line.values, marker="o", markersize=3, label=title)
                axis.axhline(
                    frame[(frame.data == data) & (frame.title == "real")]["mean"].mean(), color="grey", ls=":"
                )
                axis.set_title(f"{data}, scenario {scenario}", fontsize=9)
                axis.set_xscale("log")
        axes[0][0].legend(fontsize=7)
        axes[1][0].set_xlabel("epsilon" + (" (claimed)" if variant == "published" else ""))
        axes[1][0].set_ylabel("accuracy, mean of SVM, LR, GB", fontsize=7)
        figure.tight_layout()
        figure.savefig(Path(folder) / f"mc-gen-{variant}.svg")
    print(tables(frame))


def tables(frame):
    """The same as text: mean over seeds, scenario by scenario."""
    real = frame[frame.title == "real"].groupby("data")[["SVM", "LR", "GB"]].mean().round(3)
    text = ["| data | SVM | LR | GB | paper's Table 1, scenario 2 |", "|---|---|---|---|---|"]
    for data, row in real.iterrows():
        text.append(
            f"| {data} | {row.SVM:.3f} | {row.LR:.3f} | {row.GB:.3f} | {' / '.join(map(str, PAPER[data]))} |"
        )
    made = frame[frame.title != "real"]
    for (data, variant), part in made.groupby(["data", "variant"]):
        text += ["", f"**{data}, {variant}**, clusters of all rows of a class: SVM / LR / GB", ""]
        text += [f"| scenario | method | {' | '.join(f'epsilon {e}' for e in EPSILONS)} |", "|---" * 6 + "|"]
        for (scenario, title), group in part[part.k == 1.0].groupby(["scenario", "title"]):
            cells = [_cell(group[group.epsilon == epsilon]) for epsilon in EPSILONS]
            text.append(f"| {scenario:.0f} | {title} | {' | '.join(cells)} |")
        text += ["", f"**{data}, {variant}**, by cluster size k at epsilon 1", ""]
        text += [f"| scenario | method | {' | '.join(f'k {s:.0%}' for s in SHARES)} |", "|---" * 7 + "|"]
        some = part[(part.epsilon == 1.0) & part.title.isin(["MC-GEN", "NoIFS"])]
        for (scenario, title), group in some.groupby(["scenario", "title"]):
            cells = [_cell(group[group.k == share]) for share in SHARES]
            text.append(f"| {scenario:.0f} | {title} | {' | '.join(cells)} |")
    pair = made[made.title.isin(["MC-GEN", "NoIFS"])].groupby(["variant", "title"])["mean"].mean().round(4)
    return "\n".join([*text, "", "mean over all of the above:", pair.to_string()])


def _cell(group):
    return " / ".join(f"{group[name].mean():.2f}"[1:] for name in ("SVM", "LR", "GB"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("--data", required=True)
    one.add_argument("--seeds", type=int, default=5)
    one.add_argument("--rows", type=int, default=0, help="a random part of the data; 0 takes all")
    one.add_argument("--out", required=True)
    real = commands.add_parser("real")
    real.add_argument("--data", required=True)
    real.add_argument("--seeds", type=int, default=5)
    real.add_argument("--rows", type=int, default=0)
    two = commands.add_parser("draw")
    two.add_argument("files", nargs="+")
    two.add_argument("--folder", default="docs/results")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.command == "run":
        measure(given.data, given.seeds, given.rows, given.out)
    elif given.command == "real":
        baseline(given.data, given.seeds, given.rows)
    else:
        draw(given.files, given.folder)


if __name__ == "__main__":
    main()
