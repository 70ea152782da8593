"""How a sum over rows runs: in this process, or anywhere that partial sums can be added."""

from triplea.engines.base import Engine as Engine
from triplea.engines.base import keys_of_batch as keys_of_batch
from triplea.engines.base import part_of as part_of
from triplea.engines.base import sum_of_batch as sum_of_batch
from triplea.engines.local import LocalEngine as LocalEngine
