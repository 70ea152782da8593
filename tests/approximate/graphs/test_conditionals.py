"""Noisy joint counts become conditional tables."""

import numpy as np

from triplea.approximate.graphs.conditionals import conditional_tables

JOINT = np.array([[[90.0, 10.0], [40.0, 60.0]], [[10.0, 90.0], [50.0, 50.0]]])


def test_without_noise_the_conditionals_are_exact():
    network = [("a",), ("a", "b"), ("a", "b", "c")]
    factors = conditional_tables({("b", "a", "c"): JOINT.transpose(1, 0, 2)}, network, rows=400, stddev=1e-9)
    assert [f.names for f in factors] == network
    assert np.allclose(factors[0].values / factors[0].values.sum(), [0.5, 0.5])
    assert np.allclose(factors[2].values, JOINT)


def test_parent_cells_that_drown_in_noise_look_like_the_rest():
    table = np.array([[1000.0, 3000.0], [3.0, -2.0]])
    (factor,) = conditional_tables({("p", "x"): table}, [("p", "x")], rows=4000, stddev=20.0)
    line = factor.values[1] / factor.values[1].sum()
    assert np.allclose(line, [0.25, 0.75], atol=0.01)
    assert (factor.values >= 0).all()
