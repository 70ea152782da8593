"""Downloads from a server on this machine: kept if everything is right, and only then."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from tests.bench.test_convert import idx, line_of
from triplea.bench.downloads import Download, Origin
from triplea.bench.fetch import fetch
from triplea.bench.files import read_file
from triplea.errors import UserError

ROW = line_of("diabetes")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a server and the folder that it serves."""
    folder = tmp_path / "served"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", folder
        running.shutdown()
        thread.join()


def origin(*files: Download, zeros: int = 2) -> Origin:
    return Origin(files=files, licence="none", classes={"outcome": {"0": zeros}})


def test_a_good_file_is_checked_converted_and_kept(server: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = server
    data = f"{ROW}\n{ROW}\n".encode()
    (folder / "rows.csv").write_bytes(data)
    known = f"sha256:{hashlib.sha256(data).hexdigest()}"
    stages: list[str] = []
    source = origin(Download(url=f"{address}/rows.csv", checksum=known))
    made = fetch("diabetes", folder=tmp_path / "cache", origin=source, rows=2, progress=stages.append)
    assert made == tmp_path / "cache" / "diabetes.parquet"
    assert read_file(made).num_rows == 2
    assert stages == ["downloading rows.csv", "converting", "writing"]


def test_a_file_address_works_as_well(tmp_path: Path) -> None:
    source = tmp_path / "rows.csv"
    source.write_text(f"{ROW}\n")
    made = fetch("diabetes", folder=tmp_path, origin=origin(Download(url=source.as_uri()), zeros=1), rows=1)
    assert made.is_file()


def test_a_list_of_checksums_is_believed(server: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = server
    (folder / "rows.csv").write_text(f"{ROW}\n")
    (folder / "SUMS").write_text(f"{hashlib.sha256((ROW + chr(10)).encode()).hexdigest()} rows.csv\n")
    part = Download(url=f"{address}/rows.csv", sums=f"{address}/SUMS")
    assert fetch("diabetes", folder=tmp_path, origin=origin(part, zeros=1), rows=1).is_file()
    (folder / "SUMS").write_text("00 other.csv\n")
    with pytest.raises(UserError, match="does not name rows.csv"):
        fetch("diabetes", folder=tmp_path, origin=origin(part, zeros=1), rows=1)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"checksum": "md5:00"}, "the md5 checksum is .*, expected 00"),
        ({"rows": 3}, "expected 3 rows, got 2"),
        ({"zeros": 1}, "values of 'outcome' should be"),
        ({"name": "gone.csv"}, "could not be downloaded"),
    ],
)
def test_nothing_is_kept_if_a_check_fails(
    server: tuple[str, Path], tmp_path: Path, change: dict[str, object], text: str
) -> None:
    address, folder = server
    (folder / "rows.csv").write_text(f"{ROW}\n{ROW}\n")
    part = Download(url=f"{address}/{change.get('name', 'rows.csv')}", checksum=change.get("checksum"))  # type: ignore[arg-type]
    cache = tmp_path / "cache"
    with pytest.raises(UserError, match=text):
        fetch(
            "diabetes",
            folder=cache,
            origin=origin(part, zeros=int(change.get("zeros", 2))),  # type: ignore[call-overload]
            rows=int(change.get("rows", 2)),  # type: ignore[call-overload]
        )
    assert not cache.exists()


def test_a_page_in_place_of_data_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.write_text("\n".join(["a,b,c,d,e,f,g,h,i"] * 3))
    with pytest.raises(UserError, match="does not have the published form"):
        fetch("diabetes", folder=tmp_path / "cache", origin=origin(Download(url=page.as_uri())), rows=3)


def test_images_are_kept_as_an_archive(tmp_path: Path) -> None:
    parts = [np.zeros((2, 2, 2)), np.array([0, 1]), np.zeros((1, 2, 2)), np.array([1])]
    for place, part in enumerate(parts):
        (tmp_path / f"{place}").write_bytes(idx(part))
    files = tuple(Download(url=(tmp_path / f"{place}").as_uri()) for place in range(4))
    source = Origin(files=files, licence="none", classes={"label": {"0": 1, "1": 2}})
    made = fetch("mnist", folder=tmp_path / "cache", origin=source, rows=3)
    assert read_file(made).num_rows == 3


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="there is no data set 'x' to fetch. Known: adult"):
        fetch("x")
