"""Stand-ins for a distribution, built from released values and public knowledge only."""
