"""The library with a great many replies: memory, speed, and what remains when processes are killed."""
