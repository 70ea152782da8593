"""Releases: table + schema + method + budget -> rows, model and certificate; their folder and its check."""
