import itertools
import math
import tracemalloc

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import laplace as laplace_law
from scipy.stats import norm

from tests.anonymize.charge_examples import exponential, gaussian, laplace, sampled
from triplea.anonymize.batches import row_rate
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.privacy_loss import compose, exponential_deltas

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE


def hockey_stick(upper: np.ndarray, lower: np.ndarray, epsilon: float) -> float:
    return float(np.maximum(upper - math.exp(epsilon) * lower, 0).sum())


def softmax(exponents: np.ndarray) -> np.ndarray:
    weights = np.exp(exponents - exponents.max())
    return weights / weights.sum()


@given(
    scores=st.lists(st.tuples(st.floats(-20, 20), st.floats(-1, 1)), min_size=2, max_size=8),
    epsilon=st.floats(0.01, 5),
    at=st.floats(-1, 1),
)
def test_no_exponential_mechanism_passes_its_curve(
    scores: list[tuple[float, float]], epsilon: float, at: float
) -> None:
    first = np.array([score for score, _ in scores])
    second = first + np.array([move for _, move in scores])
    worst = hockey_stick(softmax(epsilon * first / 2), softmax(epsilon * second / 2), at * epsilon)
    assert worst <= exponential_deltas(epsilon, np.array([at * epsilon]))[0] + 1e-12


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 6.0])
@pytest.mark.parametrize("at", [-0.9, -0.3, 0.0, 0.5, 0.95])
def test_the_exponential_curve_is_reached_by_two_candidates(epsilon: float, at: float) -> None:
    largest_loss = (1 + at) * epsilon / 2
    chance = math.expm1(epsilon - largest_loss) / (math.exp(epsilon - largest_loss) - math.exp(-largest_loss))
    offset = math.log(chance / (1 - chance)) - epsilon / 2
    first, second = np.array([offset + epsilon / 2, 0.0]), np.array([offset, epsilon / 2])
    reached = hockey_stick(softmax(first), softmax(second), at * epsilon)
    assert reached == pytest.approx(exponential_deltas(epsilon, np.array([at * epsilon]))[0], rel=1e-9)


def test_two_adaptive_selections_stay_below_the_composed_curve() -> None:
    epsilon, target = 1.0, 0.7
    ratios = np.linspace(
        0, epsilon, 201
    )  # the largest loss of a selection; its other loss is lower by epsilon
    chance = (math.exp(epsilon) - np.exp(ratios)) / math.expm1(epsilon)

    def second_best(spent: float) -> float:
        """The most that a second selection, chosen after the first, adds beyond the target."""
        high = chance * np.maximum(0, -np.expm1(target - spent - ratios))
        low = (1 - chance) * np.maximum(0, -np.expm1(target - spent - ratios + epsilon))
        return float((high + low).max())

    worst = max(
        p * second_best(t) + (1 - p) * second_best(t - epsilon) for t, p in zip(ratios, chance, strict=True)
    )
    composed = compose([exponential(epsilon, times=2)], neighbours=ADD).get_delta_for_epsilon(target)
    assert worst <= composed <= 1.2 * worst


@pytest.mark.parametrize("epsilon", [0.001, 1.0, 20.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 1e-3])
@pytest.mark.parametrize("pieces", [1, 30, 5000])
def test_composed_gaussians_are_never_below_and_hardly_above_the_exact_trade_off(
    epsilon: float, delta: float, pieces: int
) -> None:
    noise_multiplier = dp_accounting.get_sigma_gaussian(epsilon, delta) * math.sqrt(pieces)
    # A sampling rate just below one keeps the pieces apart; plain Gaussians would be merged exactly.
    steps = sampled(noise_multiplier, 1 - 1e-12, pieces)
    composed = compose([steps], neighbours=ADD).get_epsilon_for_delta(delta)
    assert epsilon * (1 - 1e-9) <= composed <= epsilon * 1.002


@given(epsilons=st.lists(st.floats(0.05, 2), min_size=1, max_size=3), target=st.floats(0, 3))
@settings(max_examples=30)
def test_composed_laplace_is_never_below_the_enumerated_losses(epsilons: list[float], target: float) -> None:
    composed = compose([laplace(epsilon) for epsilon in epsilons], neighbours=ADD).get_delta_for_epsilon(
        target
    )
    # Randomized response with the same chances at the two ends is less revealing than Laplace noise.
    lower_bound = 0.0
    for signs in itertools.product((1, -1), repeat=len(epsilons)):
        loss = sum(s * e for s, e in zip(signs, epsilons, strict=True))
        chance = math.prod(0.5 if s > 0 else 0.5 * math.exp(-e) for s, e in zip(signs, epsilons, strict=True))
        lower_bound += chance * max(0.0, -math.expm1(target - loss)) if loss > target else 0.0
    assert composed >= lower_bound - 1e-12


