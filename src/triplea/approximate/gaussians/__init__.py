"""Gaussians fitted to noisy moments: per class, per cell, in projections and in groups."""
