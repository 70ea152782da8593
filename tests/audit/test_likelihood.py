"""The likelihood ratio of the door's answers: its law is that of the noise, question by question."""

from __future__ import annotations

import numpy as np
import pytest

from triplea.anonymize.charges import Charge
from triplea.anonymize.plan import Mechanism
from triplea.audit.likelihood import Enough, NotingEngine, Shadow, Transcript, log_ratio

CHARGES = {
    "g": Charge(label="g", mechanism=Mechanism.GAUSSIAN, noise_multiplier=2.0),
    "l": Charge(label="l", mechanism=Mechanism.LAPLACE, epsilon=0.5),
    "e": Charge(label="e", mechanism=Mechanism.EXPONENTIAL, epsilon=1.0),
    "k": Charge(label="k", mechanism=Mechanism.THRESHOLD, noise_multiplier=2.0, slack_delta=1e-3),
    "c": Charge(label="c", mechanism=Mechanism.CLAIMED),
}


def transcript(
    label: str, exact: np.ndarray, released: np.ndarray, norm: str, scale: float = 1.0
) -> Transcript:
    engine = NotingEngine()
    engine.scale = scale
    kept = Transcript(engine)
    kept.saw(label=label, exact=exact, released=released, bound=1.0, norm=norm)
    return kept


def test_the_ratio_of_a_gaussian_has_mean_half_its_variance() -> None:
    rng, other = np.random.default_rng(0), np.array([1.0, 0.0])
    ratios = [
        log_ratio(transcript("g", np.zeros(2), rng.normal(0, 2, 2), "L2"), [other], CHARGES)
        for _ in range(4000)
    ]
    assert np.mean(ratios) == pytest.approx(-1 / 8, abs=0.03)  # mu = 1 / 2
    assert np.std(ratios) == pytest.approx(1 / 2, abs=0.03)


def test_answers_are_compared_on_the_scale_of_their_noise() -> None:
    plain = log_ratio(transcript("g", np.zeros(1), np.array([3.0]), "L2"), [np.ones(1)], CHARGES)
    scaled = log_ratio(transcript("g", np.zeros(1), np.array([30.0]), "L2", 10.0), [np.ones(1)], CHARGES)
    assert plain == pytest.approx(scaled)


def test_the_ratio_of_a_laplace_is_its_epsilon_at_most() -> None:
    far = transcript("l", np.zeros(1), np.array([50.0]), "L1")
    assert log_ratio(far, [np.ones(1)], CHARGES) == pytest.approx(0.5)


def test_the_ratio_of_a_choice_is_that_of_its_chances() -> None:
    picked = transcript("e", np.zeros(2), np.asarray(1.0), "max")
    chance = np.exp(0.5) / (1 + np.exp(0.5))
    assert log_ratio(picked, [np.array([0.0, 1.0])], CHARGES) == pytest.approx(np.log(chance / 0.5))


def test_a_category_that_one_table_lacks_is_certainty_when_it_shows() -> None:
    kept = Transcript(NotingEngine())
    kept.saw_keys(label="k", exact={"a": 90}, released=("a",), bound=1.0)
    assert log_ratio(kept, [{}], CHARGES) < -40
    assert abs(log_ratio(kept, [{"a": 91}], CHARGES)) < 1e-6


def test_a_claimed_question_tells_nothing() -> None:
    assert log_ratio(transcript("c", np.zeros(1), np.ones(1), "L2"), [np.ones(1)], CHARGES) == 0.0


def test_a_shadow_hands_out_what_was_recorded_and_stops_at_the_last_question() -> None:
    first = transcript("g", np.zeros(1), np.array([7.0]), "L2")
    first.saw(label="g", exact=np.zeros(1), released=np.array([8.0]), bound=1.0, norm="L2")
    shadow = Shadow(first.questions)
    options = {"label": "g", "exact": np.ones(1), "released": np.zeros(1), "bound": 1.0, "norm": "L2"}
    assert shadow.saw(**options) == np.array([7.0])
    with pytest.raises(Enough):
        shadow.saw(**options)
    assert len(shadow.exacts) == 2


def test_a_transcript_can_end_early() -> None:
    with pytest.raises(Enough):
        Transcript(NotingEngine(), enough=1).saw(
            label="g", exact=np.zeros(1), released=np.zeros(1), bound=1.0, norm="L2"
        )
