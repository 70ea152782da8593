import math
import time

import dp_accounting
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.anonymize.charge_examples import CLAIMED, CLEAR, exponential, gaussian, laplace, sampled, threshold
from triplea.anonymize.accountant import calibrate, curve, delta_of, epsilon_of, rdp_epsilon
from triplea.anonymize.budget import Budget
from triplea.anonymize.charges import Charge
from triplea.anonymize.neighbours import Neighbours
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.errors import BudgetError

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
MIXED = [gaussian(6.0, times=3), exponential(0.15, times=4), laplace(0.05), threshold(9.0, 1e-8)]


def epsilon(charges: list[Charge], delta: float = 1e-5, neighbours: Neighbours = ADD) -> float:
    return epsilon_of(charges, delta=delta, neighbours=neighbours)


# What every accountant must do.


@pytest.mark.parametrize("delta", [0.0, 1e-12, 0.5])
def test_no_charge_costs_nothing(delta: float) -> None:
    assert epsilon([], delta) == 0
    assert delta_of([], epsilon=0.0, neighbours=ADD) == 0


@pytest.mark.parametrize("charge", [CLEAR, CLAIMED], ids=["clear", "claimed"])
@pytest.mark.parametrize("others", [[], [gaussian(100.0)], [exponential(0.1)]])
def test_one_unproved_charge_makes_the_total_infinite(charge: Charge, others: list[Charge]) -> None:
    assert epsilon([*others, charge], 0.99) == math.inf
    assert delta_of([charge, *others], epsilon=100.0, neighbours=ADD) == 1.0


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("charges", [[gaussian(4.0)], MIXED, [sampled(1.0, 0.01, 100), gaussian(5.0)]])
def test_epsilon_and_delta_are_inverse_to_each_other(charges: list[Charge], neighbours: Neighbours) -> None:
    for delta in (1e-3, 1e-6):
        there = epsilon(charges, delta, neighbours)
        back = delta_of(charges, epsilon=there, neighbours=neighbours)
        assert delta * 0.98 <= back <= delta * (1 + 1e-6)


@pytest.mark.parametrize("charges", [[gaussian(4.0)], MIXED, [laplace(0.2, times=5)]])
def test_more_charges_cost_more_and_more_delta_costs_less_epsilon(charges: list[Charge]) -> None:
    assert epsilon([*charges, laplace(0.1)]) > epsilon(charges)
    assert epsilon(charges, 1e-3) < epsilon(charges, 1e-6) <= epsilon(charges, 1e-9)


def test_gaussian_noise_never_has_a_delta_of_zero() -> None:
    assert 0 < delta_of([gaussian(20.0)], epsilon=10.0, neighbours=ADD) < 1e-300
    assert delta_of([laplace(0.2)], epsilon=10.0, neighbours=ADD) == 0


def test_the_curve_falls_and_agrees_with_single_deltas() -> None:
    points = curve(MIXED, neighbours=ADD, epsilons=[0.1, 0.5, 1.0, 2.0])
    assert [point[1] for point in points] == sorted((point[1] for point in points), reverse=True)
    assert points[1] == (0.5, delta_of(MIXED, epsilon=0.5, neighbours=ADD))


def test_times_costs_the_same_as_asking_one_by_one() -> None:
    for make in (
        lambda n: gaussian(7.0, times=n),
        lambda n: exponential(0.1, times=n),
        lambda n: laplace(0.1, times=n),
    ):
        assert epsilon([make(5)]) == pytest.approx(epsilon([make(1)] * 5), rel=1e-9)


def test_slack_is_taken_from_delta_first_and_cannot_pass_it() -> None:
    assert epsilon([threshold(4.0, 2e-6, times=2)], 1e-5) == epsilon([gaussian(4.0, times=2)], 1e-5 - 4e-6)
    assert epsilon([threshold(4.0, 2e-5)], 1e-5) == math.inf
    assert delta_of([threshold(4.0, 1e-3)], epsilon=50.0, neighbours=ADD) == pytest.approx(1e-3)


@pytest.mark.parametrize("delta", [-1e-9, 1.0, math.nan])
def test_a_delta_outside_its_range_is_refused(delta: float) -> None:
    with pytest.raises(BudgetError, match="allowed is 0 <= delta < 1"):
        epsilon([gaussian(1.0)], delta)


def test_a_negative_epsilon_is_refused() -> None:
    with pytest.raises(BudgetError, match="allowed is 0 or above"):
        delta_of([gaussian(1.0)], epsilon=-1.0, neighbours=ADD)


# Pure privacy.


