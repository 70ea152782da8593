"""Hashes depend on content, not on layout."""

import hashlib

from tests.methods.counting_support import SCHEMA
from triplea.releases.digest import file_sha256, files_sha256, schema_sha256
from triplea.schema import dump_schema, load_schema


def test_the_hash_of_a_schema_ignores_the_order_of_keys():
    shuffled = {key: value for key, value in reversed(dump_schema(SCHEMA).items())}
    assert schema_sha256(load_schema(shuffled)) == schema_sha256(SCHEMA)


def test_the_hash_of_a_file_is_sha256(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc" * 100_000)
    assert file_sha256(path) == hashlib.sha256(b"abc" * 100_000).hexdigest()


def test_several_files_have_one_hash_that_every_byte_and_their_order_decide(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"x")
    second.write_bytes(b"yz")
    whole = files_sha256([first, second])
    assert whole != files_sha256([second, first])
    first.write_bytes(b"xy")
    second.write_bytes(b"z")
    assert whole != files_sha256([first, second])
