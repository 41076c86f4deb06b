"""Finds the candidates of a reply: root elements, JSON, tags without a root, lines.

The search follows each candidate from its beginning as far as it goes. Blocks of reasoning are searched apart from the
rest, so that nothing that begins in one hides the text behind it.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from ..definition import Path, Plan, fold, per_plan
from ..escaping import EXAMPLE
from ..findings import Span
from ..options import ParseOptions
from .answer import Answer
from .build import Element, Mended, Tree, build
from .fast.around import has_rival
from .grammar import Grammar, State, grammar_of
from .layers import Layer, escaped_html, escaped_tag, layer_around
from .lines import label_at, lines_of
from .parts import Place
from .prices import FAULT, LOSS, Edit
from .read_json import is_too_deep, read_json
from .scan import CLOSE, EMPTY, OPEN, REASONING, Scan, Tokens
from .scan_lines import read_lines
from .search import Search


@dataclass(slots=True)
class Candidate:
    """A possible answer: its span, the cost of its reading and, once read, its answer.

    Attributes:
        has_root: Whether the root's tag, or a bracket of JSON, surrounds it.
        is_reasoning: Whether it is in a block of reasoning.
        is_echo: Whether it repeats the prompt.
        is_known: Whether its data equals that of an example.
        is_inside: Whether it is inside of an element that looked like the answer, or is that element.
        is_alone: Whether only prose surrounds it.
        bad: The paths with problems.
        places: The spans of the values, in `text`.
        layers: The escapings that were decoded to find it, innermost first.
    """

    text: str
    span: Span
    cost: int
    tree: Tree
    form: str = "xml"
    has_root: bool = True
    is_reasoning: bool = False
    is_echo: bool = False
    is_known: bool = False
    is_inside: bool = False
    is_alone: bool = False
    answer: Answer | None = None
    bad: set[Path] = field(default_factory=set)
    places: dict[Path, Span] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()

    @property
    def root(self) -> Element:
        assert self.tree.root is not None
        return self.tree.root

    def within(self, layer: Layer) -> Candidate:
        """Maps the span of the candidate to the text that a layer was decoded from."""
        self.layers = (*self.layers, layer)
        self.span = layer.span(self.span)
        return self


def candidates_in(plan: Plan, text: str, options: ParseOptions, layers: int = 0) -> list[Candidate]:
    """Returns the candidates of a text, in their order.

    A single root element with only prose around it is the only candidate. Otherwise JSON is looked for everywhere; tags
    without a root and lines are looked for only where there is nothing surer, or where they may quote it in a value.
    """
    grammar = grammar_of(plan)
    tokens = tag_scanner(plan).scan(text) if _BRACKET.search(text) else Tokens(text)
    rooted = _rooted(grammar, tokens)
    if options.format in (None, "xml") and len(rooted) == 1 and _is_alone(rooted[0]):
        rooted[0].is_alone = True
        return rooted
    taken = [each.span for each in rooted if options.format != "json" and (each.root.children or each.root.is_closed)]
    in_json = _in_json(plan, text, taken, 0, len(text))
    sound = [each for each in in_json if each.cost < LOSS]
    whole = _merged([each.span for each in (*rooted, *sound) if each.root.is_closed])
    examples = _SHOWN.finditer(text) if EXAMPLE in text else ()
    shown = [match.span() for match in examples if not _is_within(whole, match.start())]
    blocks = _merged([*_thoughts(grammar, tokens, whole, rooted), *shown])
    stretches = list(_stretches(blocks, text))
    if blocks:
        in_json = [each for span in (*stretches, *blocks) for each in _in_json(plan, text, taken, *span)]
    real = [each for each in rooted if not _is_within(blocks, each.root.start)]
    may_be_loose = stretches if grammar.root.fields or not real else []  # else any tag could surround the root's
    loose = _rootless(partial(_in_tags, plan, tokens), may_be_loose, partial(_BRACKET.search, text), real)
    first = min((each.span[0] for each in (*rooted, *loose)), default=len(text))
    if any(each.span[0] < first < each.span[1] for each in sound):
        loose = []  # tags in the strings of JSON
    elif layers < _LAYERS and (layer := _layer(plan, text, rooted or loose)) is not None:
        inner = candidates_in(plan, layer.text, options, layers + 1)
        if inner:
            return [each.within(layer) for each in inner]
    sure = [*real, *in_json]
    is_told = options.format == "yaml"
    others = [] if is_told else sure
    labels = partial(_has_label, grammar, text)
    in_lines = _rootless(partial(_in_lines, plan, text, is_told), [*stretches, *shown], labels, others)
    in_lines = [each for each in in_lines if not any(one.span[0] <= each.root.start < one.span[1] for one in sure)]
    found = [*rooted, *loose, *in_json, *in_lines]
    for candidate in found:
        candidate.is_echo = _is_within(shown, candidate.root.start)
        candidate.is_reasoning = not candidate.is_echo and _is_within(blocks, candidate.root.start)
    return sorted(found, key=lambda each: each.span)


def _is_alone(candidate: Candidate) -> bool:
    """Returns whether an answer is complete and only prose surrounds it."""
    text, root = candidate.text, candidate.root
    are_escaped = text.endswith("\\", 0, root.start) and text.endswith("\\", 0, root.end)
    return root.is_closed and not are_escaped and not has_rival(text, *root.span)


_SHOWN = re.compile(
    rf"^[^\n]*{re.escape(EXAMPLE)}[ \t*_]*+\n(?:[ \t]*+\S[^\n]*+(?:\n|\Z)|[ \t]*+\n(?=[ \t]))*+", re.MULTILINE
)
"""An example of the prompt, below its heading."""
_BRACKET = re.compile("[<\uff1c]")


def _rootless(
    find: Callable[[int, int], list[Candidate]],
    spans: list[Span],
    signs: Callable[[int, int], object],
    others: list[Candidate],
) -> list[Candidate]:
    """Returns the candidates without a root in some spans. Beside `others`, only those that begin in front of one and
    contain it count, so there have to be `signs` of one.
    """
    found = [
        each
        for start, end in spans
        if not others or any(signs(*gap) for gap in _in_front(others, start, end))
        for each in find(start, end)
    ]
    return [
        each for each in found if not others or any(each.span[0] < other.span[0] < each.span[1] for other in others)
    ]


def _in_front(others: list[Candidate], start: int, end: int) -> Iterator[Span]:
    """Yields the pieces of a span that are in front of a candidate and in none."""
    for first, last in sorted(each.span for each in others):
        if start < first < end:
            yield start, first
        start = max(start, last)


@per_plan
def tag_scanner(plan: Plan) -> Scan:
    grammar = grammar_of(plan)
    return Scan(grammar.names, grammar.field_names)


# Answers that are escaped as a whole

_LAYERS = 3
"""Times that an answer may be escaped. No model escapes more often."""


def _layer(plan: Plan, text: str, found: list[Candidate]) -> Layer | None:
    """Returns the reply with its escapes decoded if the answer is escaped as a whole, else None."""
    grammar = grammar_of(plan)
    if found and found[-1].has_root:
        return layer_around(text, found[-1].span)
    place = escaped_tag(text, grammar.root_names | {fold(name) for name in grammar.root.fields})
    if place >= 0:
        return layer_around(text, (place, place)) or escaped_html(text)
    sign = _SIGN.search(text)
    start = sign.start() if sign is not None else 0
    if is_led(grammar, text, start):
        return None
    return layer_around(text, found[-1].span if found else (start, start))


_SIGN = re.compile(r"[<{\[]")
"""A character that an answer may begin with."""


# Answers in tags


def _rooted(grammar: Grammar, tokens: Tokens) -> list[Candidate]:
    """Returns the candidates that begin at an opening tag of the root. Tags that prose mentions count only if there are
    no others.
    """
    tags, names = tokens.tags, grammar.root_names
    roots = [index for index, tag in enumerate(tags) if tag.folded in names]
    openers = [index for index in roots if tags[index].kind in (OPEN, EMPTY)]
    real = [index for index in openers if not tokens.symbols[index].is_mention]
    found: list[Candidate] = []
    position = 0
    for index in real or openers:
        if index < position:
            continue
        behind = bisect_right(roots, index)
        goes_on = tokens.kinds[index] == EMPTY and index not in tokens.contents
        if goes_on := goes_on and behind < len(roots) and tags[roots[behind]].kind == CLOSE:
            tokens.kinds[index], tokens.symbols[index] = OPEN, tokens.symbols[index].but(kind=OPEN, paired=True)
        candidate, position = _search(grammar, tokens, index, grammar.start)
        if candidate is not None and (real or candidate.root.is_closed):
            if goes_on:  # an empty tag of the root, whose closing tag follows
                place = tokens.starts[index], tokens.ends[index]
                candidate.tree.mended.append(Mended(Edit.REOPENED, candidate.root, place))
            if found and _is_inside(found[-1], candidate):
                candidate.is_inside = found[-1].is_inside = True
            found.append(candidate)
    return found


def _is_inside(before: Candidate, candidate: Candidate) -> bool:
    """Returns whether a candidate is inside of one that was abandoned at its tag and continues behind it."""
    is_given_up = before.tree.is_given_up and before.root.children
    return bool(is_given_up) and _GOES_ON.match(candidate.text, candidate.root.stop) is not None


_GOES_ON = re.compile(r"[ \t]++[^\W\d_]|\s*+</")
"""Words on the same line, or a closing tag."""


def _in_tags(plan: Plan, tokens: Tokens, start: int, end: int) -> list[Candidate]:
    """Returns the candidate in the tags of a span that has no tag of the root. `tokens` are those of the whole text."""
    grammar, text = grammar_of(plan), tokens.text
    tokens = tokens if end - start == len(text) else tag_scanner(plan).scan(text, start, end)
    candidate, _end = _search(grammar, tokens, 0, grammar.rootless) if len(tokens) > 1 else (None, 0)
    if candidate is None:
        return []
    candidate.has_root = False
    return [candidate]


def _search(grammar: Grammar, tokens: Tokens, index: int, state: State) -> tuple[Candidate | None, int]:
    """Returns the first candidate at or behind a token, and the index of the token behind it."""
    search = Search(grammar, state, index, lambda state, at: fits(state, tokens, at), tokens.looks)
    reading, tokens.looks = search.run(tokens.symbols), search.looks
    if reading is None:
        return None, len(tokens)
    tree = build(tokens, reading.way, tokens.ends[index - 1] if index else 0)
    if tree.root is None:
        return None, max(reading.end, index + 1)
    return Candidate(tokens.text, tree.root.span, reading.cost, tree), max(reading.end - 1, index + 1)


def fits(state: State, tokens: Tokens, index: int) -> bool:
    """Returns whether the text in front of a token looks like a value of a state's kind."""
    piece = tokens.text[tokens.ends[index - 1] if index else 0 : tokens.starts[index]]
    return len(piece) < _LONGEST_VALUE and ("&#" in piece or state.shape.may_be(piece))


