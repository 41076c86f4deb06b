"""How fast the library is; `run.py` runs all of it."""
