"""The published files of each data set, put into one form: clean names, typed columns, missing as null."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv

from triplea.bench.schemas import schema_of
from triplea.errors import UserError

Converted: TypeAlias = "pa.Table | dict[str, np.ndarray]"
Converter = Callable[[Sequence[bytes]], Converted]
KINDS = {"integer": pa.int32(), "numeric": pa.float32()}
ATTACKS = {
    "dos": "back land neptune pod smurf teardrop apache2 mailbomb processtable udpstorm",
    "probe": "ipsweep nmap portsweep satan mscan saint",
    "u2r": "buffer_overflow loadmodule perl rootkit httptunnel ps sqlattack xterm",
    "r2l": "ftp_write guess_passwd imap multihop phf spy warezclient warezmaster named sendmail "
    "snmpgetattack snmpguess worm xlock xsnoop",
    "normal": "normal",
}  # fmt: skip


def convert(name: str, files: Sequence[bytes]) -> Converted:
    """Turn the downloaded files of a data set into its table, or into arrays of images."""
    return _CONVERTERS[name](files)


def split_table(names: Sequence[str], files: Sequence[bytes], *, skip: Sequence[int] = (0, 0)) -> pa.Table:
    """Join a training and a test file without headers, and say in `split` which row is of which."""
    parts = []
    for part, data, lines in zip(("train", "test"), files, skip, strict=True):
        table = read_csv(data, names, skip=lines)
        parts.append(table.append_column("split", pa.array([part] * table.num_rows)))
    return pa.concat_tables(parts)


def read_csv(data: bytes, names: Sequence[str] | None, *, skip: int = 0) -> pa.Table:
    """Read texts; every value is stripped, and "?" and nothing become null. A gzip file is unpacked."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    options = pv.ReadOptions(column_names=list(names) if names else None, skip_rows=skip)
    parsing = pv.ParseOptions(newlines_in_values=False, invalid_row_handler=lambda _: "skip")
    head = (
        list(names) if names else [text.strip('" ') for text in data.split(b"\n", 1)[0].decode().split(",")]
    )
    texts = pv.ConvertOptions(column_types=dict.fromkeys(head, pa.string()), strings_can_be_null=False)
    table = pv.open_csv(io.BytesIO(data), options, parsing, texts).read_all()
    columns = {name: pc.utf8_trim_whitespace(table.column(name)) for name in table.column_names}
    unknown = pa.array(["?", ""])
    return pa.table(
        {name: pc.if_else(pc.is_in(column, unknown), None, column) for name, column in columns.items()}
    )


def arff_body(data: bytes) -> bytes:
    """Return what follows @data in an ARFF file."""
    text = data.decode("utf-8", errors="replace")
    place = text.lower().find("\n@data")
    if place < 0:
        raise UserError("the file is no ARFF file: it has no line @data.")
    return text[text.index("\n", place + 1) + 1 :].replace("'", "").encode()


def typed(table: pa.Table, name: str) -> pa.Table:
    """Give every column the type that the schema asks for; texts of whole numbers become numbers."""
    entries = {entry["name"]: entry for entry in schema_of(name, table.column_names)["columns"]}
    columns = {}
    for column in table.column_names:
        values, entry = table.column(column), entries.get(column)
        if entry is not None and entry["kind"] in KINDS:
            values = pc.cast(pc.cast(values, pa.float64()), KINDS[entry["kind"]])
        elif entry is not None and all(isinstance(value, int) for value in entry["categories"]):
            values = pc.cast(pc.cast(values, pa.float64()), pa.int16())
        columns[column] = values
    return pa.table(columns)


def _names(name: str) -> list[str]:
    return [entry["name"] for entry in schema_of(name, ())["columns"]]


def _adult(files: Sequence[bytes]) -> pa.Table:
    table = split_table(_names("adult"), files, skip=(0, 1))
    # The labels of the test file end with a dot.
    income = pc.utf8_rtrim(table.column("income"), characters=".")
    return typed(table.set_column(table.column_names.index("income"), "income", income), "adult")


def _census(files: Sequence[bytes]) -> pa.Table:
    table = split_table(_names("census"), files)
    income = pc.replace_substring_regex(pc.utf8_rtrim(table.column("income"), characters="."), r" \+$", "+")
    return typed(table.set_column(table.column_names.index("income"), "income", income), "census")


