"""The data of an answer: validated, dumped, compared, serialized, and looked at through a Box."""
