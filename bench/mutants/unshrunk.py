"""A pytest plugin: Hypothesis stops at the first failure it finds, and does not look for a smaller one."""

from hypothesis import Phase, settings


def pytest_collection() -> None:
    """Take the profile of the test suite, which is loaded by now, without its last phases."""
    settings.register_profile(
        "unshrunk", settings.get_profile("house"), phases=[Phase.explicit, Phase.generate]
    )
    settings.load_profile("unshrunk")
