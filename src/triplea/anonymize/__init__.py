"""The door between the private room and the public one: budget, accountant, noise, ledger, certificate."""
