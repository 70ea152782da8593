from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from triplea.results import jsonio


@dataclass(frozen=True, kw_only=True)
class Inner:
    value: float
    low: float | None = None


@dataclass(frozen=True, kw_only=True)
class Outer:
    name: str
    inner: Inner
    many: tuple[Inner, ...] = ()
    grid: tuple[tuple[float, ...], ...] = ()
    named: dict[str, Inner] = field(default_factory=dict)
    maybe: Inner | None = None


RECORD = Outer(
    name="ä",
    inner=Inner(value=1.5, low=0.5),
    many=(Inner(value=1.0), Inner(value=2.0)),
    grid=((1.0, 2.0), (3.0, 4.0)),
    named={"a": Inner(value=3.0)},
)


def test_a_record_survives_a_file(tmp_path: Path) -> None:
    path = jsonio.dump(RECORD, tmp_path / "r.json")
    assert jsonio.load(Outer, path) == RECORD


def test_a_number_that_is_not_finite_is_null_and_comes_back_as_nan() -> None:
    plain = jsonio.to_plain(Inner(value=math.inf))
    assert json.dumps(plain, allow_nan=False) == '{"value": null, "low": null}'
    assert math.isnan(jsonio.from_plain(Inner, plain).value)


def test_an_unknown_field_is_ignored_and_a_missing_one_is_named() -> None:
    assert jsonio.from_plain(Inner, {"value": 1, "new": 2}) == Inner(value=1.0)
    with pytest.raises(ValueError, match=r"Inner lacks the fields \['value'\]"):
        jsonio.from_plain(Inner, {"low": 1})
