"""triplea: a private table in, a synthetic one out, with a guarantee that holds."""

__version__ = "0.1.0"
