"""Whether the time of a reading grows with the reply and no faster."""

import gc
import math
import time
from collections.abc import Callable

ROOM = 4.0
"""Times that a character may cost at 16x of what it costs at 1x, with room for a shared machine. What grows with the
square is at 16.
"""


def grows_with_the_text(read: Callable[[str], object], make: Callable[[int], str], unit: int) -> bool:
    """Whether sixteen times as much text takes about so many times longer. A busy machine gets more tries."""
    read(make(unit))  # what is compiled once is not the text's
    return any(growth(read, make, unit, rounds) <= ROOM for rounds in (1, 3, 5, 9))


def growth(read: Callable[[str], object], make: Callable[[int], str], unit: int, rounds: int) -> float:
    """The time per character at 16x over that at 1x."""
    small, large = (_cost(read, make(unit * times), rounds) for times in (1, 16))
    return large / small


def _cost(read: Callable[[str], object], text: str, rounds: int) -> float:
    """Seconds of this process for a character: the best of several rounds."""
    best = math.inf
    gc.disable()  # what other readings left is not this one's to pay for
    try:
        for _ in range(rounds):
            started = time.process_time()
            read(text)
            best = min(best, time.process_time() - started)
    finally:
        gc.enable()
    return best / len(text)
