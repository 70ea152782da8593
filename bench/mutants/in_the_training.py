"""Mistakes in private training: samples, clipping, noise and denominators of DP-SGD."""

from bench.mutants.catalogue import Mutant

TEST_DESCENT = "tests/queries/test_descent.py"
TEST_LOOP = "tests/anonymize/test_descending.py"
TEST_DOOR = "tests/anonymize/test_door_descend.py"
TEST_BATCHES = "tests/anonymize/test_batches.py"
TEST_NORMALS = "tests/anonymize/test_normals.py"

MUTANTS = (
    Mutant(
        name="gradients-not-clipped",
        mistake="gradients enter the sum at their full length",
        file="queries/descent.py",
        before="jnp.minimum(usual, clip_norm / norms)",
        after="usual",
        tests=(TEST_DESCENT,),
    ),
    Mutant(
        name="nan-gradients-counted",
        mistake="a gradient that is not finite spoils the sum",
        file="queries/descent.py",
        before="isfinite(squared)\n    scale",
        after="isfinite(clip_norm)\n    scale",
        tests=(TEST_DESCENT,),
    ),
    Mutant(
        name="weights-pass-the-clip",
        mistake="a record's weight may be negative, infinite or no number, and its gradient of any length",
        file="queries/descent.py",
        before="jnp.where((weights > 0.0) & jnp.isfinite(weights), weights, 0.0)",
        after="weights",
        tests=(TEST_DESCENT,),
    ),
    Mutant(
        name="shared-term-left-out-of-the-norm",
        mistake="the public term of the loss is in the gradient and not in its norm",
        file="queries/descent.py",
        before="total, size = total + length, size + length",
        after="size = size + length",
        tests=(TEST_DESCENT,),
    ),
    Mutant(
        name="divided-by-the-rows-at-hand",
        mistake="the denominator is the true number of rows, and gives it away",
        file="anonymize/descending.py",
        before="1.0 / (rate * descent.n_public)",
        after="1.0 / (rate * max(len(records), 1))",
        tests=(TEST_LOOP,),
    ),
    Mutant(
        name="one-noise-for-all-steps",
        mistake="the noise of the first step is used at every step",
        file="anonymize/normals.py",
        before="half[index].at[here]",
        after="half[0].at[here]",
        tests=(TEST_LOOP,),
    ),
    Mutant(
        name="no-noise-in-training",
        mistake="the sum of gradients is handed on as it is",
        file="anonymize/descending.py",
        before="total + stddev * fresh",
        after="total",
        tests=(TEST_LOOP,),
    ),
    Mutant(
        name="training-noise-without-tails",
        mistake="a uniform of single precision stands behind the noise: it ends at six standard deviations",
        file="anonymize/normals.py",
        before="(spare.astype(jnp.float32) + 0.5) * 2.0**-RADIUS_DIGITS",
        after="2.0**-24",
        tests=(TEST_NORMALS,),
    ),
    Mutant(
        name="training-noise-ends-early",
        mistake="noise beyond 7.5 standard deviations never comes: what lies there betrays a neighbour",
        file="anonymize/normals.py",
        before="here = jnp.where(rows == index, places, noise[0].shape[1])",
        after="here = jnp.full(rows.shape, noise[0].shape[1])",
        tests=(TEST_NORMALS,),
    ),
    Mutant(
        name="training-noise-with-a-hole",
        mistake="noise never comes near zero: an answer that lies there betrays a neighbour",
        file="anonymize/normals.py",
        before="jnp.where(rest < NEAR_ONE, series, -jnp.log(small))",
        after="-jnp.log(jnp.minimum(small, 1.0 - 2.0**-24))",
        tests=(TEST_NORMALS,),
    ),
    Mutant(
        name="same-words-for-both-halves",
        mistake="radius and angle of the noise come from the same random words",
        file="anonymize/normals.py",
        before="return words[0], words[1]",
        after="return words[0], words[0]",
        tests=(TEST_NORMALS,),
    ),
    Mutant(
        name="public-numbers-by-pass",
        mistake="one row more in a batch pushes another into the next pass, to other public numbers",
        file="anonymize/descending.py",
        before="shared=_at(draws.shared, firsts[index])",
        after="shared=_at(draws.shared, index)",
        tests=(TEST_LOOP,),
    ),
    Mutant(
        name="fixed-batches-priced-as-poisson",
        mistake="batches have a fixed size while the price assumes Poisson samples",
        file="anonymize/batches.py",
        before="for size in generator.binomial(rows, rate, steps):",
        after="for size in [round(rows * rate)] * steps:",
        tests=(TEST_BATCHES,),
    ),
    Mutant(
        name="rows-sampled-at-the-rate-of-units",
        mistake="a person with several rows is touched more often than the price assumes",
        file="anonymize/batches.py",
        before="return 1.0 if rate == 1.0 else -math.expm1(math.log1p(-rate) / rows_per_unit)",
        after="return rate",
        tests=(TEST_BATCHES,),
    ),
    Mutant(
        name="training-replaces-for-the-price-of-adding",
        mistake="a replaced row moves a sum by twice the clip norm and is priced at once",
        file="anonymize/door.py",
        before="sensitivity = descent.clip_norm * self._rows_per_unit * (1.0 if self._adding else 2.0)",
        after="sensitivity = descent.clip_norm * self._rows_per_unit",
        tests=(TEST_DOOR,),
    ),
    Mutant(
        name="training-charged-after-it",
        mistake="a training run that fails half-way costs nothing",
        file="anonymize/door.py",
        before="""        self._record(
            charge, "descend", descent.proof, sensitivity, "L2", np.asarray(stddev), numbers=descent.size
        )
        self.ledger.remarks.append(descending.REMARK.format(label=label))
""",
        after="        self.ledger.remarks.append(descending.REMARK.format(label=label))\n",
        tests=(TEST_DOOR,),
    ),
)
