"""Private side: deterministic functions of rows, each with a bound that is proved.

A query says which vector a row contributes; its base class clips, rounds and sums. Nothing here adds
noise or draws random numbers: that is the door's work.
"""

from triplea.queries.base import Scores as Scores
from triplea.queries.base import SumQuery as SumQuery
from triplea.queries.cell_sums import CellSums as CellSums
from triplea.queries.counts import Counts as Counts
from triplea.queries.dyadic import DyadicCounts as DyadicCounts
from triplea.queries.magnitudes import MagnitudeCounts as MagnitudeCounts
from triplea.queries.marginals import Marginals as Marginals
from triplea.queries.stacked import Stacked as Stacked
