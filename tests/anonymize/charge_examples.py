"""Charges that several tests share, short to write."""

from triplea.anonymize.charges import Charge
from triplea.anonymize.plan import Mechanism


def gaussian(noise_multiplier: float, *, times: int = 1, label: str = "gaussian") -> Charge:
    return Charge(label=label, mechanism=Mechanism.GAUSSIAN, noise_multiplier=noise_multiplier, times=times)


def laplace(epsilon: float, *, times: int = 1) -> Charge:
    return Charge(label="laplace", mechanism=Mechanism.LAPLACE, epsilon=epsilon, times=times)


def exponential(epsilon: float, *, times: int = 1) -> Charge:
    return Charge(label="exponential", mechanism=Mechanism.EXPONENTIAL, epsilon=epsilon, times=times)


def threshold(noise_multiplier: float, slack_delta: float, *, times: int = 1) -> Charge:
    return Charge(
        label="threshold",
        mechanism=Mechanism.THRESHOLD,
        noise_multiplier=noise_multiplier,
        slack_delta=slack_delta,
        times=times,
    )


def sampled(noise_multiplier: float, sampling_rate: float, steps: int, *, label: str = "sampled") -> Charge:
    return Charge(
        label=label,
        mechanism=Mechanism.SAMPLED_GAUSSIAN,
        noise_multiplier=noise_multiplier,
        sampling_rate=sampling_rate,
        steps=steps,
    )


CLEAR = Charge(label="clear", mechanism=Mechanism.CLEAR)
CLAIMED = Charge(label="claimed", mechanism=Mechanism.CLAIMED, epsilon=1.0)
EVERY_KIND = (
    gaussian(3.0, times=2),
    laplace(0.1, times=3),
    exponential(0.2),
    threshold(5.0, 1e-8, times=2),
    sampled(2.0, 0.01, 50),
    CLEAR,
    CLAIMED,
)
