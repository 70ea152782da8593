"""A recording witness changes nothing; a replaying one hands out what was recorded."""

from __future__ import annotations

import numpy as np
import pytest

from triplea.audit.witnesses import Recorder, Replayer, Step


def test_recording_hands_back_the_answer_and_keeps_a_copy() -> None:
    recorder, answer = Recorder(), np.array([1.0, 2.0])
    assert (
        recorder.saw(label="q", exact=np.array([1.0, 1.0]), released=answer, bound=1.0, norm="L2") is answer
    )
    answer[0] = 99.0
    assert recorder.questions[0].released.tolist() == [1.0, 2.0]


def test_replaying_forces_the_recorded_answer() -> None:
    recorder = Recorder()
    recorder.saw(label="q", exact=np.zeros(2), released=np.array([5.0, 6.0]), bound=1.0, norm="L1")
    replayer = Replayer(recorder.questions)
    given = replayer.saw(label="q", exact=np.array([0.5, 0.5]), released=np.zeros(2), bound=1.0, norm="L1")
    assert given.tolist() == [5.0, 6.0]
    assert replayer.steps == [Step(label="q", norm="L1", measured=1.0, allowed=1.0)]
    assert replayer.findings == []


@pytest.mark.parametrize(("norm", "measured"), [("L1", 7.0), ("L2", 5.0), ("max", 4.0)])
def test_distances_follow_the_norm(norm: str, measured: float) -> None:
    recorder = Recorder()
    recorder.saw(label="q", exact=np.array([3.0, 0.0]), released=np.zeros(2), bound=9.0, norm=norm)
    replayer = Replayer(recorder.questions)
    replayer.saw(label="q", exact=np.array([0.0, 4.0]), released=np.zeros(2), bound=9.0, norm=norm)
    assert replayer.steps[0].measured == measured


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_distance_that_is_no_number_is_never_covered(broken: float) -> None:
    recorder = Recorder()
    recorder.saw(label="q", exact=np.array([broken]), released=np.zeros(1), bound=1.0, norm="L2")
    replayer = Replayer(recorder.questions)
    replayer.saw(label="q", exact=np.array([broken]), released=np.zeros(1), bound=1.0, norm="L2")
    assert not replayer.steps[0].holds and replayer.findings


def test_category_counts_are_compared_over_the_categories_of_both() -> None:
    recorder = Recorder()
    recorder.saw_keys(label="k", exact={"a": 3, "b": 1}, released=("a",), bound=1.0)
    replayer = Replayer(recorder.questions)
    assert replayer.saw_keys(label="k", exact={"a": 3, "c": 1}, released=(), bound=1.0) == ("a",)
    assert replayer.steps[0].measured == pytest.approx(np.sqrt(2))
    assert [finding.label for finding in replayer.findings] == ["k"]


def test_another_bound_is_a_finding() -> None:
    recorder = Recorder()
    recorder.saw(label="q", exact=np.zeros(1), released=np.zeros(1), bound=1.0, norm="L2")
    replayer = Replayer(recorder.questions)
    replayer.saw(label="q", exact=np.zeros(1), released=np.zeros(1), bound=2.0, norm="L2")
    assert "the price rests on the bound 2" in str(replayer.findings[0])
