"""Method x data set x epsilon grids, on public data: how good is each method, beside the papers' numbers."""
