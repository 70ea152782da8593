"""One of several adaptations."""

import pytest

from triplea.adapt.one_of import OneOf
from triplea.adapt.stage import Unchanged
from triplea.errors import MethodError


def test_a_choice_needs_candidates_and_a_share():
    assert OneOf(stages=(Unchanged(), Unchanged())).share > 0
    with pytest.raises(MethodError, match="stages"):
        OneOf(stages=())
    with pytest.raises(MethodError, match="share"):
        OneOf(stages=(Unchanged(),), share=0.0)
