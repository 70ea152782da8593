"""One finished release that several tests look at."""

import pytest

import triplea
from tests.methods.counting_support import SCHEMA, rows


@pytest.fixture(scope="module")
def release():
    return triplea.release(rows(3000), schema=SCHEMA, epsilon=1.0, delta=1e-5, seed=0, rows=1000)


@pytest.fixture
def folder(release, tmp_path):
    return release.save(tmp_path / "release", csv=True)