def test_pure_epsilons_add_up_at_delta_zero() -> None:
    charges = [laplace(0.25, times=2), exponential(0.5)]
    assert epsilon(charges, 0.0) == 1.0
    assert delta_of(charges, epsilon=1.0, neighbours=ADD) == 0.0
    assert epsilon([*charges, gaussian(1.0)], 0.0) == math.inf


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), st.sampled_from([1e-13, 1e-9, 1e-3]))
@settings(max_examples=30)
def test_pure_charges_never_cost_more_than_their_sum(epsilons: list[float], delta: float) -> None:
    for make in (laplace, exponential):
        assert epsilon([make(value) for value in epsilons], delta) <= math.fsum(epsilons)


# Known numbers.


@pytest.mark.parametrize(
    ("epsilon_target", "delta", "mu"),
    [
        (1, 1e-5, 0.2681),
        (0.2, 1e-5, 0.0613),
        (0.1, 1e-5, 0.0325),
        (10, 1e-5, 2.000),
        (1, 1 / 32561, 0.2880),
        (1, 1 / 284807, 0.2525),
        (1, 1 / 4366, 0.3362),
    ],
)
def test_gaussian_mu_table_of_the_clustmix_notes(epsilon_target: float, delta: float, mu: float) -> None:
    plan = Plan(asks=(Ask(label="all", mechanism=Mechanism.GAUSSIAN),))
    charge = calibrate(plan, Budget(epsilon=epsilon_target, delta=delta))["all"]
    assert charge.mu == pytest.approx(mu, abs=5.1e-5 if mu < 2 else 5.1e-4)


ADULT_ROWS, MIMIC_ROWS = 32561, 27912


def adult(noise_autoencoder: float, noise_critic: float) -> list[Charge]:
    return [
        sampled(noise_autoencoder, 64 / ADULT_ROWS, 10_000, label="autoencoder"),
        sampled(noise_critic, 128 / ADULT_ROWS, 15_000, label="critic"),
    ]


@pytest.mark.parametrize(
    ("noise", "classic", "improved"),
    [((5, 8), 0.350, 0.265), ((2.5, 7.5), 0.508, 0.394), ((1.5, 3.5), 1.006, 0.816)],
)
def test_dp_auto_gan_on_adult(noise: tuple[float, float], classic: float, improved: float) -> None:
    charges = adult(*noise)
    assert rdp_epsilon(charges, delta=1e-5, conversion="classic") == pytest.approx(classic, abs=5.1e-4)
    assert rdp_epsilon(charges, delta=1e-5, conversion="improved") == pytest.approx(improved, abs=5.1e-4)
    assert epsilon(charges) < improved


def test_dp_auto_gan_by_privacy_loss_distributions() -> None:
    assert epsilon(adult(2.5, 7.5)) == pytest.approx(0.3579, rel=1e-3)


@pytest.mark.parametrize(
    ("noise", "steps", "classic"), [(3.5, 6000, 0.808), (2.3, 7000, 1.322), (1.3, 7000, 2.698)]
)
def test_dp_auto_gan_on_mimic(noise: float, steps: int, classic: float) -> None:
    charges = [sampled(noise, 100 / MIMIC_ROWS, 15_000), sampled(noise, 128 / MIMIC_ROWS, steps)]
    assert rdp_epsilon(charges, delta=1e-5, conversion="classic") == pytest.approx(classic, abs=1.1e-3)


@pytest.mark.parametrize(
    ("releases", "classic", "exact"), [(1, 4.90, 3.73), (2, 6.93, 5.28), (3, 8.49, 6.46)]
)
def test_dp_merf_noise_levels(releases: int, classic: float, exact: float) -> None:
    assert rdp_epsilon(
        [gaussian(classic, times=releases)], delta=1e-5, conversion="classic"
    ) == pytest.approx(1, abs=2e-3)
    assert epsilon([gaussian(exact, times=releases)]) == pytest.approx(1, abs=2e-3)


def test_dp_merf_factor_five() -> None:
    assert rdp_epsilon([gaussian(5.0)], delta=1e-5, conversion="classic") == pytest.approx(0.980, abs=5.1e-4)
    assert epsilon([gaussian(5.0)]) == pytest.approx(0.726, abs=5.1e-4)


# Two accountants against each other.


def test_composed_gaussians_cost_what_the_analytic_gaussian_says() -> None:
    total = (1 / 9 + 4 / 25) ** -0.5
    assert epsilon([gaussian(3.0), gaussian(5.0, times=4)]) == dp_accounting.get_epsilon_gaussian(total, 1e-5)


