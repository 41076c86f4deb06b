"""What a terminal is shown of text that others wrote."""

__all__ = ["CONTROLS"]

# What would steer the terminal is shown as a picture of itself, one column wide.
CONTROLS = {code: 0x2400 + code for code in range(0x20) if code != ord("\n")}
CONTROLS |= {ord("\t"): ord(" "), 0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
