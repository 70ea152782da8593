"""Whatever is typed: exit code 0 or 2, never a traceback. And the same through real processes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.contracts import fuzzing
from tests.contracts.fuzzing import SCHEMA, ended_well, json_values, nearly_good, numbers, rows, run, schemas
from triplea.registry import find_method, method_names

ROWS = f"{fuzzing.HEADER}\n" + "40,1.5,oslo,true\n30,,rome,false\n" * 20


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, its schema and a release of it."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "rows.csv").write_text(ROWS)
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    assert ended_well("release", folder / "rows.csv", "-s", folder / "schema.json", "-o", folder / "made")
    return folder


options = st.fixed_dictionaries(
    # Without a number of rows, a tiny epsilon would ask for as many as its noisy count says: billions.
    {"--rows": rows},
    optional={
        "--epsilon": numbers,
        "--delta": numbers,
        "--method": st.sampled_from([*method_names(), "auto", "nothing", ""]),
        "--variant": st.sampled_from(["provable", "published", "odd"]),
        "--neighbours": st.sampled_from(["add-or-remove-one", "replace-one", "odd"]),
        "--seed": st.sampled_from(["0", "-1", "9" * 30, "x", "7"]),
        "--param": st.sampled_from(
            [
                "most_bins=3",
                "most_bins=-1",
                "most_bins=x",
                "bins_share=2",
                "bins_share=nan",
                "bins_share=null",
                "max_cells=1",
                "max_cells=[]",
                "odd=1",
                "=",
                "most_bins",
                "bins_share=0.5",
                "most_bins=true",
            ]
        ),
    },
)


def flat(chosen: dict[str, str]) -> list[str]:
    return [word for pair in chosen.items() for word in pair]


@settings(max_examples=70)
@given(chosen=options)
def test_any_options_of_release_and_plan(place: Path, chosen: dict[str, str]) -> None:
    planned = {name: value for name, value in chosen.items() if name != "--seed"}
    ended_well("plan", "-s", place / "schema.json", "--json", *flat(planned))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        ledger = Path(folder) / "budget.json"
        words = ["release", place / "rows.csv", "-s", place / "schema.json", "-o", out, "--ledger", ledger]
        worked = ended_well(*words, *flat(chosen))
        assert out.exists() == worked
        if worked:
            assert run("verify", out).exit_code == 0


BAD = [
    ["--seed", "-1"],
    ["--rows", "9" * 30],
    ["--delta", "1"],
    ["--delta", "nan"],
    ["--param", "=1"],
    *(
        ["--epsilon", value, "--delta", delta]
        for value in ("0", "-1", "nan", "inf", "1e-300", "5e-324", "501", "1e300", "1e400")
        for delta in ("0", "1e-5")
    ),
]
GOOD = [
    ["--epsilon", e, "--delta", d] for e in ("1e-6", "500", "1") for d in ("0", "1e-5", "1e-300", "0.999")
]


@pytest.mark.parametrize("chosen", [*BAD, *GOOD], ids=" ".join)
def test_the_ends_of_every_range(chosen: list[str], place: Path, tmp_path: Path) -> None:
    words = ["release", place / "rows.csv", "-s", place / "schema.json", "-o", tmp_path / "out", "-n", 3]
    assert ended_well(*words, "--ledger", tmp_path / "budget.json", *chosen) == (chosen in GOOD)


@pytest.mark.parametrize("value", ["x", "nan", "null", "[]", "-7", "true", "1e999", "{}"])
@pytest.mark.parametrize("method", method_names())
def test_odd_values_of_every_parameter(method: str, value: str, place: Path) -> None:
    for name in find_method(method).defaults():
        ended_well("plan", "-s", place / "schema.json", "-m", method, "--param", f"{name}={value}")


@settings(max_examples=80)
@given(
    schema=nearly_good | nearly_good | schemas | json_values,
    chosen=st.sampled_from([[], ["--delta", "0"]]),
    yaml=st.booleans(),
)
@example(schema={"columns": [{"name": None, "kind": None}]}, chosen=[], yaml=True)
def test_any_schema(place: Path, schema: Any, chosen: list[str], yaml: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out, path = Path(folder) / "out", Path(folder) / ("schema.yaml" if yaml else "schema.json")
        path.write_text(json.dumps(schema), encoding="utf-8")
        ended_well("plan", "-s", path, *chosen)
        ended_well("schema", "check", place / "rows.csv", "-s", path)
        ledger = Path(folder) / "budget.json"
        words = ["release", place / "rows.csv", "-s", path, "-o", out, "-n", 5, "--ledger", ledger, *chosen]
        if ended_well(*words):
            assert run("verify", out).exit_code == 0


@settings(max_examples=40)
@given(
    raw=st.binary(max_size=40)
    | st.sampled_from([b"{", b"[1, 2", b"a: [", b"&a *a", b"!!python/object:os.system x"]),
    suffix=st.sampled_from([".json", ".yaml", ".yml", ".txt", ""]),
)
def test_any_bytes_as_a_schema(raw: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"schema{suffix}"
        path.write_bytes(raw)
        assert not ended_well("plan", "-s", path)


CONDITIONS = [
    "sick=true",
    "sick=maybe",
    "age=33",
    "age=1e9",
    "age=x",
    "town=oslo",
    "town=atlantis",
    "dose=null",
    "dose=nan",
    "dose=[1]",
    "nowhere=1",
    "=",
    "age",
    "age=null",
    "age=33.5",
    "town=1",
]


@settings(max_examples=40)
@given(
    count=rows,
    where=st.lists(st.sampled_from(CONDITIONS), max_size=3),
    seed=st.sampled_from([[], ["--seed", "3"], ["--seed", "-3"]]),
    file=st.sampled_from(["more.csv", "more.parquet", "more.csv.gz", "more.txt", "more", "no/where.csv"]),
)
def test_any_options_of_sample(place: Path, count: str, where: list[str], seed: list[str], file: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        conditions = [word for condition in where for word in ("--where", condition)]
        out = Path(folder) / file
        ended_well("sample", place / "made", "--rows", count, *conditions, *seed, "--out", out)


@settings(max_examples=60)
@given(data=st.data())
def test_a_damaged_release_is_refused_or_found_out(place: Path, data: st.DataObject) -> None:
    """Verification may say that a certificate does not hold, with exit code 1; it never breaks down."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        shutil.copytree(place / "made", made)
        files = sorted(path for path in made.rglob("*") if path.is_file() and path.suffix != ".md")
        target = data.draw(st.sampled_from(files))
        _damage(target, data)
        checked = run("verify", made)
        assert checked.exit_code in (0, 1, 2)
        if checked.exit_code == 1:
            assert "does NOT hold" in checked.stdout
        ended_well("sample", made, "--rows", 3, "--out", Path(folder) / "more.csv")