_LONGEST_VALUE = 400
"""Characters of a value with an explanation. A longer text has swallowed others."""


# Reasoning


def _thoughts(grammar: Grammar, tokens: Tokens, whole: list[Span], rooted: list[Candidate]) -> Iterator[Span]:
    """Yields the outermost blocks of reasoning. A block without an opening tag began with the reply; a block without a
    closing tag ends at its last answer. Tags inside of whole answers don't count.
    """
    depth, start, is_first = 0, 0, True
    names = REASONING - grammar.names
    for index, tag in enumerate(tokens.tags):
        if tag.folded not in names or (not depth and _is_within(whole, tokens.starts[index])):
            continue
        if tag.kind == OPEN:
            start = start if depth else tokens.starts[index]
            depth += 1
        if tag.kind == CLOSE or index in tokens.contents:
            if depth == 1 or (not depth and is_first):
                yield (start if depth else 0), tokens.ends[index]
                is_first = False
            depth = max(0, depth - 1)
    if depth and rooted:
        yield start, rooted[-1].span[0]


def _merged(spans: list[Span]) -> list[Span]:
    """Returns spans in order, with overlapping ones merged."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span[0] < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], span[1]))
        else:
            found.append(span)
    return found


def _is_within(spans: list[Span], place: int) -> bool:
    """Returns whether a place is in one of some ordered spans."""
    start, end = spans[max(0, bisect_right(spans, (place, sys.maxsize)) - 1)] if spans else (0, 0)
    return start <= place < end


def _stretches(thoughts: list[Span], text: str) -> Iterator[Span]:
    """Yields the spans of a reply between blocks of reasoning that are not blank."""
    starts = [0, *(end for _start, end in thoughts)]
    ends = [*(start for start, _end in thoughts), len(text)]
    return (span for span in zip(starts, ends, strict=True) if text[slice(*span)].strip())


# Answers in JSON and in lines


def is_led(grammar: Grammar, text: str, start: int) -> bool:
    """Returns whether the text at a place is the value of a label, a key or a heading that names a field."""
    label = _LABEL.search(text, max(0, start - LONGEST_LABEL), start)
    return label is not None and grammar.root.field(label[label.lastindex or 0].strip()) is not None


LONGEST_LABEL = 80
"""Characters of a label in front of an answer, or between a colon and the answer that it introduces."""
_LABEL = re.compile(
    r"""(?:^\#+[ \t]*+([\w -]++)$|(?<![\w-])(?<!\w[ \t])([\w-]++)[*_`"']{0,3}[ \t]?:|([\w-]++)[ \t]?=)"""
    r"""[*_"'\s]*+(?:(?:```|~~~)\w*+\s*+|`)?\Z""",
    re.MULTILINE,
)
"""A heading, or a name in front of a sign. A name that ends a sentence, as in `Here is the code:`, is none."""


