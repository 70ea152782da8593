"""Mistakes in reading rows, in what is taken from them without asking, and in what is said about them."""

from bench.mutants.catalogue import Mutant

LEARNS = "tests/contracts/test_replay.py::test_a_method_learns_about_rows_at_the_door_only"
UNLIKE = "tests/contracts/test_replay.py::test_a_row_unlike_all_others_changes_the_answers_and_nothing_else"
ALIKE = "tests/contracts/test_lookalike.py"
TEST_ENCODE = "tests/schema/test_encode.py"

MUTANTS = (
    Mutant(
        name="row-count-in-the-clear",
        mistake="as many synthetic rows as the table has",
        file="releases/run.py",
        before="n = request.rows or method.expected_rows",
        after="n = request.rows or len(next(iter(door._engine.whole(table, door.schema).values())))",
        tests=(f"{LEARNS}[naive-bayes-all kinds]",),
    ),
    Mutant(
        name="bounds-from-rows",
        mistake="bounds to be found under the budget are the exact magnitudes of the rows",
        file="releases/discovery.py",
        before="    answer = door.measure(query, label=_label(column))\n",
        after="""    answer = door.measure(query, label=_label(column))
    answer = replace(answer, values=1e9 * door._engine.total(door._table, door.schema, query))
""",
        tests=(f"{LEARNS}[independent-found under the budget]",),
    ),
    Mutant(
        name="classes-that-occur",
        mistake="only classes that occur get a component: their number is read from the rows",
        file="methods/_products.py",
        before="        self.rows_ = float(totals.sum())\n",
        after="""        if label:
            present = np.unique(binnings[label].assign(door._engine.whole(door._table, door.schema)[label]))
            totals = np.where(np.isin(np.arange(classes), present), totals, 0.0)
        self.rows_ = float(totals.sum())
""",
        tests=(f"{UNLIKE}[naive-bayes]",),
    ),
    Mutant(
        name="a-seed-from-the-rows",
        mistake="the synthetic rows are drawn with a seed that depends on the table",
        file="releases/run.py",
        before="    rows_seed = int(rng.integers(2**62))\n",
        after="""    whole = door._engine.whole(table, door.schema)
    rows_seed = int(rng.integers(2**62)) ^ len(next(iter(whole.values())))
""",
        tests=(f"{LEARNS}[naive-bayes-all kinds]",),
    ),
    Mutant(
        name="units-not-bounded",
        mistake="all rows of a person count, whatever the schema says",
        file="tables/private_table.py",
        before="        if unit is None:\n",
        after="        if True:\n",
        tests=("tests/tables/test_private_table.py", "tests/engines/test_local.py"),
    ),
    Mutant(
        name="one-row-too-many-of-a-unit",
        mistake="a person keeps one row more than is priced",
        file="tables/bounding.py",
        before="] = number < max_rows",
        after="] = number <= max_rows",
        tests=("tests/tables/test_bounding.py",),
    ),
    Mutant(
        name="rows-kept-by-the-order-of-others",
        mistake="which rows of a person are kept depends on who else is in the table",
        file="tables/bounding.py",
        before="_mixed(number.astype(np.uint64) + _word(key))",
        after="_mixed(np.arange(len(order), dtype=np.uint64) + _word(key))",
        tests=("tests/tables/test_bounding.py",),
    ),
    Mutant(
        name="numbers-not-clamped",
        mistake="a value outside the public range is taken as it is",
        file="schema/encode.py",
        before="floats = np.clip(numbers, lower, upper)",
        after="floats = numbers",
        tests=(TEST_ENCODE,),
    ),
    Mutant(
        name="bounds-of-the-batch",
        mistake="values are clamped to the range of the rows at hand",
        file="schema/encode.py",
        before="floats = np.clip(numbers, lower, upper)",
        after="""floats = numbers
    if np.isfinite(floats).any():
        lower, upper = max(lower, np.nanmin(floats)), min(upper, np.nanmax(floats))
    floats = np.clip(floats, lower, upper)""",
        tests=(TEST_ENCODE, "tests/engines/test_base.py"),
    ),
    Mutant(
        name="missing-where-nothing-may-be-missing",
        mistake="a missing number passes in a column that has none",
        file="schema/encode.py",
        before="return floats if column.nullable else np.where(np.isnan(floats), float(lower), floats)",
        after="return floats",
        tests=(TEST_ENCODE,),
    ),
    Mutant(
        name="error-with-a-value",
        mistake="a value outside its range is refused, and quoted",
        file="schema/encode.py",
        before="    lower, upper = (int(bound) for bound in column.bounds)\n",
        after="""    lower, upper = (int(bound) for bound in column.bounds)
    if len(counts.values) and counts.values.max() > upper:
        raise SchemaError(f"{column.name}: {counts.values.max()} is above {upper}")
""",
        tests=(f"{ALIKE}::test_released_tables_of_neighbours_look_alike[independent-arrow]",),
    ),
    Mutant(
        name="database-error-quoted",
        mistake="what a database says about a row is passed on",
        file="tables/sql.py",
        before='f"{self.name}: the database stopped the query',
        after="f\"{__import__('sys').exc_info()[1]}: the database stopped the query",
        tests=("tests/tables/test_sql_sqlite.py", "tests/tables/test_sql_duckdb.py"),
    ),
    Mutant(
        name="parser-error-quoted",
        mistake="what the CSV parser says about a row is passed on",
        file="tables/csv_source.py",
        before="        raise RecordTooLong from None",
        after="        raise",
        tests=("tests/tables/test_csv_source.py",),
    ),
    Mutant(
        name="audit-looks-away",
        mistake="the replay accepts any distance between the exact answers",
        file="audit/witnesses.py",
        before="return self.measured <= self.allowed * (1 + ROUNDING)",
        after="return True",
        tests=("tests/audit/test_replay.py", "tests/audit/test_witnesses.py"),
    ),
)
