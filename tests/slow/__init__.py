"""What takes long by its nature: walks through corpora, killed processes, SDKs that retry, a browser, type checkers."""
