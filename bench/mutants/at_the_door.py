"""Mistakes where noise is added, answers are charged and randomness is drawn."""

from bench.mutants.catalogue import Mutant

DOOR, NOISE = "anonymize/door.py", "anonymize/noise.py"
TEST_DOOR = "tests/anonymize/test_door.py"
STATISTICS = "tests/statistical/test_door.py"

MUTANTS = (
    Mutant(
        name="noise-halved",
        mistake="half of the noise that was paid for",
        file=DOOR,
        before="noisy = units + draw(spread / query.grid, query.shape)",
        after="noisy = units + draw(spread / query.grid / 2, query.shape)",
        tests=(STATISTICS,),
    ),
    Mutant(
        name="noise-without-the-grid",
        mistake="noise drawn in real units and added in grid units: too small by the grid",
        file=DOOR,
        before="noisy = units + draw(spread / query.grid, query.shape)",
        after="noisy = units + draw(np.maximum(spread, 1e-9), query.shape)",
        tests=(STATISTICS,),
    ),
    Mutant(
        name="noise-without-the-scale",
        mistake="all entries get the same noise although the bound holds for scaled entries",
        file=DOOR,
        before="np.broadcast_to(np.asarray(query.scale, dtype=float) * noise_scale, query.shape)",
        after="np.broadcast_to(np.asarray(noise_scale), query.shape)",
        tests=(STATISTICS,),
    ),
    Mutant(
        name="laplace-by-the-euclidean-norm",
        mistake="Laplace noise for the L2 sensitivity instead of L1",
        file=DOOR,
        before='norm = "L2" if gaussian else "L1"',
        after='norm = "L2"',
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="charge-after-reveal",
        mistake="the question is charged after the rows were read, so a failed reading is free",
        file=DOOR,
        before="""        self._record(charge, "measure", query.proof, sensitivity, norm, stddev)

        units = self._engine.total(self._table, self.schema, query)
""",
        after="""        units = self._engine.total(self._table, self.schema, query)
        self._record(charge, "measure", query.proof, sensitivity, norm, stddev)
""",
        tests=("tests/contracts/test_refusals.py::test_a_charge_is_in_the_ledger_before_the_rows_are_read",),
    ),
    Mutant(
        name="asked-again-for-free",
        mistake="a question may be asked once more than planned",
        file=DOOR,
        before="if asked >= charge.times:",
        after="if asked > charge.times:",
        tests=(f"{TEST_DOOR}::test_a_question_cannot_be_asked_twice_for_one_price",),
    ),
    Mutant(
        name="ledger-skips-a-charge",
        mistake="a choice is answered and not written into the ledger",
        file=DOOR,
        before='self._record(charge, "choose", scores.proof, bound, "max", None, numbers=scores.size)',
        after="pass",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="unit-priced-as-a-row",
        mistake="the noise hides one row of a person who has several",
        file=DOOR,
        before="return self.schema.unit.max_rows if self.schema.unit is not None else 1",
        after="return 1",
        tests=("tests/audit/test_replay.py::test_a_unit_of_several_rows_is_priced_as_such",),
    ),
    Mutant(
        name="replacing-priced-as-adding",
        mistake="replace-one gets the noise of add-or-remove-one",
        file=DOOR,
        before='kind = "row" if self._adding else "swap"',
        after='kind = "row"',
        tests=("tests/audit/test_replay.py::test_both_relations_can_be_replayed",),
    ),
    Mutant(
        name="choice-twice-as-sharp",
        mistake="the exponential mechanism with half of the sensitivity: twice the epsilon",
        file=DOOR,
        before="epsilon=charge.epsilon, sensitivity=sensitivity",
        after="epsilon=charge.epsilon, sensitivity=bound / 2",
        tests=(STATISTICS,),
    ),
    Mutant(
        name="no-noise-on-keys",
        mistake="category counts are compared with the threshold without noise",
        file=DOOR,
        before="noisy = exact + self._noise.gaussian(stddev, len(names))",
        after="noisy = exact",
        tests=(STATISTICS,),
    ),
    Mutant(
        name="threshold-without-delta",
        mistake="the threshold for categories leaves out the quantile that delta pays for",
        file="anonymize/thresholds.py",
        before="rows_per_unit + 0.5 + stddev * float(norm.isf(slack_delta / rows_per_unit))",
        after="rows_per_unit + 0.5 + stddev",
        tests=("tests/anonymize/test_thresholds.py", STATISTICS),
    ),
    Mutant(
        name="one-key-for-two",
        mistake="replacing a row touches two categories, and the slack is not halved for it",
        file=DOOR,
        before="slack = charge.slack_delta if self._adding else charge.slack_delta / 2.0",
        after="slack = charge.slack_delta",
        tests=("tests/anonymize/test_door_keys.py",),
    ),
    Mutant(
        name="fixed-seed",
        mistake="noise without a seed is drawn from seed zero: everybody can subtract it",
        file=NOISE,
        before="self._words: Words = _system_words if seed is None else _seeded_words(seed)",
        after="self._words: Words = _seeded_words(seed or 0)",
        tests=("tests/anonymize/test_noise.py",),
    ),
    Mutant(
        name="seed-reused-between-questions",
        mistake="every question starts the generator anew: the difference of two answers has no noise",
        file=NOISE,
        before="return lambda count: np.asarray(generator.random_raw(count), dtype=np.uint64)",
        after="return lambda count: np.asarray(np.random.Philox(seed).random_raw(count), dtype=np.uint64)",
        tests=("tests/anonymize/test_noise.py",),
    ),
    Mutant(
        name="one-key-for-all-training",
        mistake="the generator of training noise always has the same key",
        file=NOISE,
        before="np.random.Philox(key=self.key())",
        after="np.random.Philox(key=7)",
        tests=("tests/anonymize/test_noise.py",),
    ),
    Mutant(
        name="one-sided-noise",
        mistake="noise is never negative",
        file=NOISE,
        before="return np.where(drawn > _LOW_63_BITS, -draws, draws)",
        after="return draws",
        tests=("tests/statistical/test_noise.py",),
    ),
    Mutant(
        name="floats-have-the-last-word",
        mistake="doubtful roundings are not settled by exact arithmetic",
        file=NOISE,
        before="    for index in doubtful:\n",
        after="    for index in doubtful[:0]:\n",
        tests=("tests/anonymize/test_noise.py",),
    ),
)
