from pathlib import Path
from typing import Any

import pytest
import yaml

from triplea.errors import SchemaError
from triplea.schema.files import read_mapping, write_mapping


def _file(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


BROKEN = [
    ("s.json", '{"columns": [}', "not valid JSON at line 1, column 14"),
    ("s.json", '{"a": 1, "a": 2}', 'the key "a" is given twice in one place; remove one'),
    ("s.json", "[" * 100_000, "the JSON is nested too deeply"),
    ("s.json", "[1, 2]", "a schema must be a mapping with the key columns, got list"),
    ("s.json", b"\xff\xfe\x00", "is not UTF-8 text; save it as UTF-8"),
    ("s.yaml", "columns: [a", "not valid YAML at line 1"),
    ("s.yaml", "a: b: c", "not valid YAML at line 1, column 5"),
    ("s.yaml", "a: !!python/object/apply:os.getcwd []", "not valid YAML at line 1, column 4"),
    ("s.yaml", "\x01", "not valid YAML; check for tabs and special characters"),
    ("s.yml", "just text", "got str"),
    ("s.yml", "", "got NoneType"),
    ("s.txt", "{}", "a schema file must end in .json, .yaml, .yml"),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN, ids=[message[:30] for _, _, message in BROKEN])
def test_a_file_that_cannot_be_read_says_where_and_why(
    tmp_path: Path, name: str, text: str | bytes, message: str
) -> None:
    path = _file(tmp_path, name, text)
    with pytest.raises(SchemaError) as caught:
        read_mapping(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"cannot be read .*; check the path"):
        read_mapping(tmp_path / "absent.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(SchemaError, match="cannot be read"):
        read_mapping(tmp_path / "folder.json")


def test_yaml_words_stay_words_dates_stay_text_and_exponents_are_numbers(tmp_path: Path) -> None:
    text = (
        "{words: [NO, yes, on, true], dates: [2020-01-31], numbers: [1e5, -2.5, 007, 7, .5, 1:30], none: ~}"
    )
    assert read_mapping(_file(tmp_path, "s.yaml", text)) == {
        "words": ["NO", "yes", "on", True],
        "dates": ["2020-01-31"],
        "numbers": [1e5, -2.5, "007", 7, 0.5, "1:30"],
        "none": None,
    }


@pytest.mark.parametrize("suffix", [".json", ".yaml", ".yml"])
def test_what_is_written_reads_back_the_same(tmp_path: Path, suffix: str) -> None:
    mapping: dict[str, Any] = {
        "columns": [
            {"name": "é", "categories": ["NO", "1", "2020-01-01", "", "null", "1e5", "true", "a: b"]}
        ],
        "numbers": [1, 1.5, -0.0, 1e300, 1e16, 10**18],
        "flag": True,
        "nothing": None,
    }
    path = tmp_path / f"schema{suffix}"
    write_mapping(mapping, path)
    assert read_mapping(path) == mapping
    if suffix != ".json":
        assert yaml.safe_load(path.read_text(encoding="utf-8")) == mapping


def test_other_suffixes_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"must end in \.json"):
        write_mapping({}, tmp_path / "schema.toml")
