"""JAX is an extra: say so before rows are read, and keep it to the cores that a small network can use."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from triplea.errors import MissingExtra

ONE_THREAD = "--xla_cpu_multi_thread_eigen=false"


def require_jax(purpose: str) -> None:
    """Raise MissingExtra where JAX is not installed. It is not imported here.

    Matrices of small networks are too small to share between threads: on a busy machine the waiting costs
    more than it gains. So XLA gets one thread, unless the user has set flags or loaded JAX already.
    """
    if find_spec("jax") is None:
        raise MissingExtra(package="jax", extra="jax", purpose=purpose)
    if "jax" not in sys.modules:
        os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
