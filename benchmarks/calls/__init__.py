"""Calls of tools in every shape, clean and damaged: how many are read exactly, how many silently wrong."""
