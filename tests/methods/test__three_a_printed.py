"""Algorithm 2 as printed."""

import numpy as np
import pytest

from tests.methods.counting_support import SCHEMA, rows
from triplea.adapt.stage import Unchanged
from triplea.anonymize.budget import Budget
from triplea.anonymize.mixing import MixtureNoise, MixWithNoise
from triplea.approximate.gaussians.constrained_mixture import ConstrainedMixture
from triplea.errors import MethodError
from triplea.methods import _three_a_printed as printed
from triplea.schema import load_schema

BUDGET = Budget(epsilon=1.0, delta=1e-5)


def algorithm(**changes):
    settings = {
        "schema": SCHEMA,
        "budget": BUDGET,
        "approximate": ConstrainedMixture(),
        "adapt": Unchanged(),
        "anonymize": MixWithNoise(sigma_max=0.5),
        "slices": 1,
        "codes": "ordinal",
        "scaling": "min-max",
    }
    return printed.Algorithm(**{**settings, **changes})


def test_every_row_is_in_one_mixture_and_every_mixture_large_enough():
    rng = np.random.default_rng(0)
    vectors, klass = rng.random((900, 3)), rng.integers(0, 2, 900)
    noise = MixtureNoise(features=3, classes=2, mu=1e9)  # no noise: the points are the means
    mixtures = algorithm(slices=3).mix(vectors, klass, noise, 1e9**-1 / 20, rng)
    least = noise.least_size(1e9**-1 / 20)
    assert least == 49
    for c in range(2):
        mine = mixtures.classes == c
        assert 1 <= mine.sum() <= (klass == c).sum() // least


def test_a_rare_class_is_not_cut_into_regions():
    rng = np.random.default_rng(0)
    vectors, klass = rng.random((600, 3)), np.repeat([0, 1], [550, 50])
    noise = MixtureNoise(features=3, classes=2, mu=1e9)
    mixtures = algorithm(slices=5).mix(vectors, klass, noise, 1e9**-1 / 20, rng)
    assert set(mixtures.classes.tolist()) == {0, 1}


def test_means_of_mixtures_are_means_of_rows():
    rng = np.random.default_rng(0)
    vectors = np.repeat([[0.2, 0.2], [0.8, 0.8]], 100, axis=0)
    noise = MixtureNoise(features=2, classes=1, mu=1e9)
    mixtures = algorithm().mix(vectors, np.zeros(200, dtype=int), noise, 2e-11, rng)
    assert sorted(mixtures.points[:, 0].round(6).tolist()) == [0.2, 0.8]


@pytest.mark.parametrize("codes", ["ordinal", "one-hot"])
@pytest.mark.parametrize("scaling", ["min-max", "normal-quantile"])
def test_all_codes_and_scalings_give_rows(codes, scaling):
    encoded = SCHEMA.encode(rows(500))
    made = algorithm(codes=codes, scaling=scaling).run(encoded, np.random.default_rng(0))
    assert SCHEMA.decode(made.model.sample(50, rng=np.random.default_rng(1))).num_rows == 50
    assert made.rows == 500


def test_noise_is_known_before_rows_are_read():
    assert printed.mixture_noise(SCHEMA, BUDGET, codes="one-hot").features == printed.width_of(
        SCHEMA, "one-hot"
    )
    assert printed.width_of(SCHEMA, "ordinal") == len(SCHEMA.names) - 1
    with pytest.raises(MethodError, match="sigma_max"):
        printed.check_budget(SCHEMA, BUDGET, MixWithNoise(sigma_max=-1.0), codes="ordinal")
    alone = load_schema({"target": "y", "columns": [{"name": "y", "kind": "boolean"}]})
    with pytest.raises(MethodError, match="at least one feature"):
        printed.check_budget(alone, BUDGET, MixWithNoise(), codes="ordinal")


@pytest.mark.parametrize("changes", [{"trials": 2}, {"anonymize": MixWithNoise(sigma_max=(0.3, 0.5))}])
def test_of_several_data_sets_the_one_that_trains_best_is_kept(changes):
    pytest.importorskip("optuna")
    made = algorithm(**changes).run(SCHEMA.encode(rows(300)), np.random.default_rng(0))
    assert len(made.model.points) and made.rows == 300


def test_rows_beyond_the_mixtures_scatter_by_the_spread_at_least():
    encoded = SCHEMA.encode(rows(500))
    model = algorithm(spread=0.7).run(encoded, np.random.default_rng(0)).model
    assert (model.spreads == 0.7).all()
    assert (algorithm().run(encoded, np.random.default_rng(0)).model.spreads < 0.7).all()
