"""How rows become cells, vectors and network inputs, and come back: from schema and released values only."""
