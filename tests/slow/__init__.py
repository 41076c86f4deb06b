"""What takes long by its nature: walks through packages and corpora, killed processes, streams and retries of SDKs, a browser, type checkers."""
