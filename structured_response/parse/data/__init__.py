"""An answer that is no XML: where JSON, YAML and lines stand in a reply, and their data by the definition."""
