"""The formats of datasets."""
