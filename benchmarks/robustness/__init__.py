"""A seeded corpus of damaged replies, and the benchmark that runs parsers over it."""
