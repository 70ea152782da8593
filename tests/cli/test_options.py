"""Texts on the command line become values, or an error that shows how to write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import triplea
from triplea.anonymize.neighbours import Neighbours
from triplea.cli.options import NeighboursOption, parse_pairs, weak_promises
from triplea.errors import UserError


def test_values_that_are_json_become_numbers_truths_and_lists() -> None:
    given = ["clusters=20", "share=0.5", "balanced=true", "sizes=[1, 2]", "name=ntk", "empty="]
    assert parse_pairs(given, option="--param") == {
        "clusters": 20,
        "share": 0.5,
        "balanced": True,
        "sizes": [1, 2],
        "name": "ntk",
        "empty": "",
    }


def test_a_value_may_hold_an_equals_sign() -> None:
    assert parse_pairs(["rule=a=b"], option="--where") == {"rule": "a=b"}


def test_a_name_may_hold_an_equals_sign_where_the_names_are_known() -> None:
    names = ["sex", "sex=female", "sex=female=yes"]
    pairs = {
        "sex=female=1": ("sex=female", 1),
        "sex=f": ("sex", "f"),
        "sex=female=yes=1": ("sex=female=yes", 1),
    }
    for pair, (name, value) in pairs.items():
        assert parse_pairs([pair], option="--where", names=names) == {name: value}


def test_nothing_given_is_nothing() -> None:
    assert parse_pairs(None, option="--param") == {}


@pytest.mark.parametrize("pair", ["clusters", "=3", " =3"])
def test_a_pair_without_a_name_or_value_is_refused_with_an_example(pair: str) -> None:
    with pytest.raises(
        UserError, match=r"--param expects NAME=VALUE, got .* Write for example: --param name=3"
    ):
        parse_pairs([pair], option="--param")


def test_a_name_given_twice_is_refused() -> None:
    with pytest.raises(UserError, match="--param names 'clusters' twice"):
        parse_pairs(["clusters=1", "clusters=2"], option="--param")


def test_the_spellings_of_neighbours_are_those_of_the_door() -> None:
    assert [option.value for option in NeighboursOption] == [relation.value for relation in Neighbours]


@pytest.mark.parametrize(
    ("epsilon", "delta", "words"),
    [
        (1.0, 1e-6, []),
        (10.0, 1e-3, []),
        (50.0, 1e-6, ["epsilon = 50 protects little"]),
        (1.0, 0.5, ["delta = 0.5 is the chance"]),
        (500.0, 0.01, ["epsilon = 500", "delta = 0.01"]),
    ],
)
def test_a_promise_that_is_next_to_none_is_said(epsilon: float, delta: float, words: list[str]) -> None:
    said = list(weak_promises(epsilon, delta))
    assert len(said) == len(words)
    assert all(text.startswith(word) for text, word in zip(said, words, strict=True))


@pytest.mark.parametrize(
    "words",
    [
        ("sample", "release", "-o", "x.csv", "--rows", 0),
        ("release", "x.csv", "-s", "s.yaml", "-o", "out", "--rows", 0),
        ("bench", "run", "smoke", "--jobs", 0),
        ("bench", "run", "smoke", "--limit-seconds", 0),
        ("audit", "independent", "--runs", 0),
        ("audit", "independent", "--workers", 0),
        ("evaluate", "r", "--train", "a", "--test", "b", "-s", "s", "-o", "o", "--threads", 0),
    ],
)
def test_a_number_that_is_too_small_is_named_with_what_is_allowed(
    words: tuple[object, ...], stays: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    schema = stays / "stays.json"
    done = triplea(*(schema if word in ("s", "s.yaml") else word for word in words))
    assert done.exit_code == 2
    assert "got 0" in done.stderr


@pytest.mark.parametrize(
    ("option", "text", "words"),
    [
        ("--epsilon", "1,5", "got '1,5', allowed is a number such as 0.5"),
        ("--delta", "1/n", "got '1/n', allowed is a number"),
        ("--rows", "1e6", "got '1e6', allowed is a whole number such as 1000"),
    ],
)
def test_what_is_no_number_is_quoted_with_what_is_one(
    tmp_path: Path, option: str, text: str, words: str
) -> None:
    done = triplea("plan", "--schema", tmp_path / "absent.yaml", option, text)
    assert done.exit_code == 2
    assert words in done.stderr and f"'{option}'" in done.stderr
