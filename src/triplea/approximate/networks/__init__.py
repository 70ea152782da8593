"""Neural networks: plain arrays, losses of one record, optimizers and stored generators."""