def test_gaussian_delta_inverts_the_librarys_epsilon() -> None:
    for noise_multiplier in (0.2, 1.0, 50.0, 3000.0):
        for delta in (1e-2, 1e-6, 1e-12):
            there = float(dp_accounting.get_epsilon_gaussian(noise_multiplier, delta))
            if there > 0:
                back = delta_of([gaussian(noise_multiplier)], epsilon=there, neighbours=ADD)
                assert back == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(
    "charges", [MIXED, [exponential(0.3, times=20)], [laplace(0.1, times=30), gaussian(3.0)]]
)
def test_the_total_is_never_above_the_renyi_bound(charges: list[Charge], neighbours: Neighbours) -> None:
    assert epsilon(charges, 1e-6, neighbours) <= rdp_epsilon(
        charges, delta=1e-6 - 1e-8 * (charges is MIXED)
    ) * (1 + 1e-9)


@pytest.mark.parametrize("neighbours", Neighbours)
def test_replace_one_never_discounts_or_doubles_unsampled_noise(neighbours: Neighbours) -> None:
    assert epsilon([gaussian(2.0)], 1e-5, neighbours) == pytest.approx(1.9931, abs=1e-3)
    assert epsilon([gaussian(2.0), laplace(1e-6)], 1e-5, neighbours) == pytest.approx(1.9931, abs=1e-3)


def test_many_tiny_sampled_steps_never_round_to_zero() -> None:
    """dp-accounting's Renyi divergence does round to zero here, so it must not enter the total."""
    steps = sampled(1e6, 0.001, 1000)
    assert rdp_epsilon([steps], delta=1e-9) == 0
    assert epsilon([steps], 1e-9) > 0.9 * epsilon([gaussian(1 / steps.mu)], 1e-9) > 1e-8
    assert epsilon([steps, exponential(1e-8)], 1e-9) > epsilon([steps], 1e-9)


# Calibration.

UNSAMPLED = [Mechanism.GAUSSIAN, Mechanism.LAPLACE, Mechanism.EXPONENTIAL, Mechanism.THRESHOLD]


def assert_total_is_within_half_a_percent_below(plan: Plan, budget: Budget) -> dict[str, Charge]:
    charges = calibrate(plan, budget)
    total = epsilon_of(list(charges.values()), delta=budget.delta, neighbours=budget.neighbours)
    assert budget.epsilon * 0.995 <= total <= budget.epsilon
    return charges


def random_plan(rng: np.random.Generator) -> Plan:
    asks = [
        Ask(
            label=f"ask {i}",
            mechanism=UNSAMPLED[rng.integers(4)],
            share=float(rng.lognormal()),
            times=int(rng.integers(1, 6)),
        )
        for i in range(rng.integers(1, 9))
    ]
    return Plan(asks=tuple(asks))


@pytest.mark.parametrize("seed", range(60))
def test_a_random_plan_costs_its_budget_and_no_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    budget = Budget(
        epsilon=float(np.exp(rng.uniform(math.log(0.001), math.log(20)))),
        delta=float(np.exp(rng.uniform(math.log(1e-9), math.log(1e-2)))),
        neighbours=list(Neighbours)[seed % 2],
    )
    assert_total_is_within_half_a_percent_below(random_plan(rng), budget)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("epsilon_target", [0.001, 1.0, 20.0])
def test_a_plan_with_sampled_training_costs_its_budget_and_no_more(
    epsilon_target: float, neighbours: Neighbours
) -> None:
    training = Ask(label="train", mechanism=Mechanism.SAMPLED_GAUSSIAN, sampling_rate=0.01, steps=500)
    plan = Plan(asks=(training, Ask(label="count", mechanism=Mechanism.GAUSSIAN, share=0.1)))
    assert_total_is_within_half_a_percent_below(
        plan, Budget(epsilon=epsilon_target, delta=1e-6, neighbours=neighbours)
    )


@pytest.mark.parametrize("epsilon_target", [0.001, 0.7, 20.0])
def test_a_pure_plan_costs_its_budget_at_delta_zero(epsilon_target: float) -> None:
    plan = Plan(
        asks=(
            Ask(label="counts", mechanism=Mechanism.LAPLACE, share=2.0, times=3),
            Ask(label="pick", mechanism=Mechanism.EXPONENTIAL),
        )
    )
    charges = assert_total_is_within_half_a_percent_below(plan, Budget(epsilon=epsilon_target, delta=0.0))
    assert sum(charge.times * (charge.epsilon or 0) for charge in charges.values()) == pytest.approx(
        epsilon_target
    )


def test_gaussian_noise_without_delta_is_refused_with_the_cure() -> None:
    plan = Plan(asks=(Ask(label="counts", mechanism=Mechanism.GAUSSIAN),))
    with pytest.raises(
        BudgetError, match=r"'counts': mechanism 'gaussian' needs delta above 0, got delta=0\. Set delta"
    ):
        calibrate(plan, Budget(epsilon=1.0, delta=0.0))


