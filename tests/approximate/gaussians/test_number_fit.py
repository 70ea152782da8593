"""What recipes hand over."""

import numpy as np

from triplea.approximate.codes.number_code import NumberCode
from triplea.approximate.gaussians.latent_gaussians import LatentGaussians
from triplea.approximate.gaussians.number_fit import NumberFit


def test_a_fit_has_no_polish_unless_one_is_given():
    nothing = LatentGaussians(offset=np.zeros(0), means=np.zeros((1, 0)), covariances=np.zeros((1, 0, 0)))
    assert NumberFit(counts=np.ones(1), code=NumberCode.plain(()), gaussians=nothing).polish is None
