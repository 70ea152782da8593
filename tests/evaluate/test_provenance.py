"""Where a table came from: known for releases, unknown for everything else."""

import pandas as pd
import pytest

import triplea
from tests.methods.counting_support import SCHEMA, rows
from triplea.errors import ReleaseError
from triplea.evaluate.provenance import facts_of


def test_a_release_and_its_folder_give_the_same_guarantee(tmp_path):
    release = triplea.release(rows(500), schema=SCHEMA, epsilon=1.0, delta=1e-5, seed=0, rows=50)
    folder = release.save(tmp_path / "release")
    assert facts_of(release).guarantee == facts_of(folder).guarantee == facts_of(str(folder)).guarantee
    assert facts_of(folder / "data.parquet") is None


def test_other_tables_have_no_facts(tmp_path):
    assert facts_of(tmp_path) is None
    assert facts_of(pd.DataFrame({"certificate": [1], "schema": [2]})) is None


def test_a_damaged_certificate_is_an_error_and_not_a_guarantee(tmp_path):
    (tmp_path / "certificate.json").write_text("{}")
    with pytest.raises(ReleaseError, match="certificate.json is damaged"):
        facts_of(tmp_path)
