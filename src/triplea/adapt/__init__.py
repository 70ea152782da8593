"""Adapt: move an approximation so that models trained on it do well; it knows points, and no rows."""
