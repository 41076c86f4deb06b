"""An answer in XML, whatever happened to its tags: tags, elements, where each ends, and their values."""
