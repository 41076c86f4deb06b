"""JSON, sloppy or not, and what Python shows in its place -> values with their places, in linear time."""
