"""A definition or an instance as text: prompts, XML, JSON and YAML."""
