"""Adapters for other frameworks, one module each: import the one of the framework that is used.

`dspy`, `langchain`, `mirascope` and `pydantic_ai` need the package of that name, and nothing else needs them.
"""
