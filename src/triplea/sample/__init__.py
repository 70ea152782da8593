"""Drawing rows from a model and decoding them to the schema."""
