"""The kernel in closed form: against a library, a wide network, finite differences and its own symmetries."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplea.adapt.ntk import double_precision, ntk

LEFT = np.array([[1.0, 2.0, -0.5], [0.3, -0.7, 2.0], [-2.0, -4.0, 1.0], [0.0, 0.1, 0.0]])
RIGHT = np.array([[2.0, 4.0, -1.0], [1.0, 0.0, 0.0]])

# neural-tangents 0.6.5 does not import with the JAX of this project. In a folder of its own, on CPU:
#   pip install "jax[cpu]==0.4.30" "numpy<2" "scipy<1.14" && pip install --no-deps neural-tangents==0.6.5 \
#     tf2jax frozendict absl-py
# and, with the module "neural_tangents.experimental" (tensorflow) replaced by an empty one and x64 enabled:
#   dense = lambda: stax.Dense(1, 2**0.5, BIAS, parameterization="ntk")
#   stax.serial(*[dense(), stax.Relu()] * DEPTH, dense())[2](LEFT, RIGHT, "ntk")
GOLDEN = {
    (1, 0.1): [
        [13.970477937527018, 1.3232271404647078],
        [-0.11187419947031674, 0.6929525411668593],
        [-0.22774772018244122, -0.05412636093008616],
        [0.5201454388432782, 0.05425367667507571],
    ],
    (2, 0.1): [
        [20.83324900562849, 1.9486809810257197],
        [2.5041951046714765, 1.2353887943139326],
        [4.363892447764837, 1.1875121111923752],
        [0.7513151549310126, 0.11391989777167308],
    ],
    (4, 0.1): [
        [34.15626209300277, 3.1505601698803423],
        [7.678944223218764, 2.346467766466013],
        [14.875888164578317, 3.662119083411273],
        [1.2407489133476117, 0.26110696870860184],
    ],
    (2, 0.0): [
        [21.000000000000014, 1.8968945570702216],
        [2.466533936723771, 1.1879914587609046],
        [4.456338406573073, 1.1401319693299565],
        [0.6929580635220074, 0.04571390908552953],
    ],
}


COMPILED = jax.jit(ntk, static_argnames="depth")
SLOPE = jax.jit(
    jax.grad(lambda left, right, mix, **options: jnp.sum(mix * ntk(left, right, **options))),
    static_argnames="depth",
)


def kernel(left, right, **options):
    with double_precision():
        return np.asarray(COMPILED(jnp.asarray(left), jnp.asarray(right), **options))


def slope(left, right, mix, **options):
    with double_precision():
        return np.asarray(SLOPE(*map(jnp.asarray, (left, right, mix)), **options), np.float64)


@pytest.mark.parametrize(("depth", "bias"), list(GOLDEN))
def test_it_equals_neural_tangents(depth, bias):
    assert kernel(LEFT, RIGHT, depth=depth, bias=bias) == pytest.approx(
        np.array(GOLDEN[depth, bias]), rel=1e-13, abs=1e-13
    )


def finite_network(parameters, row):
    for index, (weights, biases) in enumerate(parameters):
        row = row @ weights * np.sqrt(2.0 / weights.shape[0]) + 0.1 * biases
        row = jnp.maximum(row, 0.0) if index + 1 < len(parameters) else row
    return row[0]


@jax.jit
def empirical_kernel(parameters, rows):
    slopes = [jax.grad(finite_network)(parameters, row) for row in rows]
    inner = [
        [sum(jnp.vdot(x, y) for x, y in zip(*map(jax.tree.leaves, pair), strict=True)) for pair in line]
        for line in ([(one, other) for other in slopes] for one in slopes)
    ]
    return jnp.asarray(inner)


def test_wide_networks_have_this_kernel_within_five_percent():
    """The mean of five networks of 2 x 2,048 units; a single one strays by about eight percent."""
    rng, rows = np.random.default_rng(0), np.concatenate([LEFT[:2], RIGHT[1:]]).astype(np.float32)
    found = []
    for _ in range(5):
        parameters = [
            tuple(rng.standard_normal(shape, dtype=np.float32) for shape in ((inputs, outputs), outputs))
            for inputs, outputs in itertools.pairwise((3, 2048, 2048, 1))
        ]
        found.append(np.asarray(empirical_kernel(parameters, rows)))
    wanted = kernel(rows, rows, depth=2)
    size = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    assert (np.abs(np.mean(found, axis=0) - wanted) / size).max() < 0.05


def test_depth_zero_is_a_linear_kernel():
    assert kernel(LEFT, RIGHT, depth=0, bias=0.0) == pytest.approx(2.0 / 3.0 * LEFT @ RIGHT.T)


def test_the_gradient_equals_finite_differences():
    rng = np.random.default_rng(1)
    points, others, mix = (rng.standard_normal(shape) for shape in ((4, 3), (5, 3), (4, 5)))

    def total(values):
        return float(np.sum(mix * kernel(values, others, depth=3)))

    found = slope(points, others, mix, depth=3)
    for index in np.ndindex(*points.shape):
        nudge = np.zeros_like(points)
        nudge[index] = 1e-5
        wanted = (total(points + nudge) - total(points - nudge)) / 2e-5
        assert found[index] == pytest.approx(wanted, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("factor", [1.0, 2.0, -1.0])
def test_the_gradient_at_collinear_points_goes_along_the_line(factor, precision):
    """There the kernel has a kink across the line, where a naive derivative is 0 / 0."""
    row, one = np.array([[1.0, -2.0, 0.5]], precision), np.ones((1, 1), precision)
    assert np.isfinite(slope(row, factor * row, one, depth=2, bias=0.1)).all()
    found = slope(row, factor * row, one, depth=2, bias=0.0)
    along = kernel(row, factor * row, depth=2, bias=0.0)  # homogeneous of degree one without biases
    assert found @ row.T == pytest.approx(along, rel=2e-3)
    across = found - (found @ row.T) / (row @ row.T) * row
    assert np.linalg.norm(across) < 2e-3 * np.linalg.norm(found)


@settings(max_examples=25, deadline=None)
@given(depth=st.sampled_from([1, 3]), seed=st.integers(0, 2**32 - 1), scale=st.floats(1e-3, 1e3))
def test_it_is_symmetric_and_positive_semidefinite(depth, seed, scale):
    points = np.random.default_rng(seed).normal(scale=scale, size=(8, 2))
    points[0], points[2], points[4] = 0.0, -points[1], points[3]
    found = kernel(points, points, depth=depth)
    assert found == pytest.approx(found.T, rel=1e-12)
    assert np.linalg.eigvalsh(found).min() > -1e-7 * np.trace(found)


def test_zero_inputs_without_biases_have_no_kernel_and_no_nan():
    found = kernel(np.zeros((1, 3)), RIGHT, depth=2, bias=0.0)
    assert np.isfinite(found).all() and np.abs(found).max() < 1e-6


def test_the_default_precision_of_the_process_stays():
    before = jnp.zeros(1).dtype
    kernel(LEFT, RIGHT, depth=1)
    assert jnp.zeros(1).dtype == before
