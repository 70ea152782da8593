"""DP-VAE: counts and one training run."""

from tests.methods.one_run_support import OneRun


class TestDpVae(OneRun):
    name = "dp-vae"
