"""Walks through whole packages and corpora."""