def _has_label(grammar: Grammar, text: str, start: int, end: int) -> bool:
    """Returns whether a line of a span begins with the label of a field."""
    place = Place(grammar.root, text, start, end)
    labels = [label_at(place, *line) for line in lines_of(place)] if start < end else []
    return any(label is not None and place.field(label.name) is not None for label in labels)


def _in_lines(plan: Plan, text: str, is_told: bool, start: int, end: int) -> list[Candidate]:
    """Returns the candidates in the lines of a span. An answer has each label once; a repeated label begins another
    answer.
    """
    grammar = grammar_of(plan)
    begins, names = [start], set[str]()
    for line in _LABELLED.finditer(text, start, end):
        found = grammar.root.field(line["name"].strip())
        if found is not None and found[0].name in names:
            begins.append(line.start())
            names.clear()
        if found is not None:
            names.add(found[0].name)
    trees = [read_lines(grammar, text, *span, is_told) for span in pairwise([*begins[-_ANSWERS:], end])]
    return [Candidate(text, tree.root.span, 0, tree, "yaml", has_root=False) for tree in trees if tree and tree.root]


_ANSWERS = 100
"""Answers in lines that are tried, counted from the last."""
_LABELLED = re.compile(r"^(?:(?:```|~~~)\w*+\s*+)?(?P<name>\w[\w -]{0,40}?)[ \t]?:(?![^\W\d]\w*:)", re.MULTILINE)
"""A line that begins with a label, and the fence that it may follow."""


