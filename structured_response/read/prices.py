"""The price table: the cost of each slip in a reading, and the finding that reports it.

A price is a negative log probability in tenths, in five levels. The reading with the cheapest edits wins. Slips are
habits: the first of a kind in a reading costs its level, each later one costs `again`. An edit that is a guess by
nature has a `doubt`, which becomes a problem, whatever its cost.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ..findings import RepairKind

FREE, HINT, SLIP, FAULT, LOSS = 0, 3, 6, 12, 24
"""The levels: not an edit; often written on purpose; a slip of the pen; something forgotten; something lost."""


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


class Edit(Enum):
    """The slips that a reading may assume, each with its price."""

    __hash__ = object.__hash__  # moves are compared by their edits, and Enum's own hash is slow

    # The root
    ROOT_MISSING = Price(FAULT, _K.OPENER_MISSING, "fields stand without the root's tag")
    ROOT_RENAMED = Price(FAULT, _K.NAME_RESPELLED, "fields stand in an element of another name")
    REOPENED = Price(FAULT, _K.OPENER_MISSING, "an element was closed too early; what follows belongs to it")
    MENTION = Price(SLIP, None, "prose names a tag")
    LEFT_BEHIND = Price(
        LOSS,
        None,
        "an element in front of the answer or behind it fits into it",
        doubt="what stands behind it fits into it",
    )
    RESTARTED = Price(FAULT, None, "an answer is given up and another one begins")
    # Names
    NAME_MISSPELT = Price(SLIP, _K.NAME_RESPELLED, "a name is a slip of the pen away from a free field's")
    CLASS_FOR_FIELD = Price(SLIP, _K.NAME_RESPELLED, "a field goes by the name of its class")
    CLASS_WRAPPER = Price(HINT, _K.WRAPPER_ENTERED, "an object stands once more in its class's tag")
    WRAPPER = Price(SLIP, _K.WRAPPER_ENTERED, "fields stand in an element that nothing asks for")
    UNKNOWN_SKIPPED = Price(SLIP, _K.ELEMENT_SKIPPED, "an element that nothing asks for is left out", again=FREE)
    KNOWN_SKIPPED = Price(LOSS, _K.ELEMENT_SKIPPED, "an element with a name of the definition is left out", again=FAULT)
    FIELD_REPEATED = Price(FAULT, _K.ELEMENT_SKIPPED, "a field stands there twice")
    # Lists, maps
    LIST_REPEATED = Price(SLIP, _K.SHAPE_CHANGED, "each item stands in an element of the list's name")
    ITEM_RENAMED = Price(HINT, _K.NAME_RESPELLED, "an item has a name of its own")
    ITEM_IMPLIED = Price(SLIP, _K.OPENER_MISSING, "the fields of an item stand in the list itself")
    ITEM_SPLIT = Price(FAULT, _K.OPENER_MISSING, "a field comes again: the next item has begun")
    OPENER_MISSING = Price(
        FAULT, _K.OPENER_MISSING, "a text has a closing tag only", doubt="nothing tells where it begins"
    )
    ENTRY_IN_PARTS = Price(HINT, None, "an entry has its key and its value in elements", again=FREE)
    CONTENT_AS_TEXT = Price(HINT, _K.SHAPE_CHANGED, "a list, a map or an object is written as a text", again=FREE)
    # Closing tags
    CLOSER_MISSING = Price(FAULT, _K.CLOSER_MISSING, "a closing tag was forgotten")
    CLOSER_LOST = Price(SLIP, None, "and a closing tag further on would be without a partner")
    END_AT_MENTION = Price(SLIP, None, "in front of a tag that stands there like a word", doubt="may go on")
    END_OF_EITHER = Price(FREE, None, "with a field that the like one around it lacks", doubt="may end earlier")
    CLOSER_MISSPELT = Price(SLIP, _K.CLOSER_RESPELLED, "a closing tag is a slip of the pen away")
    CLOSER_WRONG = Price(FAULT, _K.CLOSER_RESPELLED, "a closing tag has another known name, and the rest fits")
    OPENER_AS_CLOSER = Price(FAULT, _K.CLOSER_RESPELLED, "a closing tag lacks its slash")
    CLOSER_STRAY = Price(FAULT, _K.TEXT_SKIPPED, "a closing tag closes nothing")
    CLOSER_CROSSED = Price(SLIP, _K.TEXT_SKIPPED, "a closing tag stands behind another one, doubled or crossed")
    CLOSER_IGNORED = Price(
        LOSS, _K.TEXT_SKIPPED, "the closing tag of an element that goes on", doubt="it may end there"
    )
    CLOSER_UNKNOWN = Price(SLIP, _K.TEXT_SKIPPED, "a closing tag of no known name closes nothing", again=FREE)
    OPENER_STRAY = Price(LOSS, _K.TEXT_SKIPPED, "an opening tag of a known name opens nothing")
    OPENER_UNKNOWN = Price(SLIP, _K.TEXT_SKIPPED, "an opening tag of no known name opens nothing", again=FREE)
    # Text
    TEXT_STRAY = Price(FAULT, _K.TEXT_SKIPPED, "text stands where no value can")
    ITEM_EMPTY = Price(FAULT, None, "nothing stands in an item that has to hold something")
    REQUIRED_MISSING = Price(LOSS, None, "a required field is not there", again=FAULT)
    SEVERAL_MISSING = Price(FAULT, None, "more than one required field is not there")
    TAG_IN_STRING = Price(HINT, None, "a text names a tag that would fit around it", again=FREE)
    TAG_IN_UNCLOSED = Price(FAULT, None, "a text without a closing tag holds a tag that fits around it", again=HINT)
    OWN_OPENER_IN_STRING = Price(FAULT, None, "a text holds its own opening tag without a closing one")
    OWN_CLOSER_IN_STRING = Price(FAULT, None, "a text names its own closing tag and goes on")
    OWN_CLOSER_BEFORE_TAG = Price(LOSS, None, "a text names its own closing tag in front of another tag")
    SWALLOWED = Price(FAULT, None, "and it never ends by itself", doubt="it may have swallowed what follows")
    CLOSER_IN_STRING = Price(FAULT, None, "a text holds a closing tag of something else where it could end")
    CLOSER_OF_OTHER = Price(SLIP, None, "the closing tag of an element in front ends a text", doubt="may be crossed")
    WRAPPED_VALUE = Price(SLIP, None, "a value stands in the tag of an item")
    TAG_IN_VALUE = Price(HINT, None, "a value is decorated with a tag", again=FREE)
    VALUE_UNFIT = Price(SLIP, None, "a value is none of its type")
    CUT_OFF = Price(FAULT, None, "the reply breaks off")
    # JSON
    CUT_BEHIND_VALUE = Price(SLIP, None, "JSON breaks off behind a value")
    COMMENT_SKIPPED = Price(HINT, _K.TEXT_SKIPPED, "a comment stands in JSON", again=FREE)
    QUOTE_IN_STRING = Price(HINT, _K.JSON_MENDED, "a string holds quotes that are not escaped", again=FREE)
    QUOTE_EARLY = Price(FAULT, _K.JSON_MENDED, "a string ends, and text follows", doubt="text follows its end")
    QUOTE_UNPAIRED = Price(
        SLIP, _K.JSON_MENDED, "a string holds a quote that has no partner", doubt="could end at a quote in it"
    )
    QUOTE_LIKE_END = Price(
        SLIP,
        _K.JSON_MENDED,
        "a string holds a quote in front of a comma or a bracket",
        doubt="could end at a quote in it",
    )
    QUOTES_ODD = Price(
        FAULT, _K.JSON_MENDED, "a string holds quotes and lacks its own", doubt="could end at a quote in it"
    )
    QUOTE_STRAY = Price(FAULT, _K.JSON_MENDED, "a quote opens and ends nothing")
    KEY_TORN = Price(HINT, None, "JSON breaks off in a key")
    KEY_IN_STRING = Price(FAULT, None, "a string holds what looks like a key of the definition")
    BRACKET_STRAY = Price(FAULT, _K.JSON_MENDED, "a bracket opens or closes nothing", again=FAULT)
    REST_LEFT = Price(LOSS, None, "JSON ends, and more of it follows", doubt="more follows its end")
    JSON_SLIP = Price(FREE, _K.JSON_MENDED, "commas, quotes or names are not JSON's")


PRICES: dict[Edit, Price] = {edit: edit.value for edit in Edit}
"""Every edit with its price."""

LEVELS: dict[Edit, int] = {edit: price.level for edit, price in PRICES.items()}
"""The cost of each edit the first time."""
