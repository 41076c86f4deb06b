"""Values by type: what the characters between two tags say, and scalars as people write them -> their strict forms."""
