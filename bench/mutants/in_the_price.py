"""Mistakes in the accountant, in calibration and in the budget file."""

from bench.mutants.catalogue import Mutant

ACCOUNTANT, LOSSES = "anonymize/accountant.py", "anonymize/privacy_loss.py"
TEST_ACCOUNTANT = "tests/anonymize/test_accountant.py"
TEST_LOSSES = "tests/anonymize/test_privacy_loss.py"
TEST_FILE = "tests/anonymize/test_budget_file.py"

MUTANTS = (
    Mutant(
        name="calibration-overshoots",
        mistake="the search for noise stops a percent above the budget",
        file=ACCOUNTANT,
        before="        if gap <= 0:\n            low, best",
        after="        if gap <= 0.01:\n            low, best",
        tests=(f"{TEST_ACCOUNTANT}::test_a_random_plan_costs_its_budget_and_no_more",),
    ),
    Mutant(
        name="rounding-not-stepped-inside",
        mistake="a closed form that misses by a rounding is taken as it is",
        file=ACCOUNTANT,
        before="    while cost(scale) > 1:",
        after="    while cost(scale) > 1.001:",
        tests=(f"{TEST_ACCOUNTANT}::test_a_random_plan_costs_its_budget_and_no_more",),
    ),
    Mutant(
        name="slack-not-taken-from-delta",
        mistake="the chance that a category shows itself is not part of delta",
        file=ACCOUNTANT,
        before="    remaining = delta - _total_slack(charges)\n",
        after="    remaining = delta\n",
        tests=(f"{TEST_ACCOUNTANT}::test_slack_is_taken_from_delta_first_and_cannot_pass_it",),
    ),
    Mutant(
        name="repeated-questions-cost-once",
        mistake="a question asked several times is composed once",
        file=ACCOUNTANT,
        before="for _ in range(charge.times))",
        after="for _ in range(1))",
        tests=(f"{TEST_ACCOUNTANT}::test_times_costs_the_same_as_asking_one_by_one",),
    ),
    Mutant(
        name="steps-not-composed",
        mistake="a training run is priced as a single step",
        file="anonymize/charges.py",
        before="return self.times * (self.steps or 1)",
        after="return self.times",
        tests=(f"{TEST_ACCOUNTANT}::test_dp_auto_gan_by_privacy_loss_distributions",),
    ),
    Mutant(
        name="sampled-replacing-priced-as-adding",
        mistake="replacing a sampled row is priced with the pair of adding one, at half its length",
        file=LOSSES,
        before="    if neighbours is Neighbours.REPLACE_ONE and sampling_rate < 1:",
        after="    parameter *= 2 if neighbours is Neighbours.REPLACE_ONE else 1\n    if False:",
        tests=(f"{TEST_LOSSES}::test_replacing_a_sampled_row_never_costs_more_than_its_price",),
    ),
    Mutant(
        name="selection-at-half-price",
        mistake="the exponential mechanism is priced at half of its epsilon",
        file=LOSSES,
        before="return _exponential(parameter, interval=interval)",
        after="return _exponential(parameter / 2, interval=interval)",
        tests=(f"{TEST_LOSSES}::test_two_adaptive_selections_stay_below_the_composed_curve",),
    ),
    Mutant(
        name="claimed-counts-as-proved",
        mistake="a computation whose guarantee is only claimed adds nothing to the total",
        file="anonymize/plan.py",
        before="return self not in (Mechanism.CLAIMED, Mechanism.CLEAR)",
        after="return self is not Mechanism.CLEAR",
        tests=(f"{TEST_ACCOUNTANT}::test_one_unproved_charge_makes_the_total_infinite",),
    ),
    Mutant(
        name="certificate-skips-an-entry",
        mistake="the certificate's total leaves out the first question",
        file="anonymize/certificate.py",
        before="    charges = [entry.charge for entry in entries]\n",
        after="    charges = [entry.charge for entry in entries][1:]\n",
        tests=("tests/contracts/test_spending.py::test_every_method_spends_what_its_certificate_says"
               "[naive-bayes-all kinds]",),
    ),
    Mutant(
        name="unfinished-releases-cost-nothing",
        mistake="a release that was killed and is tried again is counted once",
        file="anonymize/budget_file.py",
        before="return [charge for release in self.releases for charge in release.charges]",
        after="return [c for release in self.releases if release.state == COMPLETE for c in release.charges]",
        tests=(TEST_FILE,),
    ),
    Mutant(
        name="limit-checked-too-late",
        mistake="the limit is compared with what was spent before the release",
        file="anonymize/budget_file.py",
        before="total = _total(after, limit.delta)",
        after="total = _total(before, limit.delta)",
        tests=(f"{TEST_FILE}::test_a_release_beyond_the_limit_is_refused_with_both_numbers_and_not_written",),
    ),
    Mutant(
        name="budget-file-without-a-lock",
        mistake="two releases at once lose one of the two charges",
        file="anonymize/budget_file.py",
        before="with FileLock(lock, timeout=LOCK_SECONDS):",
        after="if True:",
        tests=(TEST_FILE,),
    ),
    Mutant(
        name="budget-reserved-after-the-release",
        mistake="rows are read before the budget file counts the release",
        file="releases/run.py",
        before="    reservation = None if file is None",
        after="    run(request, private, seed=seed)\n    reservation = None if file is None",
        tests=("tests/contracts/test_refusals.py::test_a_budget_is_reserved_before_the_first_row_is_read"
               "[naive-bayes]",),
    ),
    Mutant(
        name="unasked-questions-are-free",
        mistake="the certificate states what one run happened to ask, not what the release can cost",
        file="releases/run.py",
        before="    door.charge_the_rest()\n",
        after="",
        tests=("tests/releases/test_run.py"
               "::test_a_certificate_states_what_a_release_can_cost_and_not_what_it_happened_to_ask",),
    ),
    Mutant(
        name="budget-by-the-name-of-a-link",
        mistake="a link to a table has a budget of its own, and a fresh limit with it",
        file="releases/run.py",
        before="BudgetFile.beside(table.path)",
        after='BudgetFile(table.path.with_name(table.path.name + ".budget.json"))',
        tests=("tests/releases/test_run.py::test_a_link_to_a_table_spends_the_budget_of_the_table",),
    ),
    Mutant(
        name="people-and-rows-in-one-total",
        mistake="releases that protect people and releases that protect rows are added up",
        file="anonymize/budget_file.py",
        before="            self._refuse_mixed_units(contents, unit)\n",
        after="",
        tests=(f"{TEST_FILE}::test_one_file_never_mixes_rows_with_people",),
    ),
)  # fmt: skip
