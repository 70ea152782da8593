"""Malformed files, schemas and options for the fuzz tests, and how a command may end."""

from __future__ import annotations

import gzip
import io
import os
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import Any, NamedTuple
from unittest.mock import patch

import typer
from hypothesis import strategies as st

from triplea.cli.guard import FAULT

SCHEMA: dict[str, Any] = {
    "target": "sick",
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120},
        {"name": "dose", "kind": "numeric", "lower": 0, "upper": 5, "nullable": True},
        {"name": "town", "kind": "categorical", "categories": ["oslo", "rome", "ærø"]},
        {"name": "sick", "kind": "boolean"},
    ],
}
HEADER = "age,dose,town,sick"


class Ended(NamedTuple):
    """How a command ended."""

    exit_code: int
    stdout: str
    stderr: str


@cache
def command() -> Any:
    """The whole command line, built once: that takes longer than most commands."""
    from triplea.cli.app import app

    return typer.main.get_command(app)


def run(*arguments: object) -> Ended:
    """Run a command in this process; a fault of ours is not hidden by the guard and fails the test."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    env = patch.dict(os.environ, {"COLUMNS": "200", "TRIPLEA_DEBUG": "1"})
    with env, redirect_stdout(out), redirect_stderr(err):
        try:
            command()([str(word) for word in arguments], prog_name="triplea")
        except SystemExit as end:
            code = int(end.code or 0)
    done = Ended(code, out.getvalue(), err.getvalue())
    assert FAULT not in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done


def ended_well(*arguments: object) -> bool:
    """True for a valid end, False for a refusal that says something; nothing else may happen."""
    done = run(*arguments)
    assert done.exit_code in (0, 2), done
    if done.exit_code == 2:
        assert done.stderr.strip(), "a refusal must say why"
    return done.exit_code == 0


cells = st.sampled_from(
    [
        "",
        " ",
        "1",
        "-1",
        "40",
        "0.5",
        "oslo",
        "rome",
        "ærø",
        "nowhere",
        "true",
        "False",
        "yes",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "-1e999",
        "9" * 30,
        "9" * 400,
        "0x1f",
        "1_000",
        "1.5.2",
        "--",
        "'",
        '"quoted"',
        '"',
        '""',
        '"a,b"',
        "a\nb",
        '"a\nb"',
        "\x00",
        "\ufeff",
        "\u202e",
        "\U0001d518",
        "NULL",
        "NA",
        "#",
        "=1+1",
        "\t",
        ";",
        "2020-01-01",
    ]
) | st.text(max_size=6)
lines = st.lists(cells, max_size=6).map(",".join)
bodies = st.lists(lines, max_size=8).map("\n".join)
headers = st.sampled_from(
    [
        HEADER,
        HEADER,
        HEADER,
        HEADER.replace(",", ";"),
        HEADER.replace(",", "\t"),
        f'"{HEADER}"',
        "",
        "\n\n" + HEADER,
        HEADER.upper(),
        "age,age,dose,town,sick",
        "dose,sick,town,age,age ",
        HEADER + ",",
        "," + HEADER,
        "1,2,3,4",
        '"age","dose","town","sick"',
        '"age,dose',
        HEADER + ",extra,ünï",
        "\ufeff" + HEADER,
        HEADER + "\r",
    ]
)
encodings = st.sampled_from(
    ["utf-8", "utf-8", "utf-8", "utf-16", "utf-16-le", "latin-1", "cp1252", "utf-8-sig"]
)


def _encoded(header: str, body: str, encoding: str, newline: str) -> bytes:
    return f"{header}\n{body}".replace("\n", newline).encode(encoding, "replace")


texts = st.builds(_encoded, headers, bodies, encodings, st.sampled_from(["\n", "\r\n", "\r"]))
good = st.just(f"{HEADER}\n40,1.5,oslo,true\n30,,rome,false\n".encode())


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A well-formed file with some bytes replaced, left out or cut off."""
    raw = bytearray(draw(good) * draw(st.integers(1, 3)))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(raw)))
        raw[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(raw)


csv_files = (
    texts
    | damaged()
    | st.binary(max_size=60)
    | texts.map(gzip.compress)
    | texts.map(lambda text: gzip.compress(text)[:-5])
)

numbers = st.sampled_from(
    [
        "1",
        "0.5",
        "0",
        "-1",
        "nan",
        "inf",
        "-inf",
        "1e-300",
        "1e300",
        "1e400",
        "abc",
        "",
        "1e-5",
        "0.999",
        "1",
        "2",
        "5e-324",
    ]
)
rows = st.sampled_from(["1", "17", "17", "17", "17", "17", "0", "-5", "abc", "1.5", "", "9" * 30])
json_leaves = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text(max_size=5)
json_values = st.recursive(
    json_leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KINDS = ["categorical", "ordinal", "boolean", "integer", "numeric", "datetime", "date", "identifier", "float"]
KEYS = [
    "categories",
    "lower",
    "upper",
    "nullable",
    "unknown",
    "other",
    "source",
    "dtype",
    "decimals",
    "discover",
    "time_unit",
    "tz",
    "format",
    "labels",
    "confirmed",
    "note",
    "min",
]
likely = st.sampled_from(
    [
        0,
        1,
        -1,
        5,
        0.5,
        2**63,
        -(2**63),
        1e308,
        True,
        False,
        None,
        "a",
        "other",
        "missing",
        "int8",
        "string",
        "dictionary",
        "timestamp[us, tz=UTC]",
        "UTC",
        "Mars/Base",
        "us",
        "D",
        "%Y",
        "2020-01-01",
        "2019-01-01T00:00:00Z",
        ["a", "b"],
        [1, 2.5],
        [],
        ["a", 1],
        [None],
        [True, False],
        ["oslo", "rome", "other"],
    ]
)
columns = st.fixed_dictionaries(
    {"name": st.sampled_from(["age", "dose", "town", "sick"]) | json_values, "kind": st.sampled_from(KINDS)},
    optional={key: likely | json_values for key in KEYS},
)
# One or two entries of a good schema exchanged: most of these get as far as a plan, many to a release.
nearly_good = st.builds(
    lambda order, changes: {
        **SCHEMA,
        "columns": [{**SCHEMA["columns"][place], **changes.get(place, {})} for place in order],
    },
    st.permutations(range(4)),
    st.dictionaries(
        st.integers(0, 3),
        st.dictionaries(st.sampled_from([*KEYS, "kind"]), likely | st.sampled_from(KINDS), max_size=2),
        max_size=2,
    ),
)
schemas = st.fixed_dictionaries(
    {"columns": st.lists(columns, max_size=4)},
    optional={
        "target": st.sampled_from(["age", "dose", "town", "sick", "none"]) | json_values,
        "unit": st.sampled_from([{"column": "age", "max_rows": 2}, {"column": "x", "max_rows": 0}])
        | json_values,
        "targets": json_values,
        "id_columns": json_values,
        "split_column": json_values,
        "name": json_values,
    },
)
