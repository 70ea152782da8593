"""`triplea methods`: every registered name is shown."""

from __future__ import annotations

import json

import triplea as package
from tests.cli.support import triplea


def test_all_methods_are_listed_as_json() -> None:
    done = triplea("methods", "--json")
    assert done.exit_code == 0, done.output
    assert [entry["name"] for entry in json.loads(done.stdout)] == [m.name for m in package.list_methods()]


def test_all_methods_are_listed_as_a_table() -> None:
    shown = triplea("methods").stdout
    assert all(method.name in shown for method in package.list_methods())
    assert "(auto)" in shown
