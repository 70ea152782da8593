"""DP-MERF on MNIST and Fashion-MNIST: twelve classifiers trained on generated images, tested on real ones.

DP-MERF needs jax, numpy and scikit-learn only (LightGBM in XGBoost's place where it is installed, else
scikit-learn's boosting by histograms); --method dp-cgan is released by the whole package, and --method real
takes 10,000 of the training images themselves.
The generator trains on whatever device JAX finds; the classifiers share the cores.
delta = 1e-5, replace-one neighbours, uniform labels as in the paper. Classifiers
see 10,000 generated images; gradient boosting takes 50 rounds on tenths of them, bagging 20 trees on tenths.

    python bench/merf_images.py --data ../shared/data --out merf-images.jsonl --seeds 5 --jobs 16
    python bench/merf_images.py --data ../shared/data --only mnist --epsilons 1.3 --classifiers lr,tree
    python bench/merf_images.py --data ../shared/data --figures docs/results --seeds 1 --classifiers none
    python bench/merf_images.py --data ../shared/data --method dp-cgan --epsilons 9.6 --seeds 3

Appends a line of JSON for every run to --out; runs that are there already are skipped. At the end it prints a
table in Markdown. With --figures it draws ten images of every class (merf-mnist-1.3.png, ...).
"""

from __future__ import annotations

import argparse
import json
import struct
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from merf_bare import bare_package, gaussian_noise, noisy

SIDE, CLASSES, DELTA = 28, 10, 1e-5
PAPER = {"mnist": {1.3: 0.48, 2.9: 0.56, 9.6: 0.58}, "fashion_mnist": {1.3: 0.46, 2.9: 0.49, 9.6: 0.51}}


def generated(images: np.ndarray, labels: np.ndarray, *, epsilon: float, seed: int, options) -> dict:
    """Release the embedding of the images, train a generator, draw images."""
    from triplea.approximate.codes.binning import Binning
    from triplea.approximate.codes.coordinates import MixedCoordinates
    from triplea.approximate.embeddings.embedding_target import read_embedding
    from triplea.approximate.embeddings.feature_choice import choose_features
    from triplea.approximate.embeddings.generator_fit import GeneratorOptions, fit_generator
    from triplea.queries.embedding import Embedding

    rng = np.random.default_rng(seed)
    pixel = Binning(edges=np.array([0, 256]), nullable=False, countable=True)
    classes = Binning(edges=np.arange(CLASSES + 1), nullable=False, countable=True)
    names = [f"p{place}" for place in range(SIDE * SIDE)]
    coordinates = MixedCoordinates(binnings=dict.fromkeys(names, pixel), discrete=[])
    features = choose_features(coordinates, quantiles=False, image=True, features=options.features, rng=rng)
    query = Embedding(coordinates=coordinates, features=features, label="label", classes=classes)
    rows = {name: images[:, place] for place, name in enumerate(names)} | {"label": labels}
    start = time.perf_counter()
    values, spread = noisy(query, rows, multiplier=gaussian_noise(epsilon, DELTA), rng=rng)
    embedded = time.perf_counter()
    model, losses = fit_generator(
        read_embedding(values, spread, features),
        features,
        coordinates,
        options=GeneratorOptions(
            noise=10,
            hidden=(128, 128),
            steps=options.steps,
            batch=500,
            learning_rate=0.01,
            image=None if options.dense else (SIDE, SIDE),
        ),
        weights=np.full(CLASSES, 1.0 / CLASSES),
        label="label",
        classes=classes,
        order=(*names, "label"),
        rng=rng,
    )
    trained = time.perf_counter()
    made = model.sample(options.rows, rng=rng)
    return {
        "pixels": np.stack([made[name] for name in names], axis=1).astype(np.uint8),
        "labels": np.asarray(made["label"]),
        "embedding s": round(embedded - start, 2),
        "training s": round(trained - embedded, 2),
        "steps": 50 * len(losses),
    }


