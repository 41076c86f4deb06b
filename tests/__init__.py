"""The tests: one module per module of the package, and one per law."""
