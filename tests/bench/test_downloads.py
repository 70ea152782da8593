"""What is known about the sources."""

from __future__ import annotations

import pytest

from triplea.bench.downloads import ORIGINS, Origin
from triplea.bench.recipes import FILES


@pytest.mark.parametrize("name", ORIGINS)
def test_every_source_has_files_a_licence_and_counts_that_add_up(name: str) -> None:
    origin: Origin = ORIGINS[name]
    assert origin.files
    assert origin.licence
    for counts in origin.classes.values():
        assert sum(counts.values()) == FILES[name]


def test_checksums_have_the_length_of_their_kind() -> None:
    lengths = {"md5": 32, "sha256": 64}
    for origin in ORIGINS.values():
        for part in origin.files:
            if part.checksum is not None:
                kind, _, value = part.checksum.partition(":")
                assert len(value) == lengths[kind]
                assert part.name
