from __future__ import annotations

import pytest

from triplea.evaluate.progress import Steps


def test_steps_are_told_and_timed_by_stage() -> None:
    told: list[tuple[str, float]] = []
    steps = Steps(2, lambda label, share: told.append((label, share)))
    for label in ("one", "two"):
        with steps.step(label, stage="work"):
            pass
    assert told == [("one", 0.0), ("one", 0.5), ("two", 0.5), ("two", 1.0)]
    assert set(steps.seconds) == {"work"}


def test_a_failing_step_still_counts() -> None:
    steps = Steps(1)
    with pytest.raises(ValueError, match="no"), steps.step("one", stage="work"):
        raise ValueError("no")
    assert steps.done == 1
