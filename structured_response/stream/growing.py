"""The beginning of a text that is being written: as much of it as no later character can change.

Characters are held back while their meaning is open: an indentation, the first reference, a fence, a comment, a tag
that could end the text, a word that could be null. So what is shown is always a beginning of what the text becomes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..escaping import BLANK, FENCES
from ..read.values.json_text import SURE_ESCAPE, json_string
from ..read.values.text import BARE_MARKUP

HELD = 16
"""Characters that are held back of a text that may become null. Words for null are shorter."""

_VISIBLE = re.compile(r"[^ \t\r\n]")
_FIRST_BREAK = re.compile(r"[ \t]*+\r?\n")
_FLUSH = re.compile(r"\n[^ \t\r\n<]")
"""A line that begins without white space. It shows that no common indentation is to be removed."""
_SIGN = re.compile("[<&\uff1c]")
_REFERENCE = re.compile(r"&#?[A-Za-z0-9]{0,32}")
_TAG = re.compile(r"[<\uff1c](?P<slash>\\?/?)[ \t]*(?P<name>(?:[^\W\d][\w:.-]{0,60})?)")
_HIDDEN = ("<!--", "<![CDATA[")
_NOISE = re.compile(r"""[<>&"\\\r\uff1c\uff1e]""")
"""A character that may mean something in an element or in a string of JSON."""
_QUOTE = re.compile(r'["\\]')

MayEnd = Callable[[str], bool]
"""Returns whether an opening tag with a name may end the text."""


class _Growing:
    """A text that is being written, from `inner` on.

    Attributes:
        held: The number of characters that are held back at its beginning.
        more: How many more are if it begins with a bracket, like a placeholder of the prompt.
        start: The place in the reply from which on it is shown, -1 while that is unknown.
        end: The end of what is shown.
        is_held: Whether the rest is held back until the text is closed.
        waits_for_noise: Whether only `_NOISE` closes it then.
    """

    waits_for_noise = False

    def __init__(self, inner: int, held: int, more: int) -> None:
        self.inner = inner
        self.held = held
        self.more = more
        self.start = -1
        self.end = inner
        self.looked = inner
        self.is_held = False
        self.known = inner, ""  # the end of what was decoded, and its value

    @property
    def length(self) -> int:
        """The number of characters of the reply that are shown."""
        length = self.end - self.start
        return length if self.start >= 0 and length > self.held else 0

    def value(self, text: str, end: int) -> str:
        """Returns what is shown, up to an end."""
        known, value = self.known
        if end < known:
            known, value = self.start, ""
        value += self.decoded(text[max(known, self.start) : end])
        self.known = end, value
        return value

    @staticmethod
    def decoded(piece: str) -> str:
        """Returns the value of a piece of what is shown."""
        raise NotImplementedError

    def extend(self, piece: str, place: int) -> bool:
        """Shows a piece at a place if it is nothing but more of the text, and returns whether it is."""
        if _NOISE.search(piece) is not None:
            return False
        if self.is_held or self.start < 0 or self.looked != place:
            return self.is_held and self.waits_for_noise
        self.looked += len(piece)
        shown = piece.rstrip(BLANK)
        if shown:
            self.end = place + len(shown)
        return True

    def show(self, text: str, limit: int) -> None:
        """Shows the text up to a limit, without white space at its end, which may be layout."""
        piece = text[self.looked : limit].rstrip(BLANK)
        if piece:
            self.end = self.looked + len(piece)
        self.looked = limit


class GrowingMarkup(_Growing):
    """The text of an element."""

    waits_for_noise = True

    def __init__(self, inner: int, held: int, more: int, may_end: MayEnd) -> None:
        super().__init__(inner, held, more)
        self.may_end = may_end
        self.is_markup = False
        self.searched = inner  # for a line without indentation
        self.opened: set[str] = set()

    def advance(self, text: str) -> None:
        """Shows more of the text. `text` is all of the reply so far."""
        if self.start < 0:
            self._begin(text)
        while self.start >= 0 and not self.is_held:
            sign = _SIGN.search(text, self.looked)
            place = len(text) if sign is None else sign.start()
            self.show(text, place)
            if sign is None:
                return
            behind = self._reference(text, place) if sign[0] == "&" else self._tag(text, place)
            if behind is None:
                return
            self.show(text, behind)

    @staticmethod
    def decoded(piece: str) -> str:
        """Returns the value of a piece of what is shown."""
        return piece.replace("\r\n", "\n").replace("\r", "\n") if "\r" in piece else piece

    def _begin(self, text: str) -> None:
        """Finds where the value begins, once that depends on nothing that follows."""
        visible = _VISIBLE.search(text, self.looked)
        if visible is None:
            self.looked = len(text)
            return
        place = self.looked = visible.start()
        if text[place] in "`~":
            self.is_held = text.startswith(FENCES, place)
            if self.is_held or len(text) < place + 3:
                return
        line = _FIRST_BREAK.match(text, self.inner)
        start = self.inner if line is None else line.end()
        self.held, self.more = self.held + self.more * (text[place] == "["), 0
        if start == place or _FLUSH.search(text, max(place, self.searched - 1)) is not None:
            self.start = self.looked = start
        self.searched = len(text)

    def _reference(self, text: str, place: int) -> int | None:
        """Returns the end of an `&`, or None if the rest has to wait."""
        if self.is_markup:
            return place + 1
        found = _REFERENCE.match(text, place)
        assert found is not None
        if found.end() == len(text):
            return None
        self.is_held = text[found.end()] == ";"
        return None if self.is_held else found.end()

    def _tag(self, text: str, place: int) -> int | None:
        """Returns the end of a bracket with the name behind it, or None if the rest has to wait."""
        found = _TAG.match(text, place)
        assert found is not None
        if found.end() == len(text):
            return None
        name, is_closing = found["name"], bool(found["slash"])
        if not name and text[found.end()] in "!?" and not self.is_markup:
            if len(text) < place + len(_HIDDEN[1]):
                return None
            self.is_held = text.startswith(_HIDDEN, place)
            self.is_markup = True
        elif is_closing:
            self.is_held = name not in self.opened
        elif name:
            self.is_held = self.may_end(name)
            self.opened.add(name)
            self.is_markup = self.is_markup or BARE_MARKUP.match(text, place) is not None
        return None if self.is_held else found.end()


class GrowingString(_Growing):
    """The text of a string of JSON."""

    def advance(self, text: str) -> None:
        """Shows more of the text. `text` is all of the reply so far."""
        self.start = self.inner
        while not self.is_held:
            sign = _QUOTE.search(text, self.looked)
            place = len(text) if sign is None else sign.start()
            if place > self.looked:
                self.end = self.looked = place - (text[place - 1] == "\r")
            escape = None if sign is None else SURE_ESCAPE.match(text, place)
            self.is_held = sign is not None and (sign[0] == '"' or (escape is None and len(text) > place + _LONGEST))
            if escape is None:
                return
            self.end = self.looked = escape.end()

    @staticmethod
    def decoded(piece: str) -> str:
        """Returns the value of a piece of what is shown."""
        return json_string(piece, is_quoted=True)[0] or ""


_LONGEST = 24
"""Characters within which it is clear what a backslash means."""


Growing = GrowingMarkup | GrowingString