def by_the_package(data: str, *, epsilon: float, seed: int, options) -> dict:
    """Images released by another method of the package, with the same delta and neighbours."""
    from triplea.bench.datasets import load_dataset
    from triplea.engines import LocalEngine
    from triplea.registry import create_method
    from triplea.releases.request import prepare
    from triplea.releases.run import run
    from triplea.tables import open_table

    dataset = load_dataset(data)
    method = create_method(options.method, variant=options.variant, params=options.params)
    request = prepare(
        schema=dataset.schema,
        epsilon=epsilon,
        delta=DELTA,
        method=method,
        neighbours="replace-one",
        rows=options.rows,
    )
    start = time.perf_counter()
    rows = run(
        request, open_table(dataset.train, schema=request.schema), seed=seed, engine=LocalEngine(threads=1)
    ).rows
    names = [name for name in rows.column_names if name != dataset.target]
    pixels = np.stack([rows[name].to_numpy() for name in names], axis=1)
    return {
        "pixels": pixels.astype(np.uint8),
        "labels": rows[dataset.target].to_numpy().astype(int),
        "release s": round(time.perf_counter() - start, 2),
    }


def real(images: np.ndarray, labels: np.ndarray, *, rows: int, seed: int) -> dict:
    """As many of the training images as are generated else."""
    chosen = np.random.default_rng(seed).permutation(len(images))[:rows]
    return {"pixels": images[chosen], "labels": labels[chosen]}


def made_by(options, images: np.ndarray, labels: np.ndarray, what: dict) -> dict:
    """Images and labels of the method that is asked for."""
    if options.method == "real":
        return real(images, labels, rows=options.rows, seed=what["seed"])
    epsilon, seed = what["epsilon"], what["seed"]
    if options.method == "dp-merf":
        return generated(images, labels, epsilon=epsilon, seed=seed, options=options)
    return by_the_package(what["data"], epsilon=epsilon, seed=seed, options=options)


def classifiers(seed: int) -> dict[str, object]:
    """The twelve, with settings that suit 784 pixels."""
    from sklearn import ensemble, linear_model, naive_bayes, neural_network, svm, tree
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return {
        "lr": linear_model.LogisticRegression(max_iter=2000),
        "gaussian nb": naive_bayes.GaussianNB(),
        "bernoulli nb": naive_bayes.BernoulliNB(alpha=0.02, binarize=0.5),
        "linear svm": svm.LinearSVC(dual="auto", random_state=seed),
        "tree": tree.DecisionTreeClassifier(random_state=seed),
        "lda": LinearDiscriminantAnalysis(),
        "adaboost": ensemble.AdaBoostClassifier(random_state=seed),
        "bagging": ensemble.BaggingClassifier(n_estimators=20, max_samples=0.1, random_state=seed),
        "forest": ensemble.RandomForestClassifier(n_estimators=100, random_state=seed),
        "gbm": ensemble.GradientBoostingClassifier(n_estimators=50, subsample=0.1, random_state=seed),
        "mlp": neural_network.MLPClassifier(early_stopping=True, n_iter_no_change=5, random_state=seed),
        "xgboost": _boosting(seed),
    }


def _boosting(seed: int) -> object:
    try:
        from lightgbm import LGBMClassifier
    except ImportError:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(max_iter=50, random_state=seed)
    return LGBMClassifier(n_estimators=50, random_state=seed, n_jobs=1, verbose=-1)


def accuracy(name: str, train: Sequence[np.ndarray], test: Sequence[np.ndarray], seed: int) -> float:
    """One classifier, trained on generated images and tested on real ones."""
    import warnings

    warnings.simplefilter("ignore")
    model = classifiers(seed)[name]
    model.fit(train[0] / 255.0, train[1])
    return float(np.mean(model.predict(test[0] / 255.0) == test[1]))


def write_png(path: Path, picture: np.ndarray) -> None:
    """A grey picture, without an imaging library."""
    height, width = picture.shape
    lines = b"".join(b"\0" + row.tobytes() for row in picture.astype(np.uint8))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    chunks = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    ]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def sheet(pixels: np.ndarray, labels: np.ndarray, columns: int = 10) -> np.ndarray:
    """Ten images of every class, a line each, white on black."""
    lines = []
    for label in range(CLASSES):
        chosen = pixels[labels == label][:columns].reshape(-1, SIDE, SIDE)
        lines.append(np.concatenate(list(chosen), axis=1))
    return np.concatenate(lines)


