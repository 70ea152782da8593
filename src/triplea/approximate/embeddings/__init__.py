"""Random features whose noisy mean stands in for the data, and generators trained to match it."""
