"""The release folder is whole or absent, holds no pickle, and can be read back."""

import json
import os

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import triplea
from triplea.errors import ReleaseError
from triplea.releases.folder import check_destination, whole_folder


def test_everything_is_there(folder):
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert names == {
        "data.parquet",
        "data.csv",
        "certificate.json",
        "certificate.md",
        "datasheet.html",
        "datasheet.md",
        "model/model.json",
        "model/arrays.npz",
        "model/schema.json",
    }
    assert pq.read_table(folder / "data.parquet").num_rows == 1000
    assert pyarrow.csv.read_csv(folder / "data.csv").num_rows == 1000


def test_it_can_be_read_back_and_sampled(release, folder):
    again = triplea.load(folder)
    assert again.rows.equals(release.rows)
    assert again.model.sample(10, seed=3).equals(release.model.sample(10, seed=3))
    assert again.certificate.data_sha256 is not None


def test_rows_that_another_tool_has_written_anew_still_say_their_types(tmp_path):
    table = pa.table({"old": [True, False] * 25})
    columns = [{"name": "old", "kind": "boolean"}]
    made = triplea.release(table, schema={"columns": columns}, epsilon=1.0, delta=0, seed=0, rows=5)
    place = made.save(tmp_path / "release")
    pa.parquet.write_table(
        pa.parquet.read_table(place / "data.parquet"), place / "data.parquet", store_schema=False
    )
    assert triplea.load(place).model.sample(3, seed=0).schema.field("old").type == pa.bool_()


def test_seconds_stay_seconds_although_parquet_has_none(tmp_path):
    days = {
        "name": "seen",
        "kind": "datetime",
        "lower": "2020-01-01",
        "upper": "2020-12-31",
        "time_unit": "s",
    }
    table = pa.table({"seen": ["2020-02-01 10:00:00"] * 50})
    made = triplea.release(table, schema={"columns": [days]}, epsilon=1.0, delta=0, seed=0, rows=5)
    again = triplea.load(made.save(tmp_path / "release"))
    assert again.rows.schema.field("seen").type == pa.timestamp("s")
    assert again.rows.equals(made.rows)


def test_arrays_hold_no_objects(folder):
    with np.load(folder / "model" / "arrays.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "fiub" for name in arrays)


def test_a_taken_place_is_refused(release, folder):
    with pytest.raises(ReleaseError, match="exists already. Choose another folder"):
        release.save(folder)
    with pytest.raises(ReleaseError, match="does not exist or is not writable"):
        check_destination(folder / "no" / "where")


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError, match="half-way"), whole_folder(tmp_path / "out") as place:
        (place / "data").write_text("x")
        raise RuntimeError("half-way")
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_no_release_is_refused(tmp_path):
    with pytest.raises(ReleaseError, match="is not a release folder: it has no certificate.json"):
        triplea.load(tmp_path)
    (tmp_path / "rows.csv").touch()
    with pytest.raises(ReleaseError, match="rows.csv' is not a release folder"):
        triplea.load(tmp_path / "rows.csv")


def test_another_format_is_refused_by_number(folder):
    model = folder / "model" / "model.json"
    state = json.loads(model.read_text())
    model.write_text(json.dumps({**state, "format": 99}))
    with pytest.raises(ReleaseError, match="format 99, this version reads format 1"):
        triplea.load(folder)
