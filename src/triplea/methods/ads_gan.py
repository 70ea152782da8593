"""ADS-GAN (Yoon, Drumright and van der Schaar 2020): a GAN that keeps a row apart from the one it was given.

Private: nothing.   Door: the rows are read in the clear.   Public: everything is made of them.
Guarantee: NONE. Row i of the result is a function of row i of the table; the certificate says NON-PRIVATE.
The paper's measure of risk is identifiability, which `triplea evaluate` computes.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from triplea.anonymize.budget import Budget
from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism, Plan
from triplea.approximate.codes.binning import each_value, equal_mass
from triplea.approximate.codes.row_code import Cells, RowCode
from triplea.approximate.networks.compiled import require_jax
from triplea.approximate.networks.dense import Layers, dense_layers
from triplea.approximate.networks.stored_cells import StoredCells
from triplea.methods._base import Cost, Method
from triplea.methods._checks import check_positive, check_whole
from triplea.methods._networks import bins_for
from triplea.queries.bins import needs_bins
from triplea.schema import Encoded, Schema, len_of

ROWS = "all rows, in the clear"
REASONS = (
    "Every synthetic row is made from one real row, which goes into the generator as it is: no noise limits "
    "what it says about that row.",
    "The distance that keeps the two apart is an average, and no promise for a single row.",
)
PIECE = 1 << 14  # rows that go through the generator at a time


class AdsGan(Method):
    """A Wasserstein GAN with gradient penalty; the generator is given a real row and is paid for distance."""

    name = "ads-gan"
    title = "ADS-GAN"
    summary = "NON-PRIVATE: a GAN that turns every real row into a synthetic one at a distance"
    variants = ("published",)
    variant = "published"
    claim = "none: reads rows in the clear"

    def __init__(
        self,
        *,
        closeness: float = 0.1,
        hidden: int = 128,
        noise: int = 10,
        steps: int = 10_000,
        learning_rate: float = 1e-3,
        most_bins: int = 32,
    ) -> None:
        self.closeness = closeness
        self.hidden = hidden
        self.noise = noise
        self.steps = steps
        self.learning_rate = learning_rate
        self.most_bins = most_bins

    def plan(self, schema: Schema, budget: Budget) -> Plan:
        """One look at all rows, which no budget covers."""
        del schema, budget
        require_jax(f"method {self.name!r}")
        check_whole("most_bins", self.most_bins, least=2, most=512)
        for name, value in self.get_params().items():
            check_positive(name, value)
        return Plan(asks=(Ask(label=ROWS, mechanism=Mechanism.CLEAR),))

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Read, train, and make one row for every row."""
        from triplea.queries.row_tied_gan import train_row_tied

        rows = door.read_in_the_clear(label=ROWS, reasons=REASONS)
        code = _code_in_the_clear(door.schema, rows, bins_for(door.schema, self.most_bins))
        matrix, width = code.bits(rows), code.layout.width
        start = dense_layers("generator", (self.noise + width, *(self.hidden,) * 3, width), rng=rng)
        critic = dense_layers("critic", (width, self.hidden, self.hidden, 1), rng=rng)
        generator = start
        if width:
            generator = train_row_tied(
                matrix, start, critic, layout=code.layout, noise=self.noise, steps=self.steps,
                learning_rate=self.learning_rate, closeness=self.closeness, rng=rng,
            )  # fmt: skip
        given = matrix if len(matrix) else np.zeros((1, width), np.bool_)  # an empty table gives one odd row
        self.model_ = StoredCells(cells=self._made(code, generator, given, rng), binnings=code.binnings)
        self.rows_ = float(len_of(rows))
        return self

    def _made(self, code: RowCode, generator: Layers, given: np.ndarray, rng: np.random.Generator) -> Cells:
        """One row of cells for every given row."""
        pieces = []
        for start in range(0, len(given), PIECE):
            piece = given[start : start + PIECE]
            noise = rng.standard_normal((len(piece), self.noise), dtype=np.float32)
            values = np.concatenate([noise, piece.astype(np.float32)], axis=1)
            for name in list(generator)[:-1]:
                values = np.tanh(values @ generator[name][0] + generator[name][1])
            weights, biases = generator[list(generator)[-1]]
            pieces.append(code.draw(np.clip(values @ weights + biases, -30.0, 30.0), rng))
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in code.binnings}

    def cost(self, schema: Schema, rows: int) -> Cost:
        """Time follows the steps; memory holds all coded rows."""
        bins = bins_for(schema, self.most_bins)
        width = sum(min(column.cells, 512) if column.is_discrete else bins for column in schema.columns)
        return Cost(
            seconds=6.0 + 3e-5 * width * self.steps, mebibytes=600 + 2 * width * rows / 2**20, cells=0
        )


def _code_in_the_clear(schema: Schema, rows: Encoded, most_bins: int) -> RowCode:
    """Numbers in cells of about as many rows each: edges from rows, which are all in the clear here."""
    return RowCode(
        {
            column.name: equal_mass(column, rows[column.name], most_bins)
            if needs_bins(column)
            else each_value(column)
            for column in schema.columns
        }
    )
