"""Whatever a file holds: a valid release or a clear refusal, never a traceback."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import triplea
from tests.contracts.fuzzing import SCHEMA, csv_files, ended_well
from tests.support.domain import problems


def release_of(folder: Path, table: Path, schema: object = SCHEMA) -> bool:
    """Release a file; when it worked, the release must hold and lie in the schema."""
    (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    out = folder / "out"
    worked = ended_well(
        *("release", table, "--schema", folder / "schema.json", "--out", out, "--rows", 9, "--seed", 1)
    )
    assert out.exists() == worked, "a refused release leaves no folder"
    if worked:
        assert triplea.verify(out).ok
        loaded = triplea.load(out)
        assert problems(pa.parquet.read_table(out / "data.parquet"), loaded.schema) == []
    return worked


@settings(max_examples=80)
@given(raw=csv_files)
def test_any_csv_bytes(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        table = Path(place) / "rows.csv"
        table.write_bytes(raw)
        release_of(Path(place), table)


@settings(max_examples=25)
@given(raw=csv_files)
def test_drafts_and_checks_of_any_csv_bytes(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, table = Path(place), Path(place) / "rows.csv"
        table.write_bytes(raw)
        (folder / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
        ended_well("schema", "check", table, "--schema", folder / "schema.json", "--json")
        if ended_well("schema", "draft", table, "--out", folder / "draft.yaml"):
            # What was drafted is a schema that a release takes.
            drafted = triplea.load_schema(folder / "draft.yaml")
            if not drafted.undiscovered:
                assert ended_well(
                    *("release", table, "-s", folder / "draft.yaml", "-o", folder / "o", "-n", 3, "--seed", 1)
                )


@settings(max_examples=25)
@given(
    cut=st.integers(0, 600),
    junk=st.binary(max_size=8),
    suffix=st.sampled_from([".parquet", ".csv", ".pq", ""]),
)
@example(cut=374, junk=b"\x80", suffix=".parquet")
def test_damaged_parquet_files(cut: int, junk: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        sound = Path(place) / "sound.parquet"
        columns = {"age": [1, 2], "dose": [0.1, None], "town": ["oslo", "rome"], "sick": [True, False]}
        pa.parquet.write_table(pa.table(columns), sound)
        raw = bytearray(sound.read_bytes())
        sound.unlink()
        spot = cut % len(raw)
        raw[spot : spot + len(junk)] = junk
        table = Path(place) / f"rows{suffix}"
        table.write_bytes(bytes(raw))
        release_of(Path(place), table)


HUGE = str(10**25)
FILES: dict[str, tuple[str | bytes, bool]] = {
    "empty file": ("", False),
    "only a newline": ("\n", False),
    "only a header": ("age,dose,town,sick\n", True),
    "header without newline": ("age,dose,town,sick", True),
    "no header": ("40,1.5,oslo,true\n", False),
    "duplicate columns": ("age,age,dose,town,sick\n1,2,3,oslo,true\n", False),
    "missing column": ("age,dose,town\n1,2,oslo\n", False),
    "other order and more columns": ("x,sick,town,dose,age\n1,true,oslo,1,1\n", True),
    "huge integers": (f"age,dose,town,sick\n{HUGE},{HUGE},{HUGE},{HUGE}\n-{HUGE},-{HUGE},oslo,true\n", True),
    "mixed types": ("age,dose,town,sick\nforty,1.5,1,2\n40.5,oslo,true,1.5\n2020-01-01,true,,\n", True),
    "ragged rows": ("age,dose,town,sick\n1\n1,2,oslo,true,5,6\n1,2,oslo,true\n", True),
    "latin-1": ("age,dose,town,sick\n1,2,ærø,true\n".encode("latin-1"), True),
    "utf-16": ("age,dose,town,sick\n1,2,oslo,true\n".encode("utf-16"), False),
    "open quote": ('age,dose,town,sick\n1,2,"oslo,true\n3,4,rome,false\n', True),
    "null bytes": (b"age,dose,town,sick\n1,\x00,os\x00lo,true\n\x00\x00\x00\n", True),
    "one very long line": ("age,dose,town,sick\n1,2," + "x" * 2_000_000 + ",true\n", True),
    "semicolons": ("age;dose;town;sick\n1;2,5;oslo;true\n", True),
    "binary": (bytes(range(256)) * 8, False),
}


@pytest.mark.parametrize("name", FILES)
def test_a_known_bad_file_ends_as_it_should(name: str, tmp_path: Path) -> None:
    content, worked = FILES[name]
    table = tmp_path / "rows.csv"
    table.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert release_of(tmp_path, table) == worked


def test_unicode_names_of_columns_files_and_categories(tmp_path: Path) -> None:
    names = ["größe", "年齢", "a b", "naïve,quoted", "emoji 🙂", "tab\there", 'quote"d', "x" * 300]
    schema = {
        "columns": [{"name": n, "kind": "categorical", "categories": ["ja", "nein", "多分"]} for n in names]
    }
    folder = tmp_path / "ordner mit ümläut"
    folder.mkdir()
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    table = folder / "tabelle 表.csv"
    table.write_text(quoted + "\n" + ",".join(["多分"] * len(names)) + "\n", encoding="utf-8")
    assert release_of(folder, table, schema)


def test_five_thousand_categories(tmp_path: Path) -> None:
    listed = [f"category {i}" for i in range(5000)]
    schema = {
        "target": "y",
        "columns": [
            {"name": "x", "kind": "categorical", "categories": listed},
            {"name": "y", "kind": "boolean"},
        ],
    }
    table = tmp_path / "rows.csv"
    table.write_text("x,y\n" + "".join(f"category {i * 7},{i % 2}\n" for i in range(1000)))
    assert release_of(tmp_path, table, schema)


def test_a_missing_file_a_folder_and_an_unknown_address(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for table in (tmp_path / "nowhere.csv", tmp_path / "empty", tmp_path / "schema.json"):
        assert not release_of(tmp_path, table)
    (tmp_path / "s.json").write_text(json.dumps(SCHEMA))
    for address in (
        "mysql://host/db",
        "sqlite:///nowhere.db",
        "duckdb:///nowhere.db",
        "postgresql://",
        "sqlite:",
    ):
        for query in ([], ["--query", "select 1"], ["--query", "drop table x"], ["--query", ""]):
            out = ["-s", tmp_path / "s.json", "-o", tmp_path / "out"]
            assert not ended_well("release", address, *query, *out)
