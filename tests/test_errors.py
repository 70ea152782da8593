"""Every error a user can mend ends with exit code 2."""

import inspect

from triplea import errors


def test_all_errors_are_user_errors_with_exit_code_two():
    kinds = [
        kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__
    ]
    assert len(kinds) >= 8
    assert all(issubclass(kind, errors.UserError) and kind.exit_code == 2 for kind in kinds)


def test_a_missing_extra_says_how_to_install_it():
    error = errors.MissingExtra(package="lightgbm", extra="eval", purpose="evaluation")
    assert "pip install 'triplea[eval]'" in str(error)
