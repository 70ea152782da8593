"""JAX is optional, and its absence is told with the cure."""

import pytest

from triplea.approximate.networks import compiled
from triplea.errors import MissingExtra


def test_a_missing_extra_is_named_with_its_cure(monkeypatch):
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"dp-vae.*'jax'.*triplea\[jax\]"):
        compiled.require_jax("method 'dp-vae'")


def test_flags_of_the_user_are_left_alone(monkeypatch):
    monkeypatch.setattr(compiled.sys, "modules", {})
    monkeypatch.setenv("XLA_FLAGS", "--mine")
    compiled.require_jax("training")
    assert compiled.os.environ["XLA_FLAGS"] == "--mine"
