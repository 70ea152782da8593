"""Mistakes in votes of teachers: who sees which row, what a vote counts, its noise and its price."""

from bench.mutants.catalogue import Mutant

DOOR, VOTES = "anonymize/door.py", "queries/votes.py"
TEST_DOOR = "tests/anonymize/test_door_vote.py"
TEST_VOTES = "tests/queries/test_votes.py"
PARTS = "return np.split(np.repeat(kinds, sizes, axis=0)[order], ends)"
NOISE = "values = (exact + self._noise.gaussian(stddev, exact.shape)).astype(float)"

MUTANTS = (
    Mutant(
        name="votes-without-noise",
        mistake="the counts of votes leave as they are",
        file=DOOR,
        before=NOISE,
        after="values = exact.astype(float)",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="votes-with-half-of-the-noise",
        mistake="half of the noise that was paid for",
        file=DOOR,
        before=NOISE,
        after="values = (exact + self._noise.gaussian(stddev / 2, exact.shape)).astype(float)",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="one-noise-for-all-votes",
        mistake="all counts share one draw of noise: their differences are exact",
        file=DOOR,
        before=NOISE,
        after="values = (exact + self._noise.gaussian(stddev[:1], (1,))).astype(float)",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="all-votes-for-the-price-of-one",
        mistake="a teacher is said to change one vote, where it may change its vote on every question",
        file=VOTES,
        before="return float(np.sqrt(self.questions))",
        after="return 1.0",
        tests=(TEST_VOTES,),
    ),
    Mutant(
        name="a-replaced-row-is-one-teachers",
        mistake="a replaced row may touch two teachers, and is priced as one",
        file=DOOR,
        before="kind = votes.row_l2 if self._adding else votes.swap_l2",
        after="kind = votes.row_l2",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="votes-of-a-person-priced-as-a-row",
        mistake="a person with several rows touches as many teachers, and is priced as one row",
        file=DOOR,
        before="sensitivity = kind * self._rows_per_unit",
        after="sensitivity = kind",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="votes-charged-after-them",
        mistake="teachers that fail while they are trained cost nothing",
        file=DOOR,
        before="""        self._record(charge, "vote", votes.proof, sensitivity, "L2", stddev)

        exact = votes.counts(self._engine.whole(self._table, self.schema))
""",
        after="""        exact = votes.counts(self._engine.whole(self._table, self.schema))
        self._record(charge, "vote", votes.proof, sensitivity, "L2", stddev)
""",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="votes-not-in-the-ledger",
        mistake="votes are not written down, so that any number of them can be asked for",
        file=DOOR,
        before='        self._record(charge, "vote", votes.proof, sensitivity, "L2", stddev)\n',
        after="",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="a-record-in-two-teachers",
        mistake="every teacher is given the next one's part beside its own",
        file=VOTES,
        before=PARTS,
        after="""parts = np.split(np.repeat(kinds, sizes, axis=0)[order], ends)
    return [np.concatenate(pair) for pair in zip(parts, parts[1:] + parts[:1], strict=True)]""",
        tests=(TEST_VOTES,),
    ),
    Mutant(
        name="all-teachers-on-the-last-part",
        mistake="a stale index trains every teacher on the last part, as in published code",
        file=VOTES,
        before=PARTS,
        after="return [np.split(np.repeat(kinds, sizes, axis=0)[order], ends)[-1]] * teachers",
        tests=(TEST_VOTES,),
    ),
    Mutant(
        name="parts-dealt-in-turn",
        mistake="rows are dealt like cards: one row less moves all that follow to another teacher",
        file=VOTES,
        before="owners = _mixed(np.repeat(words, sizes) + ranks.astype(np.uint64)) % np.uint64(teachers)",
        after="owners = np.arange(len(ranks)).astype(np.uint64) % np.uint64(teachers)",
        tests=(TEST_VOTES,),
    ),
    Mutant(
        name="a-vote-counts-its-rows",
        mistake="a teacher's vote weighs as much as its part has rows",
        file=VOTES,
        before="total += np.asarray(self.verdicts(part), dtype=bool)",
        after="total += len(part) * np.asarray(self.verdicts(part), dtype=bool)",
        tests=(TEST_VOTES,),
    ),
)
