"""Names lead to methods; wrong names get the right ones."""

from importlib.metadata import EntryPoint

import pytest

from triplea.errors import MethodError
from triplea.registry import AUTO, create_method, find_method, list_methods, method_names


def test_every_name_leads_to_a_method_of_that_name():
    assert all(find_method(name).name == name for name in method_names())


def test_auto_is_one_of_them():
    assert find_method("auto").name == AUTO
    assert [info.name for info in list_methods() if info.is_auto] == [AUTO]


def test_a_near_miss_gets_a_suggestion():
    with pytest.raises(MethodError, match=r"no method 'naive-bays'\. Did you mean 'naive-bayes'\?"):
        find_method("naive-bays")


def test_an_unknown_variant_names_the_known_ones():
    with pytest.raises(MethodError, match="no variant 'published'.*provable"):
        create_method("independent", variant="published")


def test_an_unknown_parameter_names_the_known_ones():
    with pytest.raises(MethodError, match="no parameter 'bin'.*most_bins"):
        create_method("naive-bayes", params={"bin": 3})


def test_methods_of_others_are_found_by_entry_point(monkeypatch):
    class Point:
        name = "theirs"

        def load(self):
            return find_method("independent")

    monkeypatch.setattr("triplea.registry.entry_points", lambda group: [Point()])
    assert "theirs" in method_names()
    assert find_method("theirs") is find_method("independent")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("no_such_module:Method", "cannot be loaded: ModuleNotFoundError: .*Mend or remove the package"),
        ("triplea.methods.independent:Nope", "cannot be loaded: AttributeError: "),
        ("builtins:int", "is not a class of triplea's Method"),
    ],
)
def test_a_broken_method_of_others_is_named_and_hides_no_other(monkeypatch, place, words):
    points = [EntryPoint(name="theirs", value=place, group="triplea.methods")]
    monkeypatch.setattr("triplea.registry.entry_points", lambda group: points)
    with pytest.raises(MethodError, match=rf"method 'theirs' \({place}\) {words}"):
        find_method("theirs")
    known = {info.name: info for info in list_methods()}
    assert known["theirs"].variants == () and "theirs" in known["theirs"].summary
    assert known[AUTO].is_auto
