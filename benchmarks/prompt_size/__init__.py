"""How long prompts are: ours in each format, and what others make of the same models."""
