"""PATE-GAN (Jordon, Yoon and van der Schaar 2019, ICLR): a GAN whose discriminator learns from votes.

Private: queries.bins and queries.marginals count; queries.votes trains teachers on disjoint parts of rows.
Door: two measurements, and one vote of all teachers in every round.   Public: student, generator, rows.
Guarantee: (epsilon, delta) for the whole table, all votes composed, their number fixed beforehand.   Differs
from the paper: Gaussian noise, no data-dependent bound; teachers are linear in cells, and many; the student
learns noisy shares of votes; the generator is told the class.

The published variant trains every teacher on the last part, with Laplace noise of scale 1, as the code does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from triplea.anonymize.door import Door
from triplea.anonymize.plan import Ask, Mechanism
from triplea.approximate.codes.row_code import Cells
from triplea.approximate.networks.conditional_rows import ConditionalRows
from triplea.approximate.networks.latent_rows import LatentRows
from triplea.methods._adversaries import (
    Recipe,
    balanced,
    corrected,
    generator_model,
    generator_run,
    label_entries,
)
from triplea.methods._networks import Counted, NetworkMethod, bins_for, counted_as_is, public_code
from triplea.queries.votes import CellTeachers
from triplea.schema import Encoded, Schema, len_of

if TYPE_CHECKING:
    from triplea.queries.descent import Descent

VOTES, CLAIM = "votes of teachers", "votes as published"
GENERATED = 8_192  # rows that teachers are trained against, beside their own part
MOST_TEACHERS = 10_000
STUDENT_STEPS = 30  # in every round
PUBLISHED_TEACHERS = 10
REASONS = (
    "A stale index trains every teacher on the last part of the rows: one record there turns all votes, "
    "where the noise is for one.",
    "The bound takes the noise scale for its inverse, depends on the votes, and decides when to stop.",
    "Bounds, row count and class shares are used as they are, and the best of many runs is reported.",
)
Voting = Callable[[CellTeachers], np.ndarray]


class PateGan(NetworkMethod):
    """Teachers vote on generated rows, a student learns the votes, a generator learns from the student."""

    name = "pate-gan"
    title = "PATE-GAN"
    summary = "GAN whose discriminator learns from noisy votes of teachers on disjoint parts of the rows"
    variants = ("provable", "published")
    claimed = CLAIM

    def __init__(
        self,
        *,
        teacher_rows: int = 16,
        rounds: int = 30,
        questions: int = 1024,
        turns: int = 10,
        hidden: int = 64,
        noise: int = 32,
        learning_rate: float = 0.15,
        most_bins: int = 16,
        correct_shares: bool = True,
    ) -> None:
        self.teacher_rows = teacher_rows
        self.rounds = rounds
        self.questions = questions
        self.turns = turns
        self.hidden = hidden
        self.noise = noise
        self.learning_rate = learning_rate
        self.most_bins = most_bins
        self.correct_shares = correct_shares

    def trainings(self, schema: Schema) -> tuple[Ask, ...]:
        """One vote in every round."""
        del schema
        share = self.training_share
        return (Ask(label=VOTES, mechanism=Mechanism.GAUSSIAN, share=share, times=self.rounds),)

    def fit(self, door: Door, *, rng: np.random.Generator) -> Self:
        """Count, and let teachers vote in every round."""
        if self.variant == "published":
            return self._fit_as_published(door, rng=rng)
        counted = self.count(door)
        if not counted.code.layout.width:  # every column has one value: there is nothing to learn
            self.model_ = LatentRows(layers={}, noise=1, binnings=counted.code.binnings)
            return self
        teachers = int(np.clip(counted.rows / self.teacher_rows, 1, MOST_TEACHERS))

        def voting(votes: CellTeachers) -> np.ndarray:
            return door.vote(votes, label=VOTES).values / votes.teachers

        played = self._play(counted, voting, teachers=teachers, rng=rng)
        self.model_ = corrected(played, counted, rng) if self.correct_shares else played
        return self

    def _play(
        self, counted: Counted, voting: Voting, *, teachers: int, rng: np.random.Generator
    ) -> LatentRows:
        """The rounds: generated rows, votes, the student's steps, the generator's turns."""
        from triplea.approximate.networks.optimizers import adam
        from triplea.approximate.networks.students import study
        from triplea.queries.critic import Critic, take_turns

        recipe = Recipe(
            noise=self.noise, generator=(self.hidden,) * 2, critic=(self.hidden,), opinion="cross-entropy",
            generator_optimizer="sgd", generator_learning_rate=self.learning_rate,
        )  # fmt: skip
        run = generator_run(recipe, counted, clip_norm=1.0, rng=rng, conditional=True)
        assert isinstance(run.task, Critic) and run.draws is not None
        task = replace(run.task, average=0.9)
        label = counted.label if label_entries(counted) is not None else None
        student, public, key = run.layers, run.public, int(rng.integers(2**63))
        for _ in range(self.rounds):
            now = self._asking(recipe, counted, run, public)
            asked = now.cells(self.questions, rng)
            votes = CellTeachers(
                binnings=counted.code.binnings, label=label, generated=now.cells(GENERATED, rng),
                asked=asked, teachers=teachers, key=key,
            )  # fmt: skip
            shares = voting(votes)
            rows = counted.code.encode_cells(asked, self.questions)
            student = study(
                student, rows, shares.astype(np.float32), optimizer=adam(0.01), steps=STUDENT_STEPS
            )
            public = take_turns(task, student, public, run.draws(rng, self.turns, 0).shared)
        return generator_model(recipe, counted, run, public)

    def _asking(self, recipe: Recipe, counted: Counted, run: Descent, public: Any) -> LatentRows:
        """The generator as it is now; all classes are asked about, also rare ones."""
        model = generator_model(recipe, counted, run, public)
        if isinstance(model, ConditionalRows):
            model.classes = balanced(counted)
        return model

    def _fit_as_published(self, door: Door, *, rng: np.random.Generator) -> Self:
        code = public_code(door.schema, bins_for(door.schema, self.most_bins))
        label = self._label(door.schema, code.binnings)

        def computation(rows: Encoded, generator: np.random.Generator) -> tuple[int, LatentRows]:
            last = _last_part(rows)

            def voting(votes: CellTeachers) -> np.ndarray:
                agreed = PUBLISHED_TEACHERS * votes.verdicts(votes.records(last))
                noisy = agreed + generator.laplace(0.0, 1.0, agreed.shape)
                return np.asarray(noisy > PUBLISHED_TEACHERS / 2, dtype=float)

            counted = counted_as_is(code, rows, label)
            return len_of(rows), self._play(counted, voting, teachers=PUBLISHED_TEACHERS, rng=rng)

        count, self.model_ = door.as_claimed(computation, label=CLAIM, reasons=REASONS)
        self.rows_ = float(count)
        return self


def _last_part(rows: Encoded) -> Cells:
    start = len_of(rows) * (PUBLISHED_TEACHERS - 1) // PUBLISHED_TEACHERS
    return {name: part[start:] for name, part in rows.items()}