@pytest.mark.parametrize("split", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("at", [0.0, 0.3, 0.8])
def test_a_laplace_shift_over_two_numbers_costs_at_most_the_whole_shift_on_one(
    split: float, at: float
) -> None:
    epsilon = 1.5
    axis = np.linspace(-25, 27, 2601) + 0.0037
    densities = [
        laplace_law.pdf(axis)[:, None] * laplace_law.pdf(axis)[None, :],
        laplace_law.pdf(axis - split * epsilon)[:, None]
        * laplace_law.pdf(axis - (1 - split) * epsilon)[None, :],
    ]
    reached = hockey_stick(*densities, at * epsilon) * (axis[1] - axis[0]) ** 2
    on_one = -math.expm1((at - 1) * epsilon / 2)
    assert reached <= on_one * 1.001
    assert compose([laplace(epsilon)], neighbours=ADD).get_delta_for_epsilon(at * epsilon) >= on_one - 1e-12
    if split == 0:
        assert reached == pytest.approx(on_one, rel=0.01)


def mixture_delta(shift: np.ndarray, other: np.ndarray, rate: float, stddev: float, epsilon: float) -> float:
    """Hockey-stick divergence of one Poisson-sampled step in two dimensions, by quadrature."""
    axis = np.linspace(-9 * stddev - 1, 9 * stddev + 1, 401)
    first, second = np.meshgrid(axis, axis, indexing="ij")

    def density(centre: np.ndarray) -> np.ndarray:
        return norm.pdf(first, centre[0], stddev) * norm.pdf(second, centre[1], stddev)

    without = (1 - rate) * density(np.zeros(2))
    upper, lower = without + rate * density(shift), without + rate * density(other)
    return hockey_stick(upper, lower, epsilon) * (axis[1] - axis[0]) ** 2


@pytest.mark.parametrize("angle", [0.0, 0.5 * math.pi, 0.9 * math.pi, math.pi])
@pytest.mark.parametrize("length", [0.0, 0.7, 1.0])
def test_replacing_a_sampled_row_never_costs_more_than_its_price(angle: float, length: float) -> None:
    rate, noise_multiplier, epsilon = 0.3, 0.6, 0.4
    stddev = 2 * noise_multiplier  # rows have norm at most one, so replace-one sensitivity is two
    row, other = np.array([1.0, 0.0]), length * np.array([math.cos(angle), math.sin(angle)])
    priced = compose([sampled(noise_multiplier, rate, 1)], neighbours=REPLACE).get_delta_for_epsilon(epsilon)
    worst = max(
        mixture_delta(row, other, rate, stddev, epsilon), mixture_delta(other, row, rate, stddev, epsilon)
    )
    assert worst <= priced * (1 + 1e-6)
    if angle == math.pi and length == 1.0:
        assert worst == pytest.approx(priced, rel=2e-3)


def unit_density(rows: list[complex], rate: float, stddev: float) -> np.ndarray:
    """The density of one step in the plane when a unit's rows are drawn one by one, each with `rate`."""
    axis = np.linspace(-9 * stddev - 1, 9 * stddev + 1, 241)
    first, second = np.meshgrid(axis, axis, indexing="ij")
    total = np.zeros_like(first)
    for drawn in itertools.product((False, True), repeat=len(rows)):
        centre = sum((row for row, there in zip(rows, drawn, strict=True) if there), 0j)
        chance = math.prod(rate if there else 1 - rate for there in drawn)
        total += chance * norm.pdf(first, centre.real, stddev) * norm.pdf(second, centre.imag, stddev)
    return total * (axis[1] - axis[0]) ** 2


@pytest.mark.parametrize("epsilon", [0.1, 0.6])
@pytest.mark.parametrize("relation", list(Neighbours))
@pytest.mark.parametrize("rows", [[1, 1], [1, 1j], [1, -1], [1, 0.6j], [1, 1, 1], [1, 1j, -1]])
def test_a_unit_sampled_row_by_row_never_costs_more_than_its_price(
    rows: list[complex], relation: Neighbours, epsilon: float
) -> None:
    """Rows of norm one; a unit of r of them is priced as one record of norm r, drawn at the unit's rate."""
    rate, noise_multiplier, adding = 0.4, 0.5, relation is ADD
    stddev = noise_multiplier * len(rows) * (1 if adding else 2)
    of_a_row = row_rate(rate, len(rows))
    unit = unit_density(rows, of_a_row, stddev)
    other = unit_density([] if adding else [-row for row in rows], of_a_row, stddev)
    priced = compose([sampled(noise_multiplier, rate, 1)], neighbours=relation)
    worst = max(hockey_stick(unit, other, epsilon), hockey_stick(other, unit, epsilon))
    assert 0 <= worst <= priced.get_delta_for_epsilon(epsilon) * (1 + 1e-6)


def test_sampling_everything_costs_the_same_under_both_relations() -> None:
    nearly_all = [sampled(2.0, 1 - 1e-9, 3)]
    plain = compose([gaussian(2.0, times=3)], neighbours=ADD).get_epsilon_for_delta(1e-5)
    for neighbours in Neighbours:
        assert compose(nearly_all, neighbours=neighbours).get_epsilon_for_delta(1e-5) == pytest.approx(
            plain, rel=2e-3
        )


def test_the_librarys_own_accountant_has_the_two_traps_we_avoid() -> None:
    """If this test fails, the library has changed: look again at why `privacy_loss` builds its own PLDs."""
    relation = dp_accounting.NeighboringRelation.REPLACE_ONE
    response = dp_accounting.RandomizedResponseDpEvent(0.9, 2)
    once = PLDAccountant(relation).compose(response).get_epsilon(1e-5)
    fifty = PLDAccountant(relation).compose(dp_accounting.SelfComposedDpEvent(response, 50)).get_epsilon(1e-5)
    assert fifty == once
    doubled = PLDAccountant(relation).compose(dp_accounting.GaussianDpEvent(2.0)).get_epsilon(1e-5)
    assert doubled == pytest.approx(dp_accounting.get_epsilon_gaussian(1.0, 1e-5), rel=1e-3)


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 20.0])
def test_memory_is_bounded_for_small_and_large_epsilons(epsilon: float) -> None:
    scale = epsilon / 30
    charges = [exponential(scale * (1 + i / 20)) for i in range(20)] + [laplace(scale), gaussian(1 / scale)]
    tracemalloc.start()
    compose(charges, neighbours=ADD).get_epsilon_for_delta(1e-6)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
