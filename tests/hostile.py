"""Replies that were made to hurt: a table of attacks, each of any size, with a whole good answer in it where it fits.

Used by `tests/slow/test_hostile.py`, by the benchmark of the same name, and as seeds of the fuzz target.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from structured_response import StructuredResponse
from tests.corpus.models import Review, Thread

__all__ = ["ATTACKS", "GOOD", "REVIEW", "THREAD", "Attack"]


REVIEW = StructuredResponse.from_basemodel(Review)
THREAD = StructuredResponse.from_basemodel(Thread)

GOOD = """\
<review>
  <headline>Nice</headline>
  <score>4</score>
  <price>12.5</price>
  <recommended>true</recommended>
  <verdict>good</verdict>
  <pros><li>light</li></pros>
  <parts><li><label>lid</label><points>3</points></li></parts>
  <excerpt>short</excerpt>
</review>"""

GOOD_DATA: dict[str, Any] = {
    "headline": "Nice",
    "score": 4,
    "price": 12.5,
    "recommended": True,
    "verdict": "good",
    "pros": ["light"],
    "parts": [{"label": "lid", "points": 3}],
    "excerpt": "short",
}


@dataclass(frozen=True)
class Attack:
    """`make(n)` is a reply of about `n` characters; `keeps` is what every answer that is read from it must hold."""

    make: Callable[[int], str]
    response: StructuredResponse[Any] = field(default_factory=lambda: REVIEW)
    keeps: dict[str, Any] | None = None


# Places: where noise is put


def _replaced(before: str, after: str, *fields: str) -> tuple[Callable[[str], str], dict[str, Any]]:
    assert GOOD.count(before) == 1
    head, tail = GOOD.split(before)
    begin, end = after.split("@")
    kept = {name: value for name, value in GOOD_DATA.items() if name not in fields}
    return lambda noise: f"{head}{begin}{noise}{end}{tail}", kept


PLACES: dict[str, tuple[Callable[[str], str], dict[str, Any]]] = {
    "before": (lambda noise: f"{noise}\n{GOOD}", GOOD_DATA),
    "after": (lambda noise: f"{GOOD}\n{noise}", GOOD_DATA),
    "in the first text": _replaced(">Nice<", ">@<", "headline"),
    "in the last text": _replaced(">short<", ">@<", "excerpt"),
    "in a number": _replaced(">4<", ">@<", "score"),
    "in a float": _replaced(">12.5<", ">@<", "price"),
    "in a bool": _replaced(">true<", ">@<", "recommended"),
    "in an enum": _replaced(">good<", ">@<", "verdict"),
    "in a list": _replaced("<li>light</li>", "@", "pros"),
    "in an item": _replaced(">lid<", ">@<", "parts"),
    "among objects": _replaced("<li><label>lid</label><points>3</points></li>", "@", "parts"),
    "between fields": _replaced("<verdict>", "@<verdict>"),
    "in the root's tag": _replaced("<review>", "<review @>"),
    "in a number's tag": _replaced("<score>", "<score @>"),
}

OUTSIDE = ("before", "after")
TEXTS = ("in the last text",)
MARKUP = ("before", "in the first text", "between fields")


def repeated(piece: str, size: int) -> str:
    """A piece so often that it has about so many characters."""
    return piece * max(1, size // len(piece))


# Tokens: pieces that are repeated, and the places for each

TOKENS: dict[str, tuple[str, tuple[str, ...]]] = {
    # tags
    "unknown openers": ("<b>", MARKUP),
    "unknown closers": ("</b>", MARKUP),
    "unknown empty tags": ("<b/>", ("in the last text", "between fields")),
    "unknown elements": ("<b>x</b>", ("in a list", "between fields")),
    "openers of a text": ("<headline>", (*MARKUP, "in the last text")),
    "closers of a text": ("</excerpt>", MARKUP),
    "empty tags of a text": ("<headline/>", ("before", "in the last text", "between fields")),
    "openers of a number": ("<score>", (*MARKUP, "in a number")),
    "closers of a number": ("</score>", (*MARKUP, "in a number")),
    "openers of a list": ("<parts>", (*MARKUP, "among objects")),
    "closers of a list": ("</parts>", MARKUP),
    "openers of items": ("<li>", ("before", "in a list", "among objects", "in an item")),
    "closers of items": ("</li>", ("in a list", "among objects", "in an item")),
    "empty items": ("<li/>", ("in a list", "among objects")),
    "openers of the root": ("<review>", (*MARKUP, "after", "in the last text")),
    "closers of the root": ("</review>", (*MARKUP, "after", "in the last text")),
    "empty roots": ("<review/>", ("before", "in the last text")),
    "near names, open": ("<headlin>", MARKUP),
    "near names, closed": ("</revie>", MARKUP),
    "names in other spellings": ("<Head-Line>", ("in the last text", "between fields")),
    "names with prefixes": ("<x:y:score>", ("in the last text", "between fields")),
    "names of blanks and dots": ("<_._-", ("before", "in the last text", "between fields")),
    "tags without an end": ("<score ", ("before", "in the last text", "between fields")),
    "closers without an end": ("</score ", ("before", "in the last text", "between fields")),
    "tags with blanks": ("< score >", ("in the last text", "between fields")),
    "texts closed by numbers": ("<headline>x</score>", ("in the last text", "between fields")),
    "crossed tags": ("<b><i></b></i>", ("in the last text", "between fields")),
    "crossed fields": ("<headline><score></headline></score>", ("in the last text", "between fields")),
    "doubled fields": ("<score>4</score>", ("before", "between fields", "in the last text")),
    "items without closers": ("<li><label>a<points>1", ("among objects",)),
    "objects run together": ("<label>a</label><points>1</points>", ("among objects", "between fields")),
    "wrong closers in items": ("<li><label>a</points><points>1</points></li>", ("among objects",)),
    "items closed by the list": ("<li>a</pros>", ("in a list",)),
    "empty items before their fields": ("<li></li><score/><label/>", ("among objects",)),
    "bad items": ("<li><label>a</label><points>x</points></li>", ("among objects",)),
    "full-width brackets": ("\uff1cscore\uff1e", MARKUP),
    # brackets and what begins something
    "<": ("<", (*MARKUP, "in a number", "in a list", "in the root's tag")),
    "< and a blank": ("< ", ("in the last text", "between fields")),
    "</": ("</", MARKUP),
    "</>": ("</>", ("in the last text",)),
    "<!": ("<!", MARKUP),
    "<?": ("<?", MARKUP),
    "?>": ("?>", TEXTS),
    ">": (">", (*MARKUP, "in the root's tag")),
    "/>": ("/>", ("in the last text", "in the root's tag")),
    "open comments": ("<!--", (*MARKUP, "in a number")),
    "ends of comments": ("-->", MARKUP),
    "comments": ("<!-- c -->", (*MARKUP, "in a number", "in a list")),
    "dashes after an open comment": ("<!-- - -- ", TEXTS),
    "open sections": ("<![CDATA[", (*MARKUP, "in a number")),
    "ends of sections": ("]]>", MARKUP),
    "sections": ("<![CDATA[x]]>", (*MARKUP, "in a number")),
    "sections in sections": ("<![CDATA[<![CDATA[]]>", ("in the last text", "between fields")),
    "half ends of sections": ("]]", ("in the last text",)),
    "doctypes": ("<!DOCTYPE r [", MARKUP),
    "declarations": ("<?xml version='1.0'?>", MARKUP),
    # references
    "&": ("&", (*MARKUP, "in a number", "in an enum")),
    "&#": ("&#", TEXTS),
    "&#x": ("&#x", TEXTS),
    "&amp without ;": ("&amp", TEXTS),
    "&amp;": ("&amp;", (*TEXTS, "before", "in an enum")),
    "doubly escaped": ("&amp;amp;lt;", (*TEXTS, "before")),
    "unknown references": ("&bogus;", (*TEXTS, "between fields")),
    "references to nothing": ("&#xD800;&#x110000;&#0;", (*TEXTS, "in a number")),
    "escaped roots": ("&lt;review&gt;", (*OUTSIDE, "in the last text")),
    "escaped answers": (GOOD.replace("<", "&lt;").replace(">", "&gt;"), (*OUTSIDE, "in the last text")),
    "escaped closers": ("&lt;/excerpt&gt;", ("in the last text", "between fields")),
    # quotes and attributes
    '"': ('"', ("before", "in the last text", "in the root's tag", "in a number's tag")),
    "'": ("'", ("in the last text", "in the root's tag", "in a number's tag")),
    "both quotes": ("\"'", ("in the root's tag",)),
    "attributes without values": ("a ", ("in the root's tag", "in a number's tag")),
    "attributes without quotes": ("a=b ", ("in the root's tag", "in a number's tag")),
    "attributes": ("a='b' ", ("in the root's tag", "in a number's tag")),
    "attributes with brackets": ("a='>' ", ("in the root's tag", "in a number's tag")),
    "attributes without blanks": ("a='b'", ("in the root's tag",)),
    "open values": ("a='", ("in the root's tag", "in a number's tag")),
    "=": ("=", ("in the root's tag", "in the last text")),
    "types": ("type='int' ", ("in a number's tag",)),
    # Markdown, reasoning, tool calls
    "fences": ("```\n", ("before", "after", "in the last text", "in a list")),
    "fences with a language": ("```xml\n", ("before", "in the last text")),
    "backticks": ("`", ("before", "in the last text", "in an enum")),
    "tildes": ("~", ("in the last text",)),
    "indented fences": ("  ```\n", ("in the last text",)),
    "open thoughts": ("<think>", (*MARKUP, "after")),
    "closed thoughts": ("</think>", (*MARKUP, "after")),
    "thoughts": ("<think>x</think>", MARKUP),
    "thoughts with drafts": ("<think><review><score>5</score></review></think>", OUTSIDE),
    "thoughts in thoughts": ("<reasoning><think></reasoning>", OUTSIDE),
    "drafts": ("<review><headline>No</headline><score>x</score></review>", ("before",)),
    "calls of functions": ("<function=Review>", MARKUP),
    "parameters": ("<parameter=score>4</parameter>", MARKUP),
    "open parameters": ("<parameter=", MARKUP),
    "invocations": ('<invoke name="Review">', MARKUP),
    "named parameters": ('<parameter name="score">', MARKUP),
    "bullets": ("- a\n", ("before", "in a list", "in the last text", "among objects")),
    "numbered lines": ("1. a\n", ("in a list", "before")),
    "labelled lines": ("score: 4\n", ("before", "between fields", "in the last text", "among objects")),
    "bold": ("**", ("in the last text", "in an enum", "in a list")),
    "placeholders": ("[value here - as an int]", ("in a number", "in the last text", "between fields")),
    "dots": (".", ("before", "in a number", "in a float", "in the last text")),
    # numbers, words
    "digits": ("7", ("before", "in a number", "in a float", "in the last text", "in an enum")),
    "zeros": ("0", ("in a number", "in a float")),
    "commas": (",", ("in a number", "in a list", "in a float")),
    "digits and commas": ("1,", ("in a number", "in a float", "in a list")),
    "groups of three": (",000", ("in a number", "in a float")),
    "exponents": ("1e", ("in a float", "in a number")),
    "signs": ("-", ("before", "in a number", "in the last text")),
    "plus signs": ("+", ("in a number", "in a float")),
    "4 or ": ("4 or ", ("in a number", "in a float")),
    "4/": ("4/", ("in a number",)),
    "percents": ("5% ", ("in a float",)),
    "currencies": ("$", ("in a float",)),
    "foreign digits": ("\u0664", ("in a number",)),
    "yes and no": ("yes no ", ("in a bool",)),
    "all choices": ("good bad ", ("in an enum",)),
    "half choices": ("goo", ("in an enum",)),
    "null words": ("None ", ("in a float", "in the last text")),
    "semicolons": ("a; ", ("in a list",)),
    "words": ("word ", ("before", "in a list", "in an enum", "in a bool", "in a number")),
    # other formats
    "[": ("[", ("before", "in a list", "in the last text", "among objects", "in a number")),
    "]": ("]", ("before", "in a list")),
    "{": ("{", ("before", "between fields", "among objects", "in the last text")),
    "}": ("}", ("before", "between fields")),
    "objects of JSON, open": ('{"a":', ("before", "in a list", "among objects")),
    "lists of JSON, open": ('["a",', ("before", "in a list")),
    "objects of JSON": ('{"score": 4}', ("before", "after", "among objects")),
    "texts of JSON, open": ('{"', ("before", "among objects")),
    "backslashes": ("\\", ("before", "in the last text", "in a list")),
    "escaped quotes": ('\\"', ("before", "in a list", "in the root's tag")),
    "comments of JSON": ("[/*", ("before", "in a list")),
    "anchors of YAML": ("a: &a [*a, *a]\n", ("before", "among objects", "in a list")),
    "aliases of YAML": ("*a ", ("before", "in a list")),
    "deep items of YAML": ("- ", ("before", "in a list", "among objects")),
    "deep keys of YAML": ("a: ", ("before", "in a list")),
    "questions of YAML": ("? ", ("before", "in a list")),
    # characters
    "line feeds": ("\n", ("before", "in the last text", "between fields")),
    "blanks": (" ", ("before", "in the last text", "in a number", "in the root's tag")),
    "tabs": ("\t", ("in the last text",)),
    "carriage returns": ("\r", ("before", "in the last text")),
    "lines of blanks": ("    \n", ("in the last text", "in a list")),
    "halves of surrogates": ("\ud83d", (*MARKUP, "in a number")),
    "surrogates the wrong way round": ("\udc00\ud83d", TEXTS),
    "zero-width spaces": ("\u200b", (*MARKUP, "in a number", "in the root's tag")),
    "byte-order marks": ("\ufeff", (*MARKUP, "in a number")),
    "hard spaces": ("\u00a0", ("in the last text", "in a number", "in the root's tag")),
    "NULs": ("\0", (*MARKUP, "in a number", "in the root's tag")),
    "control characters": ("\x01\x0b\x1b\x7f\ufffe", ("in the last text", "between fields")),
    "letters that fold long": ("\u0130\ufb03", ("in the last text", "in an enum", "in a bool")),
    "combining marks": ("\u0301", ("in the last text", "in an enum")),
}


def _token_attacks() -> Iterator[tuple[str, Attack]]:
    for name, (piece, places) in TOKENS.items():
        for place in places:
            put, keeps = PLACES[place]
            yield f"{name}, {place}", Attack(partial(_put, put, piece), keeps=keeps)


def _put(put: Callable[[str], str], piece: str, size: int) -> str:
    return put(repeated(piece, size))


# Whole replies


def _nested(opener: str, closer: str, inner: str, size: int) -> str:
    """Balanced: as many openers as closers."""
    depth = max(1, size // (len(opener) + len(closer)))
    return opener * depth + inner + closer * depth


def _levels(size: int) -> str:
    """Elements in elements, no two of one name."""
    count = size // 14
    return "".join(f"<a{number}>" for number in range(count)) + "".join(f"</a{count - n - 1}>" for n in range(count))


def _numbered(piece: str, size: int) -> str:
    """A piece again and again, with another number in it each time."""
    return "".join(piece.replace("#", str(number)) for number in range(max(1, size // (len(piece) + 4))))


def _soup(pieces: tuple[str, ...], seed: int, size: int) -> str:
    random = Random(seed)
    mean = sum(map(len, pieces)) / len(pieces)
    return "".join(random.choices(pieces, k=max(1, int(size / mean))))


_NAMES = (*Review.model_fields, "review", "li", "label", "points", "item", "b", "think", "entry", "reviews", "scor")
_KNOWN_TAGS = tuple(
    form for name in _NAMES for form in (f"<{name}>", f"</{name}>", f"<{name}/>", f"<{name} a='b'>", "x")
)
_EVERYTHING = tuple(piece for piece, _places in TOKENS.values() if len(piece) < 40)


def _bytes(size: int) -> str:
    return Random(3).randbytes(size).decode("latin-1")


def _declared(declarations: str, reference: str) -> str:
    """The good answer behind a doctype, with a reference in its text."""
    return f"<?xml version='1.0'?>\n<!DOCTYPE review [{declarations}]>\n{GOOD.replace('short', reference)}"


def _bomb(size: int) -> str:
    """Each entity is ten of the one before: with all of them, a gigabyte and more."""
    rows = [f"<!ENTITY e{level} '{f'&e{level - 1};' * 10}'>" for level in range(1, max(2, size // 70))]
    return _declared("<!ENTITY e0 'ha'>" + "".join(rows), f"&e{len(rows)};")


def _blow_up(size: int) -> str:
    """One long entity, named often: quadratic without any nesting."""
    return _declared(f"<!ENTITY a '{'x' * (size // 2)}'>", "&a;" * (size // 6))


EXTERNAL = "file:///etc/passwd"
"""What the attacks with external entities ask for; the tests put a file and an address of their own in its place."""


def _external(size: int) -> str:
    return _declared(_numbered(f"<!ENTITY x# SYSTEM '{EXTERNAL}?#'>", size) + f"<!ENTITY x SYSTEM '{EXTERNAL}'>", "&x;")


def _parameters(size: int) -> str:
    return _declared(f"<!ENTITY % p SYSTEM '{EXTERNAL}'>" + repeated("%p;", size), "&x;")


def _external_subset(size: int) -> str:
    return f"<!DOCTYPE review SYSTEM '{EXTERNAL}'>\n{GOOD.replace('short', repeated('&x;', size))}"


def _included(size: int) -> str:
    piece = f"<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='{EXTERNAL}' parse='text'/>"
    return PLACES["in the last text"][0](repeated(piece, size))


def _missing_sibling(size: int) -> str:
    """The field that is missing opens again and again inside a text: each could be its beginning."""
    return GOOD.replace("  <headline>Nice</headline>\n", "").replace("short", repeated("x<headline>y", size))


def _missing_in_items(size: int) -> str:
    return PLACES["among objects"][0](repeated("<li><label>a<points>1</points></label></li>", size))


def _around_items(before: str, behind: str, size: int) -> str:
    """Many good items, and something small in front of them or behind: the stretch must not be read for each again."""
    item = "<li><label>lid</label><points>3</points></li>"
    return PLACES["among objects"][0](before + repeated(item, size) + behind)


def _no_closers(size: int) -> str:
    """Strings that nobody closes, each holding the openers of the other."""
    return f"<review><score>4</score>{repeated('<headline>a<excerpt>b', size)}"


def _cut_at_ends(size: int) -> str:
    return "".join(GOOD[: 20 + number * 7 % (len(GOOD) - 20)] for number in range(max(1, size // 200)))


def _json_string(size: int) -> str:
    """The answer in a string of JSON, with so many backslashes as if it had been quoted again and again."""
    return '{"answer": "' + GOOD.replace('"', '\\"').replace("\n", "\\n").replace("short", "\\" * size) + '"}'


def _json_object(size: int) -> str:
    parts = ", ".join(['{"label": "a", "points": 1}'] * max(1, size // 29))
    return f'{{"headline": "x", "score": 4, "recommended": true, "verdict": "good", "parts": [{parts}], }}'


def _thread(inner: str) -> str:
    return f"<thread><name>x</name>{inner}</thread>"


def _deep_thread(size: int) -> str:
    return _thread(_nested("<replies><li><name>a</name>", "</li></replies>", "", size))


def _open_thread(size: int) -> str:
    return _thread(repeated("<replies><li><name>a</name>", size))


def _mixed_depth(size: int) -> str:
    return _thread(_nested("<replies><li><b><replies>", "</replies></b></li></replies>", "", size))


def _votes(piece: str, size: int) -> str:
    return _thread(f"<votes>{_numbered(piece, size)}</votes>")


def _shown(piece: str, size: int) -> str:
    return _thread(f"<shown>{repeated(piece, size)}</shown>")


def _in(place: str, make: Callable[[int], str]) -> Attack:
    put, keeps = PLACES[place]
    return Attack(lambda size: put(make(size)), keeps=keeps)


_PIECES: dict[str, Attack] = {
    # depth
    "deep unknown elements": _in("between fields", partial(_nested, "<b>", "</b>", "")),
    "deep unknown elements in a text": _in("in the last text", partial(_nested, "<b>", "</b>", "")),
    "deep elements of many names": _in("between fields", _levels),
    "deep items": _in("in a list", partial(_nested, "<li>", "</li>", "light")),
    "deep lists": _in("among objects", partial(_nested, "<parts><li>", "</li></parts>", "")),
    "deep known elements": _in("between fields", partial(_nested, "<parts>", "</parts>", "")),
    "deep elements of one text": _in("in the last text", partial(_nested, "<excerpt>", "</excerpt>", "x")),
    "deep elements of another text": _in("in the last text", partial(_nested, "<headline>", "</headline>", "x")),
    "deep wrappers": Attack(partial(_nested, "<answer>", "</answer>", GOOD), keeps=GOOD_DATA),
    "deep wrappers, open": Attack(lambda size: repeated("<answer>", size) + GOOD, keeps=GOOD_DATA),
    "deep roots": Attack(partial(_nested, "<review>", "</review>", GOOD[8:-9])),
    "deep comments": _in("between fields", partial(_nested, "<!--", "-->", "")),
    "deep sections": _in("in the last text", partial(_nested, "<![CDATA[", "]]>", "x")),
    "deep thoughts": _in("before", partial(_nested, "<think>", "</think>", GOOD)),
    "deep JSON in a list": _in("in a list", partial(_nested, "[", "]", "")),
    "deep JSON among objects": _in("among objects", partial(_nested, '{"a":[', "]}", "1")),
    "deep JSON alone": Attack(partial(_nested, '{"headline":', "}", "1")),
    "deep recursion of the model": Attack(_deep_thread, THREAD),
    "deep recursion, open": Attack(_open_thread, THREAD),
    "deep recursion, mixed with unknown": Attack(_mixed_depth, THREAD),
    # doctypes and entities
    "entity bomb": Attack(_bomb),
    "entity blow-up": Attack(_blow_up),
    "external entities": Attack(_external),
    "parameter entities": Attack(_parameters),
    "external subset": Attack(_external_subset),
    "inclusions": Attack(_included),
    "an open doctype": Attack(lambda size: f"<!DOCTYPE review [{repeated('<!ENTITY a ', size)}{GOOD}", keeps=GOOD_DATA),
    # names and attributes
    "closers of many near names": _in("between fields", partial(_numbered, "</scor#>")),
    "openers of many near names": _in("between fields", partial(_numbered, "<headlin#>")),
    "many unknown names": _in("between fields", partial(_numbered, "<name#/>")),
    "many unknown names in a text": _in("in the last text", partial(_numbered, "<name#>")),
    "a long name": _in("between fields", lambda size: f"<{'s' * size}>x</{'s' * size}>"),
    "a long name that is not closed": _in("between fields", lambda size: f"<score{'e' * size}"),
    "a long near name": _in("between fields", lambda size: f"</{'headline' * (size // 8)}>"),
    "a long prefix": _in("between fields", lambda size: f"<{'a:' * (size // 2)}score>4</score>"),
    "a long name of dots": _in("between fields", lambda size: f"<{'.' * size}score>"),
    "a long attribute's name": _in("in a number's tag", lambda size: "type" + "a" * size),
    "a long attribute": _in("in a number's tag", lambda size: f"type='{'int' * (size // 3)}'"),
    "many attributes": _in("in the root's tag", partial(_numbered, "a#='b' ")),
    "values as attributes": _in("in the root's tag", partial(_numbered, "score='#' ")),
    "items with attributes": _in("in a list", partial(_numbered, "<li index='#' type=str>x</li>")),
    # structure
    "a field missing, its opener in a text": Attack(_missing_sibling),
    "a field missing in each item": Attack(_missing_in_items),
    "no closers at all": Attack(_no_closers),
    "answers cut short": Attack(_cut_at_ends),
    "many answers": Attack(partial(repeated, GOOD), keeps=GOOD_DATA),
    "many answers in thoughts": Attack(
        lambda size: repeated(f"<think>{GOOD.replace('4', '5')}</think>", size) + GOOD, keeps=GOOD_DATA
    ),
    "many answers in one thought": Attack(
        lambda size: f"<think>{repeated(GOOD.replace('4', '5'), size)}</think>{GOOD}", keeps=GOOD_DATA
    ),
    "many answers with something wrong": Attack(
        lambda size: repeated(GOOD.replace("4", "x"), size) + GOOD, keeps=GOOD_DATA
    ),
    "many open answers": Attack(lambda size: repeated(GOOD[:-9], size) + GOOD, keeps=GOOD_DATA),
    "many echoes of the prompt": Attack(lambda size: repeated(REVIEW.to_prompt(), size) + GOOD, keeps=GOOD_DATA),
    "one of many fields, no root": Attack(lambda size: repeated("<score>4</score>\n", size)),
    "roots of another name": Attack(lambda size: repeated(GOOD.replace("review", "answer"), size)),
    "nothing": Attack(lambda size: " " * size),
    # lines, texts, fences
    "indented lines": _in("in the last text", lambda size: "\n" + repeated("        x\n", size) + "  "),
    "lines of growing indentation": _in(
        "in the last text", lambda size: "\n" + "".join(f"{' ' * (n % 60)}x\n" for n in range(max(2, size // 32)))
    ),
    "a fence that is closed late": _in("in the last text", lambda size: "```\n" + repeated("`` `\n", size) + "```"),
    "a fence with near fences": _in("in the last text", lambda size: "~~~~\n" + repeated(" ~~~\n", size) + "~~~~"),
    "a long reference": _in("in the last text", lambda size: f"&#{'0' * size}65;"),
    "a long reference of letters": _in("in the last text", lambda size: f"&{'a' * size};"),
    "a large reference": _in("in the last text", lambda size: f"&#{'9' * size};"),
    "a large reference in a number": _in("in a number", lambda size: f"&#x{'f' * size};"),
    "a text between blanks": _in("in the last text", lambda size: f"{' ' * (size // 2)}x{' ' * (size // 2)}"),
    "a text between sections of blanks": _in(
        "in the last text", lambda size: f"{' ' * (size // 2)}<![CDATA[x]]>{' ' * (size // 2)}"
    ),
    "an open section": _in("in the first text", lambda size: f"<![CDATA[{'x' * size}"),
    "an open comment": _in("in the first text", lambda size: f"<!--{'x' * size}"),
    "an open instruction": _in("in the first text", lambda size: f"<?{'x' * size}"),
    "an open attribute": _in("in a number's tag", lambda size: f'type="{"x" * size}'),
    "an open fence": Attack(lambda size: f"```xml\n{GOOD}\n" + "x\n" * (size // 2), keeps=GOOD_DATA),
    # other formats
    "the answer in a string of JSON": Attack(_json_string),
    "the answer as JSON with a comma too many": Attack(_json_object),
    "truncated JSON": Attack(lambda size: _json_object(size)[:-20]),
    "a list of JSON in a list": _in("in a list", lambda size: f"[{', '.join(['1'] * (size // 3))}]"),
    "lines of YAML": Attack(lambda size: "headline: x\nscore: 4\nparts:\n" + repeated("  - label: a\n", size)),
    "texts of YAML": Attack(lambda size: "headline: |\n" + repeated("  x\n", size)),
    "objects run together in a list": _in("in a list", lambda size: repeated('{"label": "a", "points": 1},', size)),
    "an open fence of blanks in a list": _in("in a list", lambda size: f"```\n{' ' * size}x"),
    "items of other closers in a string of JSON": Attack(
        lambda size: f'{{"parts": "{repeated("<li>a</item>", size)}"}}', keeps=None
    ),
    # maps and unions
    "entries": Attack(partial(_votes, "<entry key='a#'>1</entry>"), THREAD),
    "entries without closers": Attack(partial(_votes, "<entry key='a#'>1"), THREAD),
    "entries of one key": Attack(partial(_votes, "<entry key='a'>#</entry>"), THREAD),
    "entries without a key": Attack(partial(_votes, "<entry>#</entry>"), THREAD),
    "entries by name": Attack(partial(_votes, "<a#>1</a#>"), THREAD),
    "entries as lines": Attack(partial(_votes, "a#: 1\n"), THREAD),
    "entries of keys and values": Attack(partial(_votes, "<key>a#</key><value>1</value>"), THREAD),
    "options by class": Attack(partial(_shown, "<photo>"), THREAD),
    "options by field": Attack(partial(_shown, "<url>x</url><label>y</label>"), THREAD),
    "options by text": Attack(partial(_shown, "x <b>"), THREAD),
    # soups
    "soup of known tags": Attack(partial(_soup, _KNOWN_TAGS, 1)),
    "soup of known tags before": _in("before", partial(_soup, tuple(t for t in _KNOWN_TAGS if "review" not in t), 2)),
    "soup of known tags in a text": _in("in the last text", partial(_soup, _KNOWN_TAGS, 4)),
    "soup of tokens": Attack(partial(_soup, _EVERYTHING, 5)),
    "soup of tokens in the root": Attack(lambda size: f"<review>{_soup(_EVERYTHING, 6, size)}</review>"),
    "soup of brackets": _in("between fields", partial(_soup, tuple("<>/\"'=&;! -[]{}x"), 7)),
    "soup of brackets in a text": _in("in the last text", partial(_soup, tuple("<>/\"'=&;! -[]{}x"), 8)),
    "soup of thread's tags": Attack(
        partial(
            _soup,
            tuple(
                f"<{slash}{name}>"
                for name in ("thread", "name", "replies", "li", "votes", "entry", "shown", "photo", "url", "part")
                for slash in ("", "/")
            ),
            9,
        ),
        THREAD,
    ),
    "soup of printable characters": Attack(partial(_soup, tuple(string.printable), 10)),
    "bytes": Attack(_bytes),
    "bytes in a text": _in("in the last text", _bytes),
    "bytes before": _in("before", _bytes),
}

_SMALL = ("<", "</", "< a", "...", "x", "&", "</li>", "<item>", "<b>", "<!--", "<li>", "</parts", "\uff1ca\uff1e")
"""What may stand at either end of a long stretch that is as it should be."""


def _disturbed() -> Iterator[tuple[str, Attack]]:
    for piece in _SMALL:
        yield f"{piece} in front of good items", Attack(partial(_around_items, piece, ""))
        yield f"{piece} behind good items", Attack(partial(_around_items, "", piece))


ATTACKS: dict[str, Attack] = {**dict(_token_attacks()), **dict(_disturbed()), **_PIECES}
