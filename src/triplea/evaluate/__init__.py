"""Is it any good? Utility, fidelity and risk of a synthetic table, measured on real rows.

The numbers are for the owner: they come from real rows and are outside the guarantee.
"""

from triplea.evaluate.run import evaluate as evaluate
