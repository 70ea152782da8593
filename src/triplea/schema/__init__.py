"""Public knowledge about a table: kinds, bounds, categories, target, privacy unit; and its codec."""

from triplea.schema.columns import Column
from triplea.schema.kinds import Kind
from triplea.schema.load import dump_schema, load_schema, save_schema
from triplea.schema.schema import Encoded, Schema, Unit, len_of
from triplea.schema.storage import storage_type

__all__ = [
    "Column",
    "Encoded",
    "Kind",
    "Schema",
    "Unit",
    "dump_schema",
    "len_of",
    "load_schema",
    "save_schema",
    "storage_type",
]
