"""The laws, held by drawn examples."""
