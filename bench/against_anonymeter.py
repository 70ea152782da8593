"""Our singling-out, linkability and inference attacks beside those of anonymeter, on the same three tables.

anonymeter needs NumPy 1, so this script imports nothing of ours: it reads files and our record.

triplea release train.parquet --schema s.json --epsilon 1 --delta 1e-5 --out release
triplea evaluate release --train train.parquet --test test.parquet --schema s.json --suite full --out scores
python -m venv others && others/bin/pip install anonymeter pyarrow
others/bin/python bench/against_anonymeter.py --train train.parquet --test test.parquet \
    --synthetic release/data.parquet --record scores/evaluation.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

HEADER = "| attack | members: theirs | ours | control: theirs | ours | risk: theirs | ours |"


def main() -> None:
    given = arguments()
    real, held_out, made = (read(path) for path in (given.train, given.test, given.synthetic))
    made = made[real.columns].astype(real.dtypes)
    for attack in json.loads(Path(given.record).read_text(encoding="utf-8"))["risk"]["attacks"]:
        theirs = run(attack, real, held_out, made)
        if theirs is not None:
            rates = theirs.results()
            show(attack, rates.attack_rate.value, rates.control_rate.value, theirs.risk().value)


def run(attack: dict[str, Any], real: pd.DataFrame, held_out: pd.DataFrame, made: pd.DataFrame) -> Any:
    """Their attack of the same kind, with as many tries, on tables of one size as ours for singling out."""
    size = min(len(real), len(held_out), len(made))
    real, held_out, made = (table.sample(size, random_state=0) for table in (real, held_out, made))
    common = {"ori": real, "syn": made, "control": held_out, "n_attacks": attack["attacks"]}
    names = list(real.columns)
    match attack["attack"]:
        case "singling_out_univariate":
            return SinglingOutEvaluator(**common, seed=0).evaluate(mode="univariate")
        case "singling_out_multivariate":
            return SinglingOutEvaluator(**common, n_cols=5, seed=0).evaluate(mode="multivariate")
        case "linkability":
            halves = (names[::2], names[1::2])
            return LinkabilityEvaluator(**common, aux_cols=halves, n_neighbors=1).evaluate(n_jobs=1)
        case "inference" if not pd.api.types.is_numeric_dtype(real[attack["column"]]):
            known = [name for name in names if name != attack["column"]]
            return InferenceEvaluator(**common, aux_cols=known, secret=attack["column"]).evaluate(n_jobs=1)
    return None  # their guesses of numbers count as right within 5 %, ours within a bin


def show(attack: dict[str, Any], members: float, control: float, risk: float) -> None:
    ours = [attack[part]["value"] for part in ("rate", "control", "risk")]
    both = [f"{value:.3f}" for pair in zip((members, control, risk), ours, strict=True) for value in pair]
    print(f"| {attack['title']} | {' | '.join(both)} |", flush=True)


def read(path: str) -> pd.DataFrame:
    table = pd.read_parquet(path)
    texts = table.select_dtypes(exclude="number").columns
    return table.astype(dict.fromkeys(texts, object)).fillna(dict.fromkeys(texts, "missing"))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("train", "test", "synthetic", "record"):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args()


if __name__ == "__main__":
    print(HEADER + "\n|---|" + "---:|" * 6)
    main()
