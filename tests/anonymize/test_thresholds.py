"""The threshold for showing a category."""

import pytest
from scipy.stats import norm

from triplea.anonymize.thresholds import key_threshold


@pytest.mark.parametrize("rows_per_unit", [1, 5])
def test_a_units_own_category_passes_with_at_most_the_slack(rows_per_unit):
    stddev, slack = 3.0, 1e-4
    threshold = key_threshold(stddev=stddev, rows_per_unit=rows_per_unit, slack_delta=slack)
    # round(N) > threshold - count implies N > threshold - count - 1/2.
    passing = norm.sf((threshold - rows_per_unit - 0.5) / stddev)
    assert rows_per_unit * passing <= slack * (1 + 1e-9)


def test_less_slack_means_a_higher_threshold():
    strict = key_threshold(stddev=1.0, rows_per_unit=1, slack_delta=1e-9)
    assert strict > key_threshold(stddev=1.0, rows_per_unit=1, slack_delta=1e-3)
