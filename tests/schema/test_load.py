import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from triplea.errors import SchemaError
from triplea.schema import Kind, dump_schema, load_schema, save_schema
from triplea.schema.load import _COLUMN_KEYS, _SCHEMA_KEYS

PROVIDED = "adult census cervical covtype credit diabetes epileptic intrusion isolet phishing".split()

CLINIC: dict[str, Any] = {
    "name": "clinic",
    "target": "outcome",
    "targets": ["outcome", "stage"],
    "unit": {"column": "patient", "max_rows": 3},
    "split_column": "split",
    "id_columns": ["visit"],
    "other_columns": ["comment"],
    "rows": 100,
    "my_notes": {"any": ["thing"]},
    "columns": [
        {"name": "age", "kind": "integer", "lower": 0, "upper": 120, "source": "observed range"},
        {"name": "stage", "kind": "ordinal", "categories": ["I", "II", "III"], "labels": {"I": "early"}},
        {
            "name": "site",
            "kind": "categorical",
            "categories": ["lung", "rest"],
            "unknown": "other",
            "other": "rest",
        },
        {"name": "dose", "kind": "numeric", "lower": 0.0, "upper": 2.5, "nullable": True, "decimals": 2},
        {
            "name": "seen",
            "kind": "datetime",
            "lower": "2020-01-01",
            "upper": "2021-01-01",
            "tz": "Europe/Berlin",
        },
        {"name": "born", "kind": "date", "lower": "1900-01-01", "upper": "2020-12-31", "format": "%d.%m.%Y"},
        {"name": "outcome", "kind": "boolean", "dtype": "int8", "colour": "red"},
        {"name": "city", "kind": "categorical", "discover": True},
        {"name": "patient", "kind": "identifier"},
    ],
}


@pytest.mark.parametrize("name", PROVIDED)
def test_the_data_sets_schemas_load_as_they_are_and_survive_a_dump(name: str, data_folder: Path) -> None:
    path = data_folder / "schemas" / f"{name}.json"
    given = json.loads(path.read_text(encoding="utf-8"))
    schema = load_schema(path)
    dumped = dump_schema(schema)
    assert load_schema(dumped) == schema
    assert {key: dumped[key] for key in given if key != "columns"} == {
        key: value for key, value in given.items() if key != "columns"
    }
    for before, after in zip(given["columns"], dumped["columns"], strict=True):
        assert after == before


def _plain(column: pa.ChunkedArray) -> pa.Array:
    whole = column.combine_chunks()
    return whole.dictionary_decode() if pa.types.is_dictionary(whole.type) else whole


@pytest.mark.parametrize("name", ["adult", "cervical", "phishing"])
def test_the_data_sets_come_back_from_their_codes_exactly(name: str, data_folder: Path) -> None:
    schema = load_schema(data_folder / "schemas" / f"{name}.json")
    table = pq.read_table(data_folder / f"{name}.parquet").select(list(schema.names))
    returned = schema.decode(schema.encode(table), types=table.schema)
    for column in schema.names:
        assert returned[column].type == table[column].type
        assert _plain(returned[column]).equals(_plain(table[column]))


def test_the_data_sets_observed_bounds_are_reported(data_folder: Path) -> None:
    adult = load_schema(data_folder / "schemas" / "adult.json")
    assert adult.observed == ("age", "fnlwgt", "capital_gain", "capital_loss", "hours_per_week")


@pytest.mark.parametrize("given", [None, 5, [{"name": "secret"}]])
def test_what_is_no_schema_is_refused_by_its_type_alone(given: Any) -> None:
    with pytest.raises(SchemaError, match=rf"file, got {type(given).__name__}$"):
        load_schema(given)


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_saved_schema_loads_equal(tmp_path: Path, suffix: str) -> None:
    schema = load_schema(CLINIC)
    path = tmp_path / f"schema{suffix}"
    save_schema(schema, path)
    assert load_schema(path) == schema == load_schema(str(path))
    json.dumps(dump_schema(schema), allow_nan=False)


