"""The papers' numbers: about things that exist, and as printed."""

from __future__ import annotations

import pytest

from triplea.bench.choices import EVALUATOR_NAMES
from triplea.bench.entries import PLANNED
from triplea.bench.paper import BEST, Key, citations, is_better, paper_numbers, table_notes
from triplea.bench.recipes import RECIPES


def value(dataset: str, method: str, epsilon: float | None, evaluator: str, metric: str) -> list[float]:
    key = Key(dataset=dataset, method=method, epsilon=epsilon, evaluator=evaluator, metric=metric)
    return [number.value for number in paper_numbers()[key]]


def test_every_number_is_about_a_known_data_set_method_and_evaluator() -> None:
    for key, numbers in paper_numbers().items():
        assert key.dataset in RECIPES
        assert key.method in {"real", *PLANNED}
        assert key.evaluator in EVALUATOR_NAMES
        assert all(number.paper in citations() for number in numbers)
        assert all(isinstance(number.value, float) and number.value >= 0 for number in numbers)
        assert (key.epsilon is None) == (key.method == "real")


@pytest.mark.parametrize(
    ("about", "printed"),
    [
        (("adult/3a", "clustmix", 1.0, "lightgbm", "roc_auc"), [0.863]),
        (("adult", "clustmix", 1.0, "lightgbm", "roc_auc"), [0.863]),
        (("credit/dp-merf", "dp-merf", 1.0, "twelve", "mean.roc_hard"), [0.772, 0.73]),
        (("isolet/dp-merf", "dp-merf", 1.0, "twelve", "mean.prc_hard"), [0.404]),
        (("mnist", "dp-merf", 2.9, "twelve", "mean.accuracy"), [0.56]),
        (("fashion_mnist", "dp-cgan", 9.6, "twelve", "lda.f1_weighted"), [0.48]),
        (("adult/dp-auto-gan", "dp-auto-gan", 0.51, "random-forest", "accuracy"), [0.7868]),
        (("adult/dp-auto-gan", "dp-syn", 0.8, "diversity", "kl_mu.race"), [0.465, 0.465]),
        (("adult/dp-auto-gan", "dp-wgan", 0.51, "diversity", "jsd.income"), [0.374]),
        (("phishing/mc-gen-2", "real", None, "mc-gen-2", "gb.accuracy"), [0.94]),
    ],
)
def test_some_numbers_are_as_printed(
    about: tuple[str, str, float | None, str, str], printed: list[float]
) -> None:
    assert value(*about) == printed


def test_columns_of_divergences_add_up_to_their_totals() -> None:
    names = "workclass marital_status occupation relationship race sex native_country income".split()
    for method, epsilon in (("dp-auto-gan", 1.01), ("dp-vae", 0.36), ("dp-syn", 1.4)):
        about = ("adult/dp-auto-gan", method, epsilon, "diversity")
        parts = sum(value(*about, f"jsd.{name}")[0] for name in names)
        assert parts == pytest.approx(value(*about, "jsd.total")[0], abs=0.006)


def test_the_best_of_five_runs_is_told_from_a_mean() -> None:
    key = Key(
        dataset="credit/dp-merf", method="dp-merf", epsilon=1.0, evaluator="twelve", metric="lda.roc_hard"
    )
    assert {number.table: number.statistic for number in paper_numbers()[key]} == {"5": BEST, "6": "mean"}


def test_what_must_be_known_about_a_table_is_kept() -> None:
    assert "another metric" in table_notes("3a")["1"]


def test_distances_are_better_when_small() -> None:
    assert is_better("tv2", 0.1, 0.2)
    assert is_better("roc_auc", 0.9, 0.8)
