"""What is done to a file before anything is measured: which rows, which target, which split.

A name without a slash is our own choice; `adult/dp-merf` is what that paper did. Splits and undersampling use
one fixed seed, whatever the seed of a cell: cells with different seeds share their rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OFFICIAL = "official"
STRATIFIED = "stratified"
FILES = {
    "adult": 48_842,
    "census": 299_285,
    "cervical": 858,
    "covtype": 581_012,
    "credit": 284_807,
    "diabetes": 768,
    "epileptic": 11_500,
    "fashion_mnist": 70_000,
    "intrusion": 805_050,
    "isolet": 7_797,
    "mimic3_demo": 100,
    "mnist": 70_000,
    "phishing": 11_055,
}
IMAGES = ("mnist", "fashion_mnist")


@dataclass(frozen=True, kw_only=True)
class Derived:
    """A 0/1 target made of another column: 1 where its value is one of `positive`."""

    name: str
    column: str
    positive: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How one file becomes training and test rows; the fields are applied in this order.

    `part` keeps one part of the official split; `most_missing` keeps rows with at most so many missing
    values; `without_class` leaves a class out; `rows` keeps that many at random; `kept` maps a class to the
    share of its rows that is kept; `split` is "official", the share of training rows, or "stratified":
    scikit-learn's `train_test_split(test_size=0.25, stratify=target, random_state=0)`, which anybody can
    repeat; `swapped` lets training and test rows change places.
    """

    file: str
    note: str
    part: str | None = None
    derived: Derived | None = None
    target: str | None = None
    most_missing: int | None = None
    without_class: str | None = None
    rows: int | None = None
    kept: Mapping[str, float] = field(default_factory=dict)
    split: str | float = 0.75
    swapped: bool = False
    drop: tuple[str, ...] = ()
    scoring: Mapping[str, Any] = field(default_factory=dict)


VOWEL = Derived(name="vowel", column="letter", positive=(1, 5, 9, 15, 21))
SEIZURE = Derived(name="seizure", column="y", positive=(1,))
OTHER_TESTS = ("hinselmann", "schiller", "citology")
# With 492 frauds in 284,807 rows, LightGBM's default leaf weight lets single rows decide.
CREDIT_SCORING = {"min_child_weight": 10.0}