def test_every_part_of_a_schema_file_has_its_place() -> None:
    schema = load_schema(CLINIC)
    assert schema.names == ("age", "stage", "site", "dose", "seen", "born", "outcome", "city")
    assert schema.features == ("age", "stage", "site", "dose", "seen", "born", "city")
    assert [column.name for column in schema.dropped] == ["patient"]
    assert schema.all_dropped == ("patient", "visit", "comment", "split")
    assert schema.targets == ("outcome", "stage")
    assert schema.unit is not None
    assert schema.unit.max_rows == 3
    assert schema.extras == {"rows": 100, "my_notes": {"any": ["thing"]}}
    assert schema.column("outcome").extras == {"colour": "red"}
    assert schema.column("born").kind is Kind.DATE
    assert schema.undiscovered == ("city",)


@pytest.mark.parametrize(
    ("entries", "target", "targets"),
    [
        ({"target": "outcome", "targets": []}, "outcome", ("outcome",)),
        ({"target": None, "targets": ["stage", "outcome"]}, "stage", ("stage", "outcome")),
        ({"target": ["stage", "outcome"], "targets": []}, "stage", ("stage", "outcome")),
        ({"target": ["stage"], "targets": ["outcome", "stage"]}, "stage", ("stage", "outcome")),
        ({"target": None, "targets": []}, None, ()),
    ],
)
def test_targets_may_be_one_or_several(
    entries: dict[str, Any], target: str | None, targets: tuple[str, ...]
) -> None:
    schema = load_schema(_with(**entries))
    assert schema.target == target
    assert schema.all_targets == targets
    assert schema.further_targets == targets[1:]
    assert load_schema(dump_schema(schema)) == schema


def _with(**changes: Any) -> dict[str, Any]:
    return {**CLINIC, **changes}


def _with_column(**entries: Any) -> dict[str, Any]:
    return {"columns": [entries]}


BROKEN: list[tuple[dict[str, Any], str]] = [
    (_with(columns={}), "columns must be a list of columns, got {}"),
    ({}, "columns must be a list of columns, got None"),
    (_with(columns=[]), "the schema has no columns; list at least one"),
    (_with(columns=["age"]), "column 1 must be a mapping with name and kind, got 'age'"),
    (_with_column(kind="integer"), "column 1 has no name; add one"),
    (_with_column(name="a"), 'column "a": kind is not given; use one such as categorical'),
    (
        _with_column(name="a", kind="boolean", nulable=True),
        'column "a": unknown key "nulable"; did you mean "nullable"?',
    ),
    (_with_column(name="a", kind="numeric", min=0), 'column "a": unknown key "min"; did you mean "lower"?'),
    (_with_column(name="a", type="numeric"), 'column "a": unknown key "type"; did you mean "kind"?'),
    (_with_column(name="a", kind="ordinal", category=["x"]), 'did you mean "categories"?'),
    ({"colums": []}, 'the schema: unknown key "colums"; did you mean "columns"?'),
    (_with(target=5), "target must be text, got 5; put it in quotes"),
    (_with(target="outcom"), 'target: "outcom" is not a column; did you mean "outcome"?'),
    (_with(target="patient"), 'target: "patient" is an identifier or set aside'),
    (_with(targets=["visit"]), 'targets: "visit" is an identifier or set aside'),
    (_with(id_columns="visit"), "id_columns must be a list of column names, got 'visit'"),
    (_with(unit={"column": "patient"}), "unit must be a mapping with column and max_rows, got"),
    (_with(unit={"column": "nobody", "max_rows": 1}), 'unit: "nobody" is not a column; declare it'),
    (
        _with(unit={"column": "patient", "max_rows": 0}),
        "unit: max_rows must be an integer of at least 1, got 0",
    ),
    (
        _with(unit={"column": "patient", "max_rows": True}),
        "unit: max_rows must be an integer of at least 1, got True",
    ),
    (
        _with(unit={"column": "patient", "max_rows": 2, "rows": 1}),
        "unit must be a mapping with column and max",
    ),
    (_with(unit={"column": "patient", "max_rows": 2, "source": 1}), "unit: source must be text, got 1"),
    (
        _with(unit={"column": "patient", "max_rows": 2, "confirmed": "yes"}),
        "unit: confirmed must be true or false, got 'yes'",
    ),
    (_with(unit={"column": 3, "max_rows": 1}), "unit: column must be a column's name, got 3"),
    (_with(**{"1": 2}, unit=None) | {7: 1}, "the schema: key 7 must be text; put it in quotes"),
    (_with(columns=[*CLINIC["columns"], CLINIC["columns"][0]]), 'column "age" is declared twice; remove one'),
    ({"columns": [{"name": "id", "kind": "identifier"}]}, "declare one to be modelled"),
    (
        _with_column(name="a", kind="integer", lower=0, upper=300, dtype="int8"),
        "column \"a\": dtype 'int8' cannot hold",
    ),
]


