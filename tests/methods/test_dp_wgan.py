"""DP-WGAN: counts and one training run."""

from tests.methods.one_run_support import OneRun


class TestDpWgan(OneRun):
    name = "dp-wgan"