def _intrusion(files: Sequence[bytes]) -> pa.Table:
    features = [name for name in _names("intrusion") if name != "category"]
    table = split_table([*features, "label"], files)
    label = pc.utf8_rtrim(table.column("label"), characters=".")
    kinds = {attack: kind for kind, attacks in ATTACKS.items() for attack in attacks.split()}
    category = pa.array([kinds.get(attack) for attack in label.to_pylist()])
    table = table.set_column(table.column_names.index("label"), "label", label)
    return typed(table.append_column("category", category), "intrusion")


def _headless(name: str) -> Converter:
    return lambda files: typed(read_csv(files[0], _names(name)), name)


def _arff(name: str) -> Converter:
    return lambda files: typed(read_csv(arff_body(files[0]), _names(name)), name)


def _covtype(files: Sequence[bytes]) -> pa.Table:
    """The first 11,340 rows were meant for training and the next 3,780 for validation."""
    table = typed(read_csv(files[0], _names("covtype")), "covtype")
    rows = table.num_rows
    parts = ["train"] * 11_340 + ["validation"] * 3_780 + ["test"] * max(rows - 15_120, 0)
    return table.append_column("split", pa.array(parts[:rows]))


def _isolet(files: Sequence[bytes]) -> pa.Table:
    """The first 6,238 rows are those of the training speakers."""
    table = typed(read_csv(arff_body(files[0]), _names("isolet")), "isolet")
    parts = ["train"] * 6_238 + ["test"] * max(table.num_rows - 6_238, 0)
    return table.append_column("split", pa.array(parts[: table.num_rows]))


def _cervical(files: Sequence[bytes]) -> pa.Table:
    return typed(read_csv(files[0], _names("cervical"), skip=1), "cervical")


def _epileptic(files: Sequence[bytes]) -> pa.Table:
    """The first column says which piece of which recording a row is, as in X21.V1.791."""
    table = read_csv(files[0], ["piece", *_names("epileptic")], skip=1)
    return typed(table.drop_columns("piece"), "epileptic")


def _images(files: Sequence[bytes]) -> dict[str, np.ndarray]:
    arrays = [_idx(data) for data in files]
    return dict(zip(("x_train", "y_train", "x_test", "y_test"), arrays, strict=True))


def _idx(data: bytes) -> np.ndarray:
    """Read the IDX format: two zero bytes, the type, the number of axes, their lengths, the values."""
    raw = gzip.decompress(data)
    if raw[:3] != b"\x00\x00\x08":
        raise UserError("the file is no IDX file of bytes.")
    shape = np.frombuffer(raw, dtype=">u4", count=raw[3], offset=4).astype(int)
    return np.frombuffer(raw, dtype=np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def _mimic(files: Sequence[bytes]) -> pa.Table:
    """One row a patient, one 0/1 column for each three-character group of diagnoses."""
    patients, diagnoses = (read_csv(data, None) for data in files)
    codes = [_group(code) for code in diagnoses.column("icd9_code").to_pylist()]
    held = set(zip(diagnoses.column("subject_id").to_pylist(), codes, strict=True))
    subjects = sorted(patients.column("subject_id").to_pylist(), key=int)
    gender: Mapping[str, str] = dict(
        zip(patients.column("subject_id").to_pylist(), patients.column("gender").to_pylist(), strict=True)
    )
    groups = {
        f"icd9_{code.lower()}": pa.array([int((subject, code) in held) for subject in subjects], pa.int8())
        for code in sorted(set(codes) - {""})
    }
    known = {"subject_id": pa.array([int(s) for s in subjects], pa.int32())}
    return pa.table({**known, "gender": pa.array([gender[subject] for subject in subjects]), **groups})


def _group(code: str | None) -> str:
    return (code or "").strip('"')[:3]


_CONVERTERS: dict[str, Converter] = {
    "adult": _adult,
    "census": _census,
    "cervical": _cervical,
    "covtype": _covtype,
    "credit": _arff("credit"),
    "diabetes": _headless("diabetes"),
    "epileptic": _epileptic,
    "fashion_mnist": _images,
    "intrusion": _intrusion,
    "isolet": _isolet,
    "mimic3_demo": _mimic,
    "mnist": _images,
    "phishing": _arff("phishing"),
}
