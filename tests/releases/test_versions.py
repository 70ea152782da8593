"""A certificate names the versions that made it."""

from triplea import __version__
from triplea.releases.versions import versions


def test_the_deciding_packages_are_named():
    found = versions()
    assert found["triplea"] == __version__
    assert {"python", "numpy", "dp-accounting"} <= set(found)
