"""Adapters for other frameworks: `dspy`, `langchain`, `mirascope`, `pydantic_ai`. Each needs its framework."""