def test_a_delta_too_small_for_sampled_training_is_refused_with_the_cure() -> None:
    training = Ask(label="train", mechanism=Mechanism.SAMPLED_GAUSSIAN, sampling_rate=0.01, steps=10_000)
    with pytest.raises(
        BudgetError, match=r"'train': delta is 1e-12, allowed .* is 4\.4e-10 or more.*Raise delta"
    ):
        calibrate(Plan(asks=(training,)), Budget(epsilon=1.0, delta=1e-12))


@pytest.mark.parametrize("delta", [1e-15, 1e-11])
def test_very_small_deltas_are_priced_without_fourier_transforms(delta: float) -> None:
    plan = Plan(asks=tuple(Ask(label=m.value, mechanism=m, times=3) for m in UNSAMPLED))
    assert_total_is_within_half_a_percent_below(plan, Budget(epsilon=1.0, delta=delta))


def test_shares_are_weights_of_squared_signal_to_noise() -> None:
    plan = Plan(
        asks=tuple(
            Ask(label=str(share), mechanism=Mechanism.GAUSSIAN, share=share, times=2) for share in (1.0, 4.0)
        )
    )
    charges = calibrate(plan, Budget(epsilon=1.0, delta=1e-5))
    assert charges["4.0"].noise_multiplier == pytest.approx((charges["1.0"].noise_multiplier or 0) / 2)
    assert charges["1.0"].mu ** 2 + charges["4.0"].mu ** 2 == pytest.approx(0.2681**2, rel=1e-3)


def test_equal_shares_cost_about_the_same_for_every_mechanism() -> None:
    plan = Plan(asks=tuple(Ask(label=m.value, mechanism=m, times=30) for m in UNSAMPLED))
    charges = calibrate(plan, Budget(epsilon=1.0, delta=1e-5)).values()
    alone = [rdp_epsilon([charge], delta=1e-5) for charge in charges]
    assert max(alone) < 1.1 * min(alone)


def test_sampled_training_gets_about_its_share() -> None:
    plan = Plan(
        asks=(
            Ask(label="train", mechanism=Mechanism.SAMPLED_GAUSSIAN, sampling_rate=0.01, steps=2000),
            Ask(label="counts", mechanism=Mechanism.GAUSSIAN),
        )
    )
    alone = [epsilon([charge]) for charge in calibrate(plan, Budget(epsilon=1.0, delta=1e-5)).values()]
    assert max(alone) < 1.1 * min(alone)


def test_slack_of_many_threshold_asks_stays_below_half_of_delta() -> None:
    asks = tuple(Ask(label=str(i), mechanism=Mechanism.THRESHOLD, times=2) for i in range(20))
    charges = calibrate(Plan(asks=asks), Budget(epsilon=1.0, delta=1e-5))
    assert sum(charge.total_slack for charge in charges.values()) == pytest.approx(0.45e-5)
    one = calibrate(Plan(asks=asks[:1]), Budget(epsilon=1.0, delta=1e-5))["0"]
    assert one.slack_delta == pytest.approx(0.05e-5)


def test_unproved_asks_are_passed_through_and_make_the_total_infinite() -> None:
    asks = (
        Ask(label="paper", mechanism=Mechanism.CLAIMED),
        Ask(label="counts", mechanism=Mechanism.GAUSSIAN),
    )
    charges = calibrate(Plan(asks=asks), Budget(epsilon=1.0, delta=1e-5))
    assert list(charges) == ["paper", "counts"]
    assert epsilon([charges["counts"]]) == pytest.approx(1.0)
    assert epsilon(list(charges.values())) == math.inf


def test_an_empty_plan_has_no_charges() -> None:
    assert calibrate(Plan(asks=()), Budget(epsilon=1.0, delta=1e-5)) == {}


def test_calibration_is_fast() -> None:
    """Generous limits for a loaded machine: 3 ms and 50 ms were measured."""
    fifty = Plan(asks=tuple(Ask(label=str(i), mechanism=Mechanism.GAUSSIAN, share=i + 1) for i in range(50)))
    selections = [Ask(label=f"pick {i}", mechanism=Mechanism.EXPONENTIAL, share=i + 1) for i in range(20)]
    start = time.process_time()
    calibrate(fifty, Budget(epsilon=1.0, delta=1e-6))
    assert time.process_time() - start < 1
    start = time.process_time()
    calibrate(Plan(asks=(*selections, *fifty.asks[:10])), Budget(epsilon=1.0, delta=1e-6))
    assert time.process_time() - start < 3
