"""Bayesian networks over cells, with exact conditioning."""
