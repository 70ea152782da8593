"""Mixtures of products fitted to noisy tables, and labels taught or drawn on top of them."""
