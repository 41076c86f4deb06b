"""What takes long by its nature: walks through packages and corpora, killed processes, a browser, type checkers."""
