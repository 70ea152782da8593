"""Published forms become clean tables: made-up files in each form."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from triplea.bench.convert import arff_body, convert
from triplea.bench.schemas import schema_of
from triplea.errors import UserError
from triplea.schema import load_schema

ADULT = "39, State-gov, 77516, Bachelors, 13, Never-married, Sales, Husband, White, Male, 2174, 0, 40, "


def idx(array: np.ndarray) -> bytes:
    head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return gzip.compress(head + array.astype(np.uint8).tobytes())


def line_of(name: str) -> str:
    """One row with the first value of every column."""
    values = []
    for entry in schema_of(name, ())["columns"]:
        values.append(str(entry["categories"][0] if "categories" in entry else entry["lower"]))
    return ",".join(values)


def test_adult_loses_the_dots_and_question_marks() -> None:
    train = f"{ADULT}United-States, <=50K\n\n".encode()
    test = f"|1x3 Cross validator\n{ADULT}?, >50K.\n".encode()
    table = convert("adult", [train, test])
    assert table.column("income").to_pylist() == ["<=50K", ">50K"]
    assert table.column("native_country").to_pylist() == ["United-States", None]
    assert table.column("split").to_pylist() == ["train", "test"]
    assert table.column("age").to_pylist() == [39, 39]


def test_census_labels_are_trimmed() -> None:
    row = line_of("census").removesuffix("- 50000")
    table = convert("census", [gzip.compress(f"{row} - 50000.\n".encode()), f"{row} 50000+.\n".encode()])
    assert table.column("income").to_pylist() == ["- 50000", "50000+"]


def test_attacks_get_their_category() -> None:
    row = line_of("intrusion").rpartition(",")[0]
    table = convert("intrusion", [f"{row},smurf.\n{row},normal.\n".encode(), f"{row},mscan.\n".encode()])
    assert table.column("category").to_pylist() == ["dos", "normal", "probe"]
    assert table.column("label").to_pylist() == ["smurf", "normal", "mscan"]


@pytest.mark.parametrize("name", ["credit", "phishing", "isolet"])
def test_arff_files_are_read_behind_their_head(name: str) -> None:
    row = line_of(name)
    if name == "credit":
        row = row[:-1] + f"'{row[-1]}'"
    table = convert(name, [f"@relation x\n@attribute y real\n@DATA\n{row}\n".encode()])
    assert table.num_rows == 1
    assert set(load_schema(schema_of(name, ())).names) <= set(table.column_names)


def test_a_page_in_place_of_an_arff_file_is_refused() -> None:
    with pytest.raises(UserError, match="no ARFF file"):
        arff_body(b"<html>not found</html>")


@pytest.mark.parametrize("name", ["diabetes", "covtype"])
def test_files_without_a_head_take_the_names_of_the_schema(name: str) -> None:
    table = convert(name, [f"{line_of(name)}\n{line_of(name)}\n".encode()])
    assert table.num_rows == 2
    assert table.column_names[0] == schema_of(name, ())["columns"][0]["name"]


def test_the_first_rows_of_covertype_are_for_training() -> None:
    data = gzip.compress((line_of("covtype") + "\n").encode() * 15_121)
    parts = convert("covtype", [data]).column("split").to_pylist()
    assert [parts.count(name) for name in ("train", "validation", "test")] == [11_340, 3_780, 1]


def test_question_marks_of_cervical_are_missing() -> None:
    row = line_of("cervical").split(",")
    row[1] = "?"
    head = ",".join(f'"column {place}"' for place in range(len(row)))
    table = convert("cervical", [f"{head}\n{','.join(row)}\n".encode()])
    assert table.column("number_of_sexual_partners").to_pylist() == [None]


def test_epileptic_loses_the_name_of_the_piece() -> None:
    table = convert("epileptic", [f"name\nX21.V1.791,{line_of('epileptic')}\n".encode()])
    assert table.num_columns == 179


def test_images_are_read_from_idx_files() -> None:
    pixels, labels = np.arange(2 * 6).reshape(2, 2, 3), np.array([7, 9])
    arrays = convert("mnist", [idx(pixels), idx(labels), idx(pixels[:1]), idx(labels[:1])])
    assert arrays["x_train"].shape == (2, 2, 3)
    assert arrays["y_train"].tolist() == [7, 9]
    with pytest.raises(UserError, match="no IDX file"):
        convert("mnist", [gzip.compress(b"nonsense")] * 4)


def test_diagnoses_become_one_column_a_group() -> None:
    patients = b"row_id,subject_id,gender\n1,20,F\n2,3,M\n"
    diagnoses = b"row_id,subject_id,icd9_code\n1,20,03819\n2,20,V5861\n3,3,0389\n4,3,\n"
    table = convert("mimic3_demo", [patients, diagnoses])
    assert table.column_names == ["subject_id", "gender", "icd9_038", "icd9_v58"]
    assert table.column("subject_id").to_pylist() == [3, 20]
    assert table.column("icd9_v58").to_pylist() == [0, 1]
