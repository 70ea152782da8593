"""What a process does that competes for a budget; its own module, so that new processes can import it."""

from tests.anonymize.charge_examples import gaussian
from triplea.anonymize.budget import Budget
from triplea.anonymize.budget_file import BudgetFile
from triplea.errors import BudgetExceeded


def spend_five_times(path: str) -> int:
    """Try five releases; return how many were granted."""
    file, granted = BudgetFile(path), 0
    for attempt in range(5):
        try:
            reservation = file.reserve(
                [gaussian(10.0)], Budget(epsilon=1.0, delta=1e-6), f"attempt {attempt}"
            )
        except BudgetExceeded:
            continue
        file.complete(reservation)
        granted += 1
    return granted
