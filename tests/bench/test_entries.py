"""Methods in a grid: names, variants, parameters, and the word every."""

from __future__ import annotations

import pytest

from triplea.bench.entries import PLANNED, Entry, expand_entry
from triplea.errors import UserError
from triplea.registry import find_method, method_names


def test_a_name_alone_is_the_provable_variant() -> None:
    assert list(expand_entry("naive-bayes", "g")) == [Entry(name="naive-bayes")]


def test_each_variant_is_an_entry() -> None:
    found = list(expand_entry({"name": "dp-gan", "variants": ["provable", "published"]}, "g"))
    assert [entry.variant for entry in found] == ["provable", "published"]


def test_every_is_all_registered_methods() -> None:
    found = {(entry.name, entry.variant) for entry in expand_entry("every", "g")}
    assert found == {(name, variant) for name in method_names() for variant in find_method(name).variants}


def test_every_can_be_limited_to_what_is_provable() -> None:
    found = list(expand_entry({"name": "every", "variants": ["provable"]}, "g"))
    assert {entry.variant for entry in found} == {"provable"}


def test_every_can_leave_methods_out_by_name() -> None:
    found = {entry.name for entry in expand_entry({"name": "every", "without": ["ads-gan"]}, "g")}
    assert "mosaic" in found and "ads-gan" not in found
    with pytest.raises(UserError, match="Did you mean 'ads-gan'"):
        list(expand_entry({"name": "every", "without": ["adsgan"]}, "g"))


@pytest.mark.parametrize("name", PLANNED)
def test_a_method_of_the_papers_may_be_named_before_it_exists(name: str) -> None:
    assert [entry.name for entry in expand_entry(name, "g")] == [name]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("naive-bayse", "there is no method 'naive-bayse'. Did you mean 'naive-bayes'"),
        ({"name": "real", "parms": {}}, "there is no key of a method 'parms'. Did you mean 'params'"),
        ({"variants": ["provable"]}, "a method is a name or a mapping with a name"),
        (3, "a method is a name or a mapping with a name"),
        ({"name": "naive-bayes", "variants": ["proven"]}, "there is no variant 'proven'"),
        ({"name": "naive-bayes", "params": [1]}, "params must be a mapping"),
        ({"name": "naive-bayes", "params": {"nonsense": 1}}, "has no parameter 'nonsense'"),
    ],
)
def test_mistakes_are_named_with_the_known_values(item: object, text: str) -> None:
    with pytest.raises(UserError, match=text):
        list(expand_entry(item, "g"))
