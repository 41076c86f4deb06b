"""The data of an answer: validated, dumped, compared, serialized, and wrapped in a Box."""
