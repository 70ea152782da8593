"""Every registered method and variant has a pair that it takes, and short settings."""

from __future__ import annotations

import pytest

from triplea.audit.catalogue import (
    OWN,
    attacked,
    candidate_pairs,
    is_compiled,
    longer_settings,
    main_pair,
    named_pair,
    quick_settings,
)
from triplea.errors import MethodError
from triplea.registry import find_method, method_names

LIGHT = ("independent", "naive-bayes", "mc-gen", "ron-gauss")


@pytest.mark.parametrize("method", LIGHT)
def test_a_method_takes_its_main_pair(method: str) -> None:
    for variant in find_method(method).variants:
        pair = main_pair(method, variant, epsilon=1.0, delta=1e-5)
        assert attacked(method, variant, pair).variant == variant


def test_every_quick_setting_is_a_parameter() -> None:
    for name in method_names():
        assert quick_settings(name).keys() <= find_method(name).defaults().keys()
        assert longer_settings(name).keys() == quick_settings(name).keys()


def test_methods_that_train_networks_are_known() -> None:
    assert is_compiled("dp-vae") and is_compiled("dp-auto-gan") and not is_compiled("independent")


def test_pairs_of_their_own_belong_to_registered_methods() -> None:
    for method, variant in OWN:
        assert variant in find_method(method).variants


def test_a_pair_can_be_named() -> None:
    assert named_pair("lone NaN", "independent", "provable").name == "lone NaN"
    with pytest.raises(MethodError, match="option --pair: there is no pair 'x'"):
        named_pair("x", "independent", "provable")


def test_the_users_settings_come_last() -> None:
    pair = next(iter(candidate_pairs("ron-gauss", "published")))
    assert attacked("ron-gauss", "published", pair, {"dimensions": 3}).get_params()["dimensions"] == 3