OURS = {
    "adult": Recipe(file="adult", split=OFFICIAL, note="UCI's own split; all 14 features"),
    "census": Recipe(
        file="census", split=OFFICIAL, drop=("instance_weight",),
        note="UCI's own split; 40 features: the data dictionary says that the weight is none",
    ),
    "credit": Recipe(
        file="credit", drop=("time",), scoring=CREDIT_SCORING,
        note="75/25; `time` dropped (seconds since the first row); LightGBM with min_child_weight 10",
    ),
    "credit/stratified": Recipe(
        file="credit", drop=("time",), scoring=CREDIT_SCORING, split=STRATIFIED,
        note="75/25, stratified by scikit-learn with random_state 0; else as `credit`",
    ),
    "isolet/stratified": Recipe(
        file="isolet", derived=VOWEL, split=STRATIFIED,
        note="75/25 of all rows, stratified by scikit-learn with random_state 0; vowel or not",
    ),
    "isolet": Recipe(file="isolet", derived=VOWEL, note="75/25 of all rows; vowel (A, E, I, O, U) or not"),
    "isolet/letters": Recipe(
        file="isolet", split=OFFICIAL, note="26 letters; speakers 1 to 120 train, 121 to 150 test"
    ),
    "covtype": Recipe(file="covtype", note="75/25 of all rows; 7 classes"),
    "covtype/original": Recipe(file="covtype", split=OFFICIAL, note="11,340 training, 565,892 test rows"),
    "epileptic": Recipe(file="epileptic", derived=SEIZURE, note="75/25; seizure (y = 1) or not"),
    "intrusion": Recipe(
        file="intrusion", split=OFFICIAL, drop=("label",),
        note="trained on the 10 percent file, tested on the corrected test file; 5 classes",
    ),
    "cervical": Recipe(file="cervical", drop=OTHER_TESTS, note="75/25; biopsy, without the 3 other tests"),
    "diabetes": Recipe(file="diabetes", note="75/25; zeros that mean missing are left as they are"),
    "phishing": Recipe(file="phishing", note="75/25"),
    "mnist": Recipe(file="mnist", split=OFFICIAL, note="60,000 and 10,000 images of 28 x 28"),
    "fashion_mnist": Recipe(file="fashion_mnist", split=OFFICIAL, note="60,000 and 10,000 images of 28 x 28"),
    "mimic3_demo": Recipe(
        file="mimic3_demo", drop=("subject_id",),
        note="75/25 of 100 patients, no target: a smoke test, no result",
    ),
}  # fmt: skip
THREE_A = {
    "adult/3a": Recipe(file="adult", part="train", note="75/25 of the 32,561 rows that the paper counts"),
    "census/3a": Recipe(
        file="census",
        drop=("instance_weight",),
        note="75/25 of all 299,285 rows; 40 features as in the paper",
    ),
}
_MERF = "undersampled before the split, as in the paper: the test rows are undersampled too"
DP_MERF = {
    "adult/dp-merf": Recipe(
        file="adult", part="train", kept={"<=50K": 0.4}, split=0.9,
        note=f"90/10 of the 32,561 rows (the paper counts 22,561); {_MERF}",
    ),
    "census/dp-merf": Recipe(
        file="census", part="train", kept={"- 50000": 0.4}, split=0.8, drop=("instance_weight",),
        note=f"80/20 of the 199,523 rows; {_MERF}",
    ),
    "cervical/dp-merf": Recipe(
        file="cervical", most_missing=9, split=0.8,
        note="80/20 of the 753 rows with fewer than 10 missing values; the three other tests are features, "
        "as in the paper's code. Missing values stay missing (the paper fills in medians and zeros)",
    ),
    "credit/dp-merf": Recipe(
        file="credit", kept={"0": 0.005}, split=0.8, drop=("time",), note=f"80/20; {_MERF} (rate .005)"
    ),
    "epileptic/dp-merf": Recipe(file="epileptic", derived=SEIZURE, split=0.7, note="70/30; y = 1 or not"),
    "isolet/dp-merf": Recipe(
        file="isolet", part="train", derived=VOWEL, split=0.7,
        note="70/30 of the 6,238 training rows, which gives the paper's 4,366; vowel or not",
    ),
    "covtype/dp-merf": Recipe(
        file="covtype", rows=20_000, kept={"2": 0.3}, split=0.7,
        note="70/30 of 20,000 random rows with .3 of the commonest class, as in the paper's code (its table "
        "of settings says .03, its table of sizes 406,698 rows)",
    ),
    "intrusion/dp-merf": Recipe(
        file="intrusion", part="train", without_class="u2r", kept={"dos": 0.1}, split=0.7, drop=("label",),
        note="70/30 of the 494,021 rows without the 52 of class u2r, as in the paper's code; "
        f"{_MERF} (rate .1)",
    ),
}  # fmt: skip
DP_AUTO_GAN = {
    "comorbidities": Recipe(
        file="comorbidities", split=0.6,
        note="SIMULATED, 46,520 x 1,071 columns of 0 and 1 with known structure, in the place of MIMIC-III; "
        "60/40 (27,912 training rows, as in the paper), no target",
    ),
    "adult/dp-auto-gan": Recipe(
        file="adult", split=OFFICIAL, drop=("fnlwgt", "education"),
        note="UCI's own split; without fnlwgt and education, as in the paper: 13 columns with the target",
    ),
}  # fmt: skip
_SCENARIOS = {
    "mc-gen-1": (True, "scenario 1: the release is made of 20 %, and models are trained on the other 80 %"),
    "mc-gen-2": (False, "scenario 2: the release is made of 80 %, and models are tested on the other 20 %"),
}
MC_GEN = {
    f"{file}/{scenario}": Recipe(file=file, split=0.8, swapped=swapped, note=note)
    for file in ("diabetes", "adult", "phishing")
    for scenario, (swapped, note) in _SCENARIOS.items()
}
RECIPES: dict[str, Recipe] = {**OURS, **THREE_A, **DP_MERF, **DP_AUTO_GAN, **MC_GEN}


def file_name(file: str) -> str:
    """Return the name of the file of a data set."""
    return f"{file}.npz" if file in IMAGES else f"{file}.parquet"