@pytest.mark.parametrize(("mapping", "message"), BROKEN, ids=[message[:40] for _, message in BROKEN])
def test_a_broken_schema_is_refused_with_the_cure(mapping: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=re.escape(message)):
        load_schema(mapping)


def test_an_error_in_a_file_names_the_file_once(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text('{"columns": []}', encoding="utf-8")
    with pytest.raises(SchemaError) as caught:
        load_schema(path)
    assert str(caught.value) == f"{path}: the schema has no columns; list at least one under columns"
    with pytest.raises(SchemaError) as caught:
        load_schema(tmp_path / "none.json")
    assert str(caught.value).count(str(tmp_path)) == 1


def test_own_keys_are_kept_and_the_x_prefix_allows_any() -> None:
    entries = {"name": "a", "kind": "boolean", "unit": "kg", "x_nulable": 1}
    column = load_schema({"columns": [entries]}).column("a")
    assert column.extras == {"unit": "kg", "x_nulable": 1}


def test_errors_are_the_same_whatever_the_table_holds() -> None:
    schema = load_schema({"columns": [{"name": "a", "kind": "integer", "lower": 0, "upper": 9}]})
    messages = set()
    for cells in ([1], [10**6], [None]):
        with pytest.raises(SchemaError) as caught:
            schema.encode(pa.table({"b": pa.array(cells, pa.int64())}))
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_the_guides_examples_load(tmp_path: Path, root: Path) -> None:
    guide = (root / "docs" / "guide" / "schema.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(yaml|json)\n(.*?)```", guide, flags=re.DOTALL)
    assert [suffix for suffix, _ in blocks] == ["yaml", "json"]
    for suffix, text in blocks:
        path = tmp_path / f"example.{suffix}"
        path.write_text(text, encoding="utf-8")
        schema = load_schema(path)
        assert load_schema(dump_schema(schema)) == schema


def test_the_guide_names_every_key(root: Path) -> None:
    guide = (root / "docs" / "guide" / "schema.md").read_text(encoding="utf-8")
    keys = [*_COLUMN_KEYS, *_SCHEMA_KEYS]
    assert [key for key in keys if f"`{key}`" not in guide] == []


def test_where_the_limit_of_a_unit_comes_from_is_kept_until_it_is_confirmed() -> None:
    unit = {"column": "patient", "max_rows": 2, "source": "observed"}
    observed, confirmed = load_schema(_with(unit=unit)), load_schema(_with(unit={**unit, "confirmed": True}))
    assert observed.unit is not None and observed.unit.is_observed
    assert confirmed.unit is not None and not confirmed.unit.is_observed
    assert [load_schema(dump_schema(schema)) for schema in (observed, confirmed)] == [observed, confirmed]