def _damage(target: Path, data: st.DataObject) -> None:
    way = data.draw(st.sampled_from(["remove", "cut", "bytes", "value"]))
    if way == "remove":
        target.unlink()
    elif way == "value" and target.suffix == ".json":
        state = json.loads(target.read_text(encoding="utf-8"))
        key = data.draw(st.sampled_from(sorted(state)))
        state[key] = data.draw(json_values)
        target.write_text(json.dumps(state), encoding="utf-8")
    else:
        raw = bytearray(target.read_bytes())
        spot = data.draw(st.integers(0, len(raw) - 1))
        raw[spot:] = (
            b"" if way == "cut" else data.draw(st.binary(min_size=1, max_size=6)) + bytes(raw[spot + 6 :])
        )
        target.write_bytes(bytes(raw))


PROCESSES = {
    "a good release": (["release", "rows.csv", "-s", "schema.json", "-o", "fresh"], 0),
    "a bad file": (["release", "bad.csv", "-s", "schema.json", "-o", "never"], 2),
    "no schema": (["release", "rows.csv", "-s", "none.json", "-o", "never"], 2),
    "a bad number": (["release", "rows.csv", "-s", "schema.json", "-o", "never", "-e", "nan"], 2),
    "an unknown command": (["frobnicate"], 2),
}


@pytest.mark.parametrize("name", PROCESSES)
def test_real_processes_end_the_same_way(name: str, place: Path) -> None:
    words, code = PROCESSES[name]
    (place / "bad.csv").write_bytes(b"\xff\xfe\x00a")
    script = "from triplea.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert (done.stderr.strip() != "") == (code == 2)
