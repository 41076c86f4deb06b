"""Writes definitions and instances as text: prompts, XML, JSON and YAML."""
