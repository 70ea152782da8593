"""The noise has the law that its price assumes.

Seeds are fixed, so these tests repeat exactly. Over seeds, a right sampler would fail one of them with
probability below 1e-4 (each threshold is 1e-6), while the wrong scales below are always rejected.
"""

import mpmath
import numpy as np
import pytest
from scipy import stats

from triplea.anonymize import noise as module
from triplea.anonymize.noise import Noise

FALSE_ALARM = 1e-6
DRAWS = 200_000
LAWS = {"gaussian": stats.norm, "laplace": stats.laplace}


def draw(name: str, scale: float, seed: int, size: int = DRAWS) -> np.ndarray:
    noise = Noise(seed)
    return noise.gaussian(scale, size) if name == "gaussian" else noise.laplace(scale, size)


def exact_chance_of_at_least(name: str, magnitude: int, scale: float) -> float:
    """P(draw >= magnitude) for the rounded law, at high precision."""
    with mpmath.workprec(120):
        edge = (mpmath.mpf(magnitude) - mpmath.mpf(1) / 2) / mpmath.mpf(scale)
        if edge < 0:
            return 1 - exact_chance_of_at_least(name, 1 - magnitude, scale)
        tail = mpmath.erfc(edge / mpmath.sqrt(2)) / 2 if name == "gaussian" else mpmath.exp(-edge) / 2
        return float(tail)


def chi_square_p(name: str, draws: np.ndarray, scale: float) -> float:
    """Chi-square of draws against the exact chances, in bins of at least 50 expected draws."""
    reach = int(12 * scale) + 3
    step = max(1, int(scale // 8))
    edges = np.arange(-reach, reach + 1, step)
    chances = -np.diff([1.0, *(exact_chance_of_at_least(name, int(edge), scale) for edge in edges), 0.0])
    counts = np.bincount(np.searchsorted(edges, draws, side="right"), minlength=chances.size)
    enough = chances * draws.size >= 50
    observed = np.append(counts[enough], counts[~enough].sum())
    expected = np.append(chances[enough], chances[~enough].sum()) * draws.size
    positive = expected > 0
    assert observed[~positive].sum() == 0
    statistic = ((observed[positive] - expected[positive]) ** 2 / expected[positive]).sum()
    return float(stats.chi2.sf(statistic, positive.sum() - 1))


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("scale", [0.25, 1.0, 3.3, 40.0, 1000.0])
def test_draws_follow_the_exact_chances(name: str, scale: float) -> None:
    assert chi_square_p(name, draw(name, scale, seed=101), scale) > FALSE_ALARM


@pytest.mark.parametrize("name", LAWS)
def test_draws_follow_the_exact_chances_when_all_are_settled_by_exact_arithmetic(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FAST_ERROR", 1e6)
    assert chi_square_p(name, draw(name, 2.0, seed=102, size=8_000), 2.0) > FALSE_ALARM


@pytest.mark.parametrize("name", LAWS)
def test_the_chi_square_test_would_notice_the_wrong_scale(name: str) -> None:
    draws = draw(name, 3.3, seed=103)
    assert chi_square_p(name, draws, 3.3 * 1.03) < FALSE_ALARM
    assert chi_square_p(name, draws, 3.3 / 1.03) < FALSE_ALARM


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("scale", [1e4, 1e8])
def test_noise_is_accepted_at_its_scale_and_rejected_at_two_thirds_and_three_halves(
    name: str, scale: float
) -> None:
    draws = draw(name, scale, seed=104, size=20_000)
    p_at = {
        factor: stats.kstest(draws, LAWS[name](scale=scale * factor).cdf).pvalue
        for factor in (2 / 3, 1, 3 / 2)
    }
    assert p_at[1] > FALSE_ALARM
    assert p_at[2 / 3] < FALSE_ALARM
    assert p_at[3 / 2] < FALSE_ALARM


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("scale", [0.5, 20.0])
def test_noise_is_symmetric(name: str, scale: float) -> None:
    draws = draw(name, scale, seed=105)
    positive, negative = int((draws > 0).sum()), int((draws < 0).sum())
    assert stats.binomtest(positive, positive + negative).pvalue > FALSE_ALARM
    magnitudes = [np.abs(draws[draws > 0]), np.abs(draws[draws < 0])]
    assert stats.ks_2samp(*magnitudes).pvalue > FALSE_ALARM


@pytest.mark.parametrize("name", LAWS)
def test_possible_outputs_do_not_depend_on_the_answer(name: str) -> None:
    """Every integer near the answer turns up, whatever the answer: no low-order digits to read."""
    for answer in (0, 1, 7, 10**9 + 7):
        shown = set((answer + draw(name, 3.0, seed=106) - answer).tolist())
        assert set(range(-8, 9)) <= shown


@pytest.mark.parametrize("name", LAWS)
def test_unseeded_noise_has_the_same_law(name: str) -> None:
    """Not repeatable; fails by chance once in 10^9 runs."""
    noise = Noise()
    draws = noise.gaussian(1e6, 20_000) if name == "gaussian" else noise.laplace(1e6, 20_000)
    assert stats.kstest(draws, LAWS[name](scale=1e6).cdf).pvalue > 1e-9


def test_neighbouring_draws_are_not_related() -> None:
    draws = draw("gaussian", 1e6, seed=107).astype(float)
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 5 / np.sqrt(DRAWS)
