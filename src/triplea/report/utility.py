"""What a model trained on the synthetic rows can do on real ones."""

from __future__ import annotations

import math
from collections.abc import Iterable

from triplea.report.curves import curve_picture, line_legend
from triplea.report.dots import Dot, dot_legend, dot_picture
from triplea.report.html import Html, join, name_of, table, tag
from triplea.report.numbers import count, fixed, interval, share
from triplea.results import ModelResult, RankingAgreement, Utility

TITLES = {
    "roc_auc": "ROC AUC",
    "roc_auc_ovr": "ROC AUC, one against the rest",
    "average_precision": "average precision",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "f1_weighted": "F1, weighted",
    "roc_hard": "ROC AUC of hard labels",
    "prc_hard": "average precision of hard labels",
    "r2": "R²",
    "rmse": "typical error",
}
_MARKS = {"synthetic": "synthetic", "real": "real", "real sample": "sample", "nothing": "floor"}
_LEGEND = (
    ("synthetic", "trained on synthetic rows"),
    ("real", "trained on real rows"),
    ("sample", "on as many real rows"),
    ("floor", "knows nothing"),
)


def utility_section(utility: Utility) -> Html:
    """Return pictures first, then the numbers."""
    return join(
        tag("p", verdict(utility)),
        tag("h3", f"{_title(utility.headline)} on real test rows"),
        dot_legend(_LEGEND),
        tag("figure", _dots(utility)),
        _curves(utility),
        tag("h3", "All scores"),
        _table(utility),
        _scenario_one(utility),
        _ranking(utility.ranking),
    )


def verdict(utility: Utility) -> Html:
    """Say in words how much of the real rows' worth the synthetic ones keep."""
    ours, real = best_pair(utility)
    floor = utility.score("no_information", "nothing")
    words: list[str | Html] = ["Predicting ", tag("strong", name_of(utility.target)), ": "]
    words.append(f"LightGBM trained on the synthetic rows reaches {_title(utility.headline)} {fixed(ours)}, ")
    words.append(f"trained on the real rows {fixed(real)}; knowing nothing gives {fixed(floor)}.")
    kept = kept_share(utility)
    if kept is not None:
        words.append(f" That is {share(kept)} of what the real rows teach.")
    if utility.majority_share is not None:
        words.append(
            f" Always naming the most common class is right on {share(utility.majority_share)} of the rows."
        )
    return join(words)


def best_pair(utility: Utility) -> tuple[float, float]:
    """Return LightGBM's headline score, trained on synthetic and on real rows."""
    return utility.score("lightgbm"), utility.score("lightgbm", "real")


def kept_share(utility: Utility) -> float | None:
    """Return the share of the real rows' gain over the floor that is kept; None if there is no gain."""
    ours, real = best_pair(utility)
    floor = utility.score("no_information", "nothing")
    if not all(math.isfinite(value) for value in (ours, real, floor)) or real - floor < 0.01:
        return None
    return max(min((ours - floor) / (real - floor), 1.0), 0.0)


def _dots(utility: Utility) -> Html:
    models = {result.model: result.title for result in _on_real(utility) if result.trained_on != "nothing"}
    floor = [result for result in _on_real(utility) if result.trained_on == "nothing"]
    rows = []
    for model, title in models.items():
        chosen = [*floor, *(result for result in _on_real(utility) if result.model == model)]
        order = sorted(chosen, key=lambda result: -list(_MARKS).index(result.trained_on))
        dots = [
            Dot(
                mark=_MARKS[r.trained_on], score=r.scores[utility.headline], name=f"trained on {r.trained_on}"
            )
            for r in order
            if utility.headline in r.scores
        ]
        rows.append((title, dots))
    values = [dot.score.value for _, dots in rows for dot in dots if math.isfinite(dot.score.value)]
    low = max(min([*values, 0.5]) - 0.02, -0.5)
    title = f"{_title(utility.headline)} of every model"
    return dot_picture(rows, title=title, axis=_title(utility.headline), low=low, high=1.0)


def _curves(utility: Utility) -> Html | None:
    if not utility.curves:
        return None
    titles = {result.model: result.title for result in utility.results}
    models = list(dict.fromkeys(curve.model for curve in utility.curves))
    parts = []
    for kind, metric in (("roc", "roc_auc"), ("pr", "average_precision")):
        figures = []
        for model in models:
            scores = {name: utility.score(model, name, metric) for name in ("real", "synthetic")}
            curves = [curve for curve in utility.curves if curve.model == model]
            drawing = curve_picture(curves, kind=kind, model=titles.get(model, model), scores=scores)
            caption = tag("figcaption", tag("strong", titles.get(model, model)))
            figures.append(tag("figure", caption, drawing))
        parts.append(tag("div", figures, class_="panels"))
    return join(
        tag("h3", "ROC curves"),
        line_legend(),
        parts[0],
        tag("details", tag("summary", "Precision-recall curves"), line_legend(), parts[1]),
    )


def _table(utility: Utility) -> Html:
    results = list(_on_real(utility))
    names = [name for name in TITLES if any(name in result.scores for result in results)]
    rows = []
    for result in results:
        cells: list[Html] = []
        for name in names:
            score = result.scores.get(name)
            cells.append(
                join(fixed(score.value if score else None), tag("small", interval(score)) if score else None)
            )
        rows.append((name_of(result.title), result.trained_on, count(result.rows), *cells))
    headers = ("model", "trained on", "rows", *(_header(utility, name) for name in names))
    caption = "Scores on real test rows, with 95 % intervals over test rows"
    return table(caption, headers, rows, class_="scores")


def _header(utility: Utility, name: str) -> str:
    paper = any(name in result.scores and result.scores[name].paper_metric for result in utility.results)
    return f"{_title(name)} (paper metric)" if paper else _title(name)


def _scenario_one(utility: Utility) -> Html | None:
    rows = [
        (name_of(result.title), fixed(result.scores["accuracy"].value), interval(result.scores["accuracy"]))
        for result in utility.results
        if result.tested_on == "synthetic" and "accuracy" in result.scores
    ]
    if not rows:
        return None
    caption = "Trained on real rows, tested on synthetic ones (MC-GEN's first scenario)"
    return table(caption, ("model", "accuracy", "95 %"), rows)


def _ranking(ranking: RankingAgreement | None) -> Html | None:
    if ranking is None:
        return None
    return tag(
        "p",
        f"Do models rank alike? {share(ranking.sra)} of the pairs of the {len(ranking.models)} models come "
        f"in the same order (Spearman {fixed(ranking.spearman, 2)}).",
    )


def _on_real(utility: Utility) -> Iterable[ModelResult]:
    return (result for result in utility.results if result.tested_on == "real")


def _title(metric: str) -> str:
    return TITLES.get(metric, metric)
