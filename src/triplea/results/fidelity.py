"""Records of fidelity: how far the synthetic table's statistics are from the real table's."""

from __future__ import annotations

from dataclasses import dataclass

from triplea.results.scores import Score


@dataclass(frozen=True, kw_only=True)
class ColumnFidelity:
    """One column: its two histograms over public bins and three distances between them.

    `labels` name the cells; `edges` are the bin edges of a number column (days or instants: counts, with
    `edge_labels` as text). The last cell is "missing".
    """

    name: str
    kind: str
    labels: tuple[str, ...]
    edges: tuple[float, ...] | None = None
    edge_labels: tuple[str, ...] | None = None
    real: tuple[float, ...]
    synthetic: tuple[float, ...]
    total_variation: float
    jensen_shannon: float
    smoothed_kl: float


@dataclass(frozen=True, kw_only=True)
class MarginalDistance:
    """The total-variation distance of one marginal."""

    columns: tuple[str, ...]
    value: float


@dataclass(frozen=True, kw_only=True)
class MarginalFidelity:
    """Mean total-variation distance over the `ways`-way marginals.

    `floor` is that of a bootstrap sample of the real rows, `uniform` that of rows drawn uniformly from the
    schema. `computed` marginals out of `total` were measured.
    """

    ways: int
    bins: int
    mean: float
    maximum: float
    with_target: float | None
    floor: float | None = None
    uniform: float | None = None
    computed: int
    total: int
    worst: tuple[MarginalDistance, ...]


@dataclass(frozen=True, kw_only=True)
class Association:
    """Pairwise association matrices: Cramer's V, correlation ratio or Pearson, by the kinds of the pair."""

    columns: tuple[str, ...]
    real: tuple[tuple[float, ...], ...]
    synthetic: tuple[tuple[float, ...], ...]
    mean_difference: float
    maximum_difference: float


@dataclass(frozen=True, kw_only=True)
class DimensionPoint:
    """One point of a dimension-wise plot: the real number on x, the synthetic number on y."""

    column: str
    label: str
    kind: str
    metric: str
    real: float
    synthetic: float
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Projection:
    """Real rows on their first two principal components, with synthetic rows put on the same axes."""

    explained: tuple[float, ...]
    real: tuple[tuple[float, ...], ...]
    synthetic: tuple[tuple[float, ...], ...]
    real_classes: tuple[str, ...] = ()
    synthetic_classes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Fidelity:
    """All fidelity numbers of one synthetic table."""

    columns: tuple[ColumnFidelity, ...]
    marginals: tuple[MarginalFidelity, ...]
    nist_score: Score
    association: Association | None
    probability: tuple[DimensionPoint, ...]
    prediction: tuple[DimensionPoint, ...]
    projection: Projection | None

    def marginal(self, ways: int) -> MarginalFidelity:
        """Return the record of the `ways`-way marginals."""
        return next(record for record in self.marginals if record.ways == ways)
