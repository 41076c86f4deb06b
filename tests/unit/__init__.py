"""One module of the package each."""
