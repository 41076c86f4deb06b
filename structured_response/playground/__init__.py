"""A local web page that shows prompts and reads replies, while one types."""
