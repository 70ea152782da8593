"""Records to draw pages from: a complete evaluation with hostile names, and parts to change in it."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any

import numpy as np

from triplea.results import (
    Association,
    AttackResult,
    ClosestRecord,
    ColumnFidelity,
    Curve,
    DimensionPoint,
    Evaluation,
    Fidelity,
    Guarantee,
    Identifiability,
    ImageSamples,
    MarginalDistance,
    MarginalFidelity,
    MembershipAttack,
    ModelResult,
    Note,
    PaidQuestion,
    Projection,
    PublicColumn,
    RankingAgreement,
    ReleaseFacts,
    Risk,
    Score,
    Utility,
)

HOSTILE = "<script>alert('x')</script>"
HOSTILE_VALUE = '"><img src=x onerror=alert(1)>'
NAMES = ("age", "ward", HOSTILE)


def guarantee(**changes: Any) -> Guarantee:
    paid = PaidQuestion(
        label="counts", mechanism="gaussian", share=0.8, proof="docs/proofs/counts.md",
        sensitivity=1.0, norm="L2", noise_from=4.0, noise_to=9.0, numbers=420,
    )  # fmt: skip
    standard = Guarantee(
        status="proved",
        sentence="This table is (epsilon = 1, delta = 1e-05)-differentially private: proved.",
        epsilon=1.0,
        epsilon_proved=1.0,
        delta=1e-5,
        neighbours="add-or-remove-one",
        unit="one row",
        curve=((0.1, 0.067), (1.0, 1e-5)),
        questions=(paid, replace(paid, label=HOSTILE, share=0.2)),
        warnings=("Bounds were observed.",),
        not_covered=("Timing.",),
    )
    return replace(standard, **changes)


def claimed() -> Guarantee:
    unpriced = PaidQuestion(
        label="rows", mechanism="claimed", share=None, proof="none", reasons=("The sensitivity is wrong.",)
    )
    sentence = "(epsilon = 1) is claimed by the paper, and NOT proved."
    return guarantee(
        status="claimed", sentence=sentence, epsilon_proved=None, curve=(), questions=(unpriced,), warnings=()
    )


def facts(**changes: Any) -> ReleaseFacts:
    columns = [
        PublicColumn(name=name, kind="integer", domain=HOSTILE_VALUE, nullable=False) for name in NAMES
    ]
    standard = ReleaseFacts(
        name="stays",
        method="naive-bayes",
        variant="provable",
        rows=900,
        target="ward",
        columns=tuple(columns),
        guarantee=guarantee(),
        created="2026-01-01T00:00:00+00:00",
        parameters={"bins": "20"},
        data_sha256="ab" * 32,
    )
    return replace(standard, **changes)


def number_column(name: str = "age", **changes: Any) -> ColumnFidelity:
    standard = ColumnFidelity(
        name=name, kind="number", labels=("0 to 5", "5 to 10", "missing"), edges=(0.0, 5.0, 10.0),
        real=(0.5, 0.4, 0.1), synthetic=(0.3, 0.7, 0.0), total_variation=0.3, jensen_shannon=0.1,
        smoothed_kl=0.1,
    )  # fmt: skip
    return replace(standard, **changes)


def category_column(name: str = "ward", values: int = 3) -> ColumnFidelity:
    labels = (*(f"value {i}" for i in range(values - 1)), HOSTILE_VALUE, "missing")
    shares = np.arange(values, 0, -1) / (values * (values + 1) / 2)
    ours = shares.copy()
    ours[0], ours[1] = ours[0] + ours[1], 0.0
    return ColumnFidelity(
        name=name, kind="category", labels=labels, real=(*shares.tolist(), 0.0),
        synthetic=(*ours.tolist(), 0.0), total_variation=float(shares[1]), jensen_shannon=0.2,
        smoothed_kl=0.3,
    )  # fmt: skip


def association(size: int = 3) -> Association:
    real = np.eye(size) * 0.5 + 0.5
    ours = np.eye(size)
    names = (*(f"column {i}" for i in range(size - 1)), HOSTILE)
    return Association(
        columns=names,
        real=tuple(map(tuple, real.tolist())),
        synthetic=tuple(map(tuple, ours.tolist())),
        mean_difference=0.5,
        maximum_difference=0.5,
    )


def projection(classes: tuple[str, ...] = ("no", HOSTILE)) -> Projection:
    rng = np.random.default_rng(0)
    clouds = [tuple(map(tuple, rng.normal(size=(30, 2)).tolist())) for _ in range(2)]
    labels = tuple(classes[i % len(classes)] for i in range(30)) if classes else ()
    return Projection(
        explained=(0.4, 0.2),
        real=clouds[0],
        synthetic=clouds[1],
        real_classes=labels,
        synthetic_classes=labels,
    )


def points(metric: str = "F1") -> tuple[DimensionPoint, ...]:
    pairs = ((HOSTILE, 0.9, 0.2), ("age", 0.5, 0.5), ("ward", 0.7, float("nan")))
    return tuple(
        DimensionPoint(column=name, label=name, kind="categorical", metric=metric, real=real, synthetic=ours)
        for name, real, ours in pairs
    )


def fidelity(**changes: Any) -> Fidelity:
    marginal = MarginalFidelity(
        ways=1, bins=20, mean=0.1, maximum=0.3, with_target=None, floor=0.01, uniform=0.5,
        computed=3, total=3,
        worst=(MarginalDistance(columns=(HOSTILE,), value=0.3),),
    )  # fmt: skip
    standard = Fidelity(
        columns=(number_column(), category_column(), number_column(HOSTILE, total_variation=0.9)),
        marginals=(marginal,),
        nist_score=Score(value=9e5),
        association=association(),
        probability=points("share of rows"),
        prediction=(*points(), *points("R2")),
        projection=projection(),
    )
    return replace(standard, **changes)


def utility(ours: float = 0.8, **changes: Any) -> Utility:
    values = {"synthetic": ours, "real": 0.9, "real sample": 0.88}
    results = [
        ModelResult(
            model="lightgbm", title="LightGBM", trained_on=name, rows=900,
            scores={"roc_auc": Score(value=value, low=value - 0.02, high=value + 0.02),
                    "roc_hard": Score(value=value, paper_metric=True)},
        )
        for name, value in values.items()
    ]  # fmt: skip
    results.append(
        ModelResult(model="no_information", title="No information", trained_on="nothing", rows=900,
                    scores={"roc_auc": Score(value=0.5)})
    )  # fmt: skip
    results.append(
        ModelResult(model="svm", title="SVM", trained_on="real", tested_on="synthetic", rows=9,
                    scores={"accuracy": Score(value=0.7)})
    )  # fmt: skip
    curves = [
        Curve(model="lightgbm", trained_on=name, kind=kind, x=(0.0, 0.2, 1.0), y=(0.0, 0.8, 1.0))
        for name in ("synthetic", "real")
        for kind in ("roc", "pr")
    ]
    ranking = RankingAgreement(
        metric="roc_auc", models=("a", "b"), real=(0.9, 0.8), synthetic=(0.8, 0.7), sra=1.0, spearman=1.0
    )
    standard = Utility(
        target=HOSTILE, task="classification", headline="roc_auc", classes=("no", "yes"), positive="yes",
        majority_share=0.7, results=tuple(results), curves=tuple(curves), ranking=ranking,
    )  # fmt: skip
    return replace(standard, **changes)


def risk() -> Risk:
    score = Score(value=0.4, low=0.3, high=0.5)
    attack = AttackResult(
        attack="inference", title=f"Inferring {HOSTILE}", attacks=100, rate=score, baseline=score,
        control=score, risk=Score(value=0.0),
    )  # fmt: skip
    closest = ClosestRecord(
        rows=900, reference_rows=300, closer_to_train=score, levels=(0.05, 0.5), to_train=(0.1, 1.0),
        to_held_out=(0.1, 1.1), copies_of_train=Score(value=0.0), copies_of_held_out=Score(value=0.0),
    )  # fmt: skip
    membership = MembershipAttack(
        attack="distance", title="Nearest row", members=100, non_members=100, auc=Score(value=0.52),
        true_positives_at_one_percent=0.01,
    )  # fmt: skip
    return Risk(
        closest=closest,
        identifiability=Identifiability(rows=100, value=score, matched=score, control=score),
        attacks=(attack,),
        membership=(membership,),
    )


def images() -> ImageSamples:
    picture = b64encode(bytes(range(0, 240, 20))).decode("ascii")
    return ImageSamples(
        height=3, width=4, classes=("0", HOSTILE), real=((picture, picture), (picture,)),
        synthetic=((picture, picture), ()),
    )  # fmt: skip


def evaluation(**changes: Any) -> Evaluation:
    standard = Evaluation(
        source="release",
        suite="quick",
        seed=0,
        rows={"train": 1000, "test": 300, "synthetic": 900},
        columns=NAMES,
        target=HOSTILE,
        utility=utility(),
        fidelity=fidelity(),
        risk=risk(),
        release=facts(),
        images=images(),
        notes=(
            Note(code="constant-column", text="the synthetic column is constant", column=HOSTILE),
            Note(code="levels-vanished", text="1 of 3 categories", level="info", column="ward"),
        ),
        seconds={"utility": 3.0},
        versions={"triplea": "0"},
    )
    return replace(standard, **changes)