JSON_BEGINS = re.compile(
    r"""\{\s*+(?:["'}\u201c/]|[^\W\d]\w*+["']?\s*+:)|\[\s*+(?:["'\[{\]\d\u201c-]|true|false|null|//)"""
)
"""The beginning of JSON."""


def _in_json(plan: Plan, text: str, taken: list[Span], start: int, end: int) -> list[Candidate]:
    """Returns the candidates in JSON in a span, outside of answers in tags. Each begins at a bracket and ends where the
    search ends. If one never ends, another may begin on a line of its own.
    """
    found: list[Candidate] = []
    position = start
    if is_too_deep(text, start, end):
        return found
    for _ in range(_BRACKETS):
        match = JSON_BEGINS.search(text, position, end)
        if match is None:
            break
        place = match.start()
        around = next((span for span in taken if span[0] <= place < span[1]), None)
        if around is not None:
            position = around[1]
            continue
        read = read_json(Place(grammar_of(plan).root, text, place, end), plan.root_name)
        position = place + 1
        if read is None:
            continue
        if read.says_something:
            found.append(Candidate(text, (place, read.stop), read.cost, read.tree, "json"))
        fresh = None if read.cost < FAULT else _FRESH.search(text, position, read.stop)
        position = max(read.stop, position) if fresh is None else fresh.end() - 1
    return found


_BRACKETS = 32
"""Brackets that are tried as the beginning of JSON."""

_FRESH = re.compile(r"\n[ \t\r]*+\n(?:(?:```|~~~)\w*+[ \t\r]*+\n)?[{\[]")
"""A bracket at the start of a line behind an empty line, perhaps with a fence in front."""
