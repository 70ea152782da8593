"""One covariance for many numbers, and the directions in which classes differ."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import kstest

from tests.methods.numbers_support import fitted, schema_of, table_of
from triplea.approximate.gaussians.centred_cells import CentredCells
from triplea.methods._mosaic_wide import few_spreads, shrunk_gaps, spreads_of, standardized, telling_basis
from triplea.schema import load_schema


def test_the_difference_of_two_classes_survives():
    rng = np.random.default_rng(0)
    label = rng.random(6000) < 0.3
    rows = 0.3 * rng.standard_normal((6000, 60)) + 0.2
    rows[label, :20] += 0.3
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=-2.0, upper=2.0), wide_from=30)
    frame = made.rows.to_pandas()
    gap = frame[frame.y].mean() - frame[~frame.y].mean()
    assert gap.iloc[:20].mean() == pytest.approx(0.3, abs=0.12)
    assert abs(gap.iloc[20:60].mean()) < 0.08


def test_a_class_that_is_wider_in_one_direction_stays_so():
    rng = np.random.default_rng(3)
    label = rng.random(8000) < 0.4
    line = np.sin(np.arange(60) / 6.0)
    size = rng.standard_normal(8000) * np.where(label, 0.6, 0.15)
    rows = 0.1 * rng.standard_normal((8000, 60)) + size[:, None] * line
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=-2.0, upper=2.0), wide_from=30)
    frame = made.rows.to_pandas()
    along = frame.drop(columns="y").to_numpy(float) @ line / (line @ line)
    wide, narrow = along[frame.y].std(), along[~frame.y].std()
    assert wide > 2.0 * narrow


@pytest.mark.parametrize(("heavy", "least"), [(False, 0.82), (True, 0.62)])
def test_columns_that_share_one_factor_keep_most_of_their_spread(heavy, least):
    rng = np.random.default_rng(5)
    factor = rng.standard_t(4, 6000) / 1.4 if heavy else rng.standard_normal(6000)
    rows = 0.25 * factor[:, None] + 0.08 * rng.standard_normal((6000, 60))
    made, _ = fitted(table_of(rows, factor > 0), schema_of(60, lower=-2.0, upper=2.0), wide_from=30)
    spread = made.rows.to_pandas().drop(columns="y").to_numpy(float).std(axis=0)
    assert least < float((spread / rows.std(axis=0)).mean()) < 1.1


def test_spreads_of_a_class_leave_those_of_all_rows_only_where_noise_cannot_explain_it():
    common, wide = np.eye(4), np.diag([9.0, 1.0, 1.0, 1.0])
    counts = np.array([900.0, 100.0])
    scatter = np.array([900.0 * common, 100.0 * wide])
    believed = few_spreads(scatter, counts, stddev=1.0)
    assert believed[1][0, 0] == pytest.approx(9.0, rel=0.05)
    assert believed[0][0, 0] == pytest.approx(1.0, rel=0.05)
    doubted = few_spreads(scatter, counts, stddev=1000.0)
    assert doubted[0] == pytest.approx(doubted[1])


def test_gaps_of_pure_noise_vanish_and_strong_ones_stay():
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(2, 300))
    variances = np.ones(2)
    small = np.linalg.norm(shrunk_gaps(noise, np.ones(300), variances), axis=1)
    assert (small < 0.35 * np.linalg.norm(noise, axis=1)).all()
    assert shrunk_gaps(100 * noise, np.ones(300), variances) == pytest.approx(100 * noise, rel=0.01)


def test_the_telling_basis_is_orthonormal():
    rng = np.random.default_rng(2)
    directions = np.linalg.qr(rng.normal(size=(50, 50)))[0]
    for classes in (1, 2, 6):
        basis = telling_basis(rng.normal(size=(classes, 50)), np.full(classes, 1 / classes), directions, 4)
        assert basis.T @ basis == pytest.approx(np.eye(basis.shape[1]), abs=1e-9)


def columns_of_many_widths(n=6000, width=60):
    """Columns in [0, 1] with means and deviations of their own, and two classes."""
    rng = np.random.default_rng(4)
    label = rng.random(n) < 0.3
    rows = np.clip(rng.beta(np.linspace(0.5, 6.0, width), np.linspace(8.0, 2.0, width), (n, width)), 0, 1)
    rows[label, :10] = np.sqrt(rows[label, :10])
    return rows, label


def test_columns_keep_their_own_variances_and_shapes():
    rows, label = columns_of_many_widths()
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=0.0, upper=1.0), epsilon=4.0, wide_from=30)
    drawn = made.rows.to_pandas().drop(columns="y").to_numpy(float)
    assert np.corrcoef(drawn.std(axis=0), rows.std(axis=0))[0, 1] > 0.9
    distances = [kstest(drawn[:, place], rows[:, place]).statistic for place in range(60)]
    assert np.mean(distances) < 0.1
    assert (drawn == 0.0).mean() < 0.03


def test_classes_far_apart_stay_far_apart():
    rng = np.random.default_rng(5)
    label = rng.random(6000) < 0.5
    rows = 0.1 * rng.standard_normal((6000, 60)) + np.where(label, 0.5, -0.5)[:, None]
    made, _ = fitted(table_of(rows, label), schema_of(60, lower=-1.0, upper=1.0), wide_from=30)
    frame = made.rows.to_pandas()
    gap = frame[frame.y].mean() - frame[~frame.y].mean()
    assert gap.iloc[:60].mean() == pytest.approx(1.0, abs=0.25)


def test_a_column_that_is_mostly_missing_keeps_its_mean():
    rows, label = columns_of_many_widths()
    table = table_of(rows, label)
    gone = np.random.default_rng(7).random(len(rows)) < 0.7
    holes = pa.array(rows[:, 50], mask=gone)
    table = table.set_column(table.schema.get_field_index("x50"), "x50", holes)
    columns = [
        {"name": f"x{i}", "kind": "numeric", "lower": 0.0, "upper": 1.0, "nullable": i == 50}
        for i in range(60)
    ]
    schema = load_schema({"target": "y", "columns": [*columns, {"name": "y", "kind": "boolean"}]})
    made, _ = fitted(table, schema, epsilon=4.0, wide_from=30)
    drawn = made.rows.to_pandas()["x50"]
    assert drawn.isna().mean() == pytest.approx(0.7, abs=0.03)
    assert drawn.mean() == pytest.approx(rows[~gone, 50].mean(), abs=0.05)


def test_standardized_columns_have_variance_one_over_all_classes():
    shares = np.array([0.3, 0.7])
    means = np.array([[1.0, -2.0], [0.5, 1.0]])
    variances = np.array([np.diag([4.0, 1.0]), np.diag([1.0, 9.0])])
    found = standardized(shares, means, variances, np.arange(2))
    overall = shares @ found.means
    within = np.array([np.diag(matrix) for matrix in found.covariances])
    assert shares @ ((found.means - overall) ** 2 + within) == pytest.approx(1.0)


def test_parts_of_a_class_have_one_spread_and_all_rows_one_where_classes_share_it():
    covariances = np.array([np.eye(2), np.eye(2), 4.0 * np.eye(2)])
    parts = CentredCells(
        owner=np.array([0, 0, 1]),
        rows=np.array([1.0, 1.0, 2.0]),
        centres=np.zeros((3, 2)),
        covariances=covariances,
    )
    each, families = spreads_of(parts, shared=False)
    assert each[families] == pytest.approx(covariances) and len(each) == 2
    one, families = spreads_of(parts, shared=True)
    assert one[0] == pytest.approx(2.5 * np.eye(2)) and families.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("rows", "epsilon"), [(0, 1.0), (50, 1.0), (3000, 0.01), (3000, 0.001)])
def test_what_noise_hides_does_not_pile_up_on_the_bounds(rows, epsilon):
    rng = np.random.default_rng(6)
    table = table_of(np.clip(rng.normal(0.3, 0.2, (rows, 60)), -1.0, 1.0), rng.random(rows) < 0.4)
    for seed in range(3):
        made, _ = fitted(
            table, schema_of(60, lower=-1.0, upper=1.0), epsilon=epsilon, seed=seed, wide_from=30
        )
        drawn = made.rows.to_pandas().drop(columns="y").to_numpy(float)
        assert (np.abs(drawn) >= 1.0).mean() < 0.2
        assert drawn.std() > 0.05