def identity(run: dict) -> tuple[str, str, str, float, int]:
    """What a run is of: runs of files from before there were other methods are DP-MERF's."""
    names = run.get("method", "dp-merf"), run.get("variant", "provable")
    return run["data"], *names, run["epsilon"], run["seed"]


def table(runs: list[dict]) -> str:
    """Mean accuracy of the twelve beside the paper's, over seeds."""
    lines = [
        "| data | method | epsilon | paper's DP-MERF | ours | spread | seeds | lowest, highest classifier |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for key in sorted({identity(run)[:4] for run in runs}, reverse=True):
        own = [run for run in runs if identity(run)[:4] == key and run["scores"]]
        if not own:
            continue
        means = [np.mean(list(run["scores"].values())) for run in own]
        each = {name: np.mean([run["scores"][name] for run in own]) for name in own[0]["scores"]}
        low, high = min(each, key=each.get), max(each, key=each.get)
        data, method, variant, epsilon = key
        goal = PAPER[data].get(epsilon, float("nan"))
        lines.append(
            f"| {data} | {method}, {variant} | {epsilon} | {goal:.2f} | "
            f"{np.mean(means):.3f} | {np.std(means):.3f} | {len(own)} | "
            f"{low} {each[low]:.3f}, {high} {each[high]:.3f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", choices=tuple(PAPER), action="append")
    parser.add_argument("--method", default="dp-merf", help="dp-merf, real, or another method of the package")
    parser.add_argument("--variant", default="provable")
    parser.add_argument(
        "--params", type=json.loads, default={}, help="of another method, as JSON; a file of its own for each"
    )
    parser.add_argument("--epsilons", type=float, nargs="+", default=[1.3, 2.9, 9.6])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--features", type=int, default=500)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--dense", action="store_true", help="dense layers in place of convolutions")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--classifiers", default="all", help="names with commas, all, or none")
    parser.add_argument("--figures", type=Path, help="folder for pictures of generated images")
    parser.add_argument("--out", type=Path, default=Path("merf-images.jsonl"))
    options = parser.parse_args()
    if options.method == "dp-merf":
        bare_package()
    known = (
        [json.loads(line) for line in options.out.read_text().splitlines()] if options.out.exists() else []
    )
    done = {identity(run) for run in known if run["scores"]}
    names = [] if options.classifiers == "none" else list(classifiers(0))
    names = names if options.classifiers in ("all", "none") else options.classifiers.split(",")
    pending: list[tuple[dict, dict[str, Future]]] = []
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for data in options.only or list(PAPER):
            files = np.load(options.data / f"{data}.npz")
            images, test = files["x_train"].reshape(-1, SIDE * SIDE), files["x_test"].reshape(-1, SIDE * SIDE)
            for seed in range(options.first_seed, options.first_seed + options.seeds):
                for epsilon in options.epsilons:
                    what = {"data": data, "method": options.method, "variant": options.variant}
                    what |= {"epsilon": epsilon, "seed": seed}
                    if identity(what) in done:
                        continue
                    made = made_by(options, images, files["y_train"].astype(int), what)
                    train = made.pop("pixels"), made.pop("labels")
                    if options.figures and seed == 0:
                        write_png(options.figures / f"merf-{data}-{epsilon:g}.png", sheet(*train))
                    run = {**what, **made}
                    print(json.dumps(run), flush=True)
                    tasks = {n: pool.submit(accuracy, n, train, (test, files["y_test"]), seed) for n in names}
                    pending.append((run, tasks))
        for run, tasks in pending:
            run["scores"] = {name: round(task.result(), 4) for name, task in tasks.items()}
            with options.out.open("a") as lines:
                lines.write(json.dumps(run) + "\n")
            known.append(run)
    print(table(known))


if __name__ == "__main__":
    main()
