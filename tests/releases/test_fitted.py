"""A fitted model draws rows at no further cost, and refuses nonsense."""

import pytest

from triplea.errors import ReleaseError, SchemaError


@pytest.mark.parametrize("n", [-1, 2.5, True, "3"])
def test_the_number_of_rows_must_be_a_whole_number(release, n):
    with pytest.raises(ReleaseError, match="n must be a whole number from 0 to 1,000,000,000"):
        release.model.sample(n)


def test_an_unknown_column_in_a_condition_is_refused(release):
    with pytest.raises(SchemaError, match="nowhere"):
        release.model.sample(5, where={"nowhere": 1})


def test_no_rows_have_all_columns(release):
    assert release.model.sample(0).column_names == list(release.schema.names)
