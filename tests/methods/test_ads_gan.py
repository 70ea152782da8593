"""ADS-GAN: useful perhaps, private never, and everything says so."""

import pytest

import triplea
from tests.methods.counting_support import SCHEMA, rows, synthetic
from triplea.errors import MethodError

QUICK = {"steps": 60, "most_bins": 8, "learning_rate": 0.002}


@pytest.fixture(scope="module")
def made():
    return synthetic("ads-gan", table=rows(2_000), variant="published", params=QUICK)


def test_the_certificate_says_non_private(made):
    certificate = made[0].certificate
    assert certificate.sentence.startswith("NON-PRIVATE")
    assert not certificate.proved and certificate.to_json()["epsilon_proved"] is None
    assert "one real row" in certificate.reasons[0]


def test_there_is_one_row_for_every_row(made):
    assert len(made[1]) == 2_000
    assert set(made[1].town) <= {"A", "B", "C"}


def test_there_is_no_provable_variant():
    with pytest.raises(MethodError, match="no variant 'provable'"):
        triplea.release(rows(50), schema=SCHEMA, epsilon=1.0, delta=1e-5, method="ads-gan")


def test_consent_is_needed_before_reading():
    with pytest.raises(MethodError, match="Nothing was read"):
        triplea.release(
            rows(50), schema=SCHEMA, epsilon=1.0, delta=1e-5, method="ads-gan", variant="published"
        )


def test_an_empty_table_ends_in_rows_all_the_same():
    made, fake = synthetic("ads-gan", table=rows(0), variant="published", rows=5, params=QUICK)
    assert len(fake) == 5 and made.certificate.sentence.startswith("NON-PRIVATE")
