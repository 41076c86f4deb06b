"""The reader: a reply in, the answer that it most probably says out, with every mending on record."""
