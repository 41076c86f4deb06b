"""The price table: the cost of each slip in a reading, and the finding that reports it.

A price is a negative log probability on a scale of its own, in five levels. The reading with the cheapest edits wins.
Slips are habits: the first of a kind in a reading costs its level, each later one costs `again`. An edit that is a
guess by nature has a `doubt`, which becomes a problem, whatever its cost, unless it only concerns where the root ends.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ..findings import RepairKind

FREE, HINT, SLIP, FAULT, LOSS = 0, 3, 6, 12, 24
"""The levels: on record only; often written on purpose; a slip of the pen; something forgotten; something lost."""


class Price(NamedTuple):
    """The cost of an edit the first time and `again`, its repair, and the reason for its cost."""

    level: int
    repair: RepairKind | None
    reason: str
    again: int = -1
    doubt: str = ""

    @property
    def later(self) -> int:
        """The cost of every edit of the kind but the first."""
        return self.again if self.again >= 0 else min(self.level, max(1, self.level // 8))


_K = RepairKind
_AT_QUOTE = "it may end at a quote inside it"


class Edit(Enum):
    """The slips that a reading may assume, each with its price."""

    __hash__ = object.__hash__  # moves are compared by their edits, and Enum's own hash is slow

    # The root
    ROOT_MISSING = Price(FAULT, _K.OPENER_MISSING, "the root's tag is missing")
    ROOT_RENAMED = Price(FAULT, _K.NAME_RESPELLED, "the root has another name")
    REOPENED = Price(FAULT, _K.OPENER_MISSING, "an element was closed too early")
    MENTION = Price(SLIP, None, "prose mentions a tag")
    LEFT_BEHIND = Price(
        LOSS, None, "an element beside the answer could be part of it", doubt="an element after it could be part of it"
    )
    RESTARTED = Price(FAULT, None, "an answer is abandoned and another one begins")
    # Names
    OPENER_TORN = Price(FREE, _K.NAME_RESPELLED, "an opening tag lacks its bracket")
    NAME_MISSPELT = Price(SLIP, _K.NAME_RESPELLED, "the name of a field is misspelt")
    CLASS_FOR_FIELD = Price(SLIP, _K.NAME_RESPELLED, "a field is named after its class")
    CLASS_WRAPPER = Price(HINT, _K.WRAPPER_ENTERED, "an object is wrapped in its class's tag")
    WRAPPER = Price(SLIP, _K.WRAPPER_ENTERED, "fields are wrapped in an unknown element")
    UNKNOWN_SKIPPED = Price(SLIP, _K.ELEMENT_SKIPPED, "an unknown element is left out", again=FREE)
    KNOWN_SKIPPED = Price(LOSS, _K.ELEMENT_SKIPPED, "a known element is left out", again=FAULT)
    FIELD_REPEATED = Price(FAULT, _K.ELEMENT_SKIPPED, "a field occurs twice")
    # Lists, maps
    LIST_REPEATED = Price(SLIP, _K.SHAPE_CHANGED, "each item has the list's tag around it")
    ITEM_RENAMED = Price(HINT, _K.NAME_RESPELLED, "an item has another name")
    ITEM_IMPLIED = Price(SLIP, _K.OPENER_MISSING, "an item's fields are directly in the list")
    ITEM_SPLIT = Price(FAULT, _K.OPENER_MISSING, "a field occurs again, so the next item begins")
    OPENER_MISSING = Price(FAULT, _K.OPENER_MISSING, "a text has only a closing tag", doubt="its beginning is unknown")
    ENTRY_IN_PARTS = Price(HINT, None, "an entry's key and value are elements", again=FREE)
    CONTENT_AS_TEXT = Price(HINT, _K.SHAPE_CHANGED, "a list, a map or an object is written as text", again=FREE)
    # Closing tags
    CLOSER_MISSING = Price(FAULT, _K.CLOSER_MISSING, "a closing tag is missing")
    CLOSER_LOST = Price(SLIP, None, "a later closing tag would close nothing")
    END_AT_MENTION = Price(SLIP, None, "a text ends at a tag that is used like a word", doubt="it may go on")
    END_OF_EITHER = Price(FREE, None, "a field may belong to the similar object around it", doubt="it may end earlier")
    CLOSER_TORN = Price(FREE, _K.CLOSER_RESPELLED, "a closing tag lacks its bracket or its name")
    CLOSER_MISSPELT = Price(SLIP, _K.CLOSER_RESPELLED, "a closing tag is misspelt")
    CLOSER_WRONG = Price(FAULT, _K.CLOSER_RESPELLED, "a closing tag has another known name")
    OPENER_AS_CLOSER = Price(FAULT, _K.CLOSER_RESPELLED, "a closing tag lacks its slash")
    CLOSER_STRAY = Price(FAULT, _K.TEXT_SKIPPED, "a closing tag closes nothing")
    CLOSER_CROSSED = Price(SLIP, _K.TEXT_SKIPPED, "closing tags are doubled or crossed")
    CLOSER_IGNORED = Price(LOSS, _K.TEXT_SKIPPED, "an element goes on after its closing tag", doubt="it may end there")
    CLOSER_UNKNOWN = Price(SLIP, _K.TEXT_SKIPPED, "an unknown closing tag closes nothing", again=FREE)
    OPENER_STRAY = Price(LOSS, _K.TEXT_SKIPPED, "a known opening tag opens nothing")
    OPENER_UNKNOWN = Price(SLIP, _K.TEXT_SKIPPED, "an unknown opening tag opens nothing", again=FREE)
    # Text
    TEXT_STRAY = Price(FAULT, _K.TEXT_SKIPPED, "text occurs where no value can be")
    ITEM_EMPTY = Price(FAULT, None, "an item that must not be empty is empty")
    REQUIRED_MISSING = Price(LOSS, None, "a required field is missing", again=FAULT)
    SEVERAL_MISSING = Price(FAULT, None, "more than one required field is missing")
    TAG_IN_STRING = Price(HINT, None, "a text mentions a tag that would be valid there", again=FREE)
    TAG_IN_UNCLOSED = Price(FAULT, None, "an unclosed text contains a tag that would be valid there", again=HINT)
    OWN_OPENER_IN_STRING = Price(FAULT, None, "a text contains its own opening tag, unclosed")
    OWN_CLOSER_IN_STRING = Price(FAULT, None, "a text mentions its own closing tag and goes on")
    OWN_CLOSER_BEFORE_TAG = Price(LOSS, None, "a text mentions its own closing tag before another tag")
    SWALLOWED = Price(FAULT, None, "an unclosed text goes on", doubt="it may contain what follows it")
    CLOSER_IN_STRING = Price(FAULT, None, "a text contains another closing tag where it could end")
    CLOSER_OF_OTHER = Price(
        SLIP, None, "a text contains the closing tag of an earlier element", doubt="two closing tags may be crossed"
    )
    WRAPPED_VALUE = Price(SLIP, None, "a value is wrapped in an item's tag")
    TAG_IN_VALUE = Price(HINT, None, "a value has a tag around it", again=FREE)
    VALUE_UNFIT = Price(SLIP, None, "a value does not fit its type")
    CUT_OFF = Price(FAULT, None, "the reply breaks off")
    # JSON
    CUT_BEHIND_VALUE = Price(SLIP, None, "JSON breaks off after a value")
    COMMENT_SKIPPED = Price(HINT, _K.TEXT_SKIPPED, "JSON contains a comment", again=FREE)
    QUOTE_IN_STRING = Price(HINT, _K.JSON_MENDED, "a string contains unescaped quotes", again=FREE)
    QUOTE_EARLY = Price(FAULT, _K.JSON_MENDED, "a string ends, and text follows", doubt="text follows its end")
    QUOTE_LIKE_END = Price(
        SLIP, _K.JSON_MENDED, "a string contains a quote before a comma or a bracket", doubt=_AT_QUOTE
    )
    QUOTES_ODD = Price(FAULT, _K.JSON_MENDED, "a string contains quotes and lacks its closing one", doubt=_AT_QUOTE)
    QUOTE_STRAY = Price(FAULT, _K.JSON_MENDED, "a quote opens and ends nothing")
    KEY_TORN = Price(HINT, None, "JSON breaks off in a key")
    KEY_IN_STRING = Price(FAULT, None, "a string contains what looks like a key")
    BRACKET_STRAY = Price(FAULT, _K.JSON_MENDED, "a bracket opens or closes nothing", again=FAULT)
    REST_LEFT = Price(LOSS, None, "JSON ends, and more of it follows", doubt="more JSON follows its end")
    JSON_SLIP = Price(FREE, _K.JSON_MENDED, "a comma, a quote or a word is not valid JSON")


PRICES: dict[Edit, Price] = {edit: edit.value for edit in Edit}
"""Every edit with its price."""

LEVELS: dict[Edit, int] = {edit: price.level for edit, price in PRICES.items()}
"""The cost of each edit the first time."""
