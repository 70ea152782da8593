"""triplea: a private table in, a synthetic one out, with a guarantee that holds.

>>> import triplea
>>> sorted(triplea.__all__)
['FittedModel', 'Release', 'Schema', 'list_methods', 'load', 'load_schema', 'plan', 'release', 'verify']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from triplea.registry import list_methods as list_methods
    from triplea.releases.fitted import FittedModel as FittedModel
    from triplea.releases.folder import load_release as load
    from triplea.releases.preflight import plan as plan
    from triplea.releases.run import Release as Release
    from triplea.releases.run import release as release
    from triplea.releases.verify import verify as verify
    from triplea.schema import Schema as Schema
    from triplea.schema import load_schema as load_schema

# Loaded on first use, so that `import triplea` and `triplea --help` stay quick.
_HOMES = {
    "release": ("triplea.releases.run", "release"),
    "Release": ("triplea.releases.run", "Release"),
    "FittedModel": ("triplea.releases.fitted", "FittedModel"),
    "load": ("triplea.releases.folder", "load_release"),
    "plan": ("triplea.releases.preflight", "plan"),
    "verify": ("triplea.releases.verify", "verify"),
    "list_methods": ("triplea.registry", "list_methods"),
    "Schema": ("triplea.schema", "Schema"),
    "load_schema": ("triplea.schema", "load_schema"),
}
__all__ = [
    "FittedModel",
    "Release",
    "Schema",
    "list_methods",
    "load",
    "load_schema",
    "plan",
    "release",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'triplea' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
