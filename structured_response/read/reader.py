"""The reader: a reply in, the answer that fits best out, with everything found on record.

Whatever could be the answer is a candidate: each root element in the reply, JSON, lines. Each is read by the search
on its own, and validated; the one that satisfies the definition best is the answer, of equal ones that with the fewest
repairs, of equal ones the last. Reasoning never wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from reprlib import Repr
from typing import Any

from ..definition import Plan, fold, gist, per_plan, says_something
from ..findings import ProblemKind, Repair, RepairKind, Span
from ..limits import MAX_EXCERPT, MAX_REPLY, MAX_TRIED
from ..markup import SURROGATE
from .account import Account
from .answer import Answer, How, no_answer
from .build import Tree, build
from .data import LimitReachedError, read_tree
from .grammar import Grammar, State, grammar_of
from .layers import Layer, escaped_html, escaped_tag, layer_around
from .refusals import refusal
from .scan import CLOSE, EMPTY, OPEN, REASONING, Scan, Tokens
from .scan_json import read_json
from .scan_lines import read_lines
from .search import Search
from .validate import validated

__all__ = ["read_all", "read_carefully"]

@dataclass(slots=True)
class Candidate:
    """What could be the answer: where it stands, what its reading cost, and, once read, what it says."""

    text: str
    span: Span
    cost: int
    tree: Tree
    form: str = "xml"
    is_reasoning: bool = False
    answer: Answer | None = None
    is_echo: bool = False
    has_root: bool = True
    layers: tuple[Layer, ...] = ()

    def within(self, layer: Layer) -> Candidate:
        """The same candidate as one of the text that a layer was made of."""
        self.layers = (*self.layers, layer)
        self.span = layer.span(self.span)
        return self

    def rank(self) -> tuple[Any, ...]:
        """How well it fits: by problems, by whether it holds anything, by repairs that say something against it."""
        answer = self.answer
        assert answer is not None
        mended = [repair for repair in answer.repairs if repair.kind not in _HARMLESS]
        return answer.found, not self.is_echo, -len(answer.problems), bool(answer.data), -len(mended)


_HARMLESS = frozenset({RepairKind.NULL_WORD, RepairKind.UNESCAPED, RepairKind.TEXT_SKIPPED})
"""Repairs that say nothing against an answer."""


def read_carefully(plan: Plan, reply: str, context: Any, how: How) -> Answer:
    """Reads a reply. Raises nothing for what a reply holds; what a model's own validators raise passes through."""
    if len(reply) > MAX_REPLY:
        message = f"the reply has {len(reply)} characters, more than {MAX_REPLY} (MAX_REPLY)"
        return no_answer(ProblemKind.LIMIT, message)
    how = how if context is None else how._replace(context=context)
    text, replaced = _without_surrogates(reply)
    candidates = _candidates(plan, text, how)
    answer = _chosen(plan, text, candidates, how)
    if replaced:
        answer.repairs = [*replaced, *answer.repairs]
    return answer


def read_all(plan: Plan, reply: str, context: Any, how: How) -> list[Answer]:
    """Every answer of a reply that is not reasoning, in the order of the reply, each with its own findings."""
    how = how if context is None else how._replace(context=context)
    text, _replaced = _without_surrogates(reply)
    found = [each for each in _candidates(plan, text, how) if not each.is_reasoning]
    for candidate in found:
        _read(plan, text, candidate, how)
    return [each.answer for each in found if each.answer is not None and each.answer.found and not each.is_echo]


def _without_surrogates(reply: str) -> tuple[str, list[Repair]]:
    """The reply with halves of surrogate pairs, which no text may hold, as U+FFFD."""
    if reply.isascii() or SURROGATE.search(reply) is None:
        return reply, []
    repairs = [Repair(RepairKind.UNESCAPED, "$", match.span(), match[0], "\ufffd") for match in SURROGATE.finditer(reply)]
    return SURROGATE.sub("\ufffd", reply), repairs[:100]


# Candidates


@per_plan
def _scan(plan: Plan) -> Scan:
    return Scan(grammar_of(plan).names)


def _candidates(plan: Plan, text: str, how: How, layers: int = 0) -> list[Candidate]:
    """What could be the answer, in the order of the reply. Another format is looked for where no tags answer."""
    grammar = grammar_of(plan)
    found = _in_tags(plan, text)
    rooted = [each for each in found if each.has_root]
    layer = _layer(plan, text, rooted or found) if layers < _LAYERS else None
    if layer is not None:
        inner = _candidates(plan, layer.text, how, layers + 1)
        if any(each.has_root or not rooted for each in inner):
            return [each.within(layer) for each in inner]
    if how.format in (None, "xml") and rooted and _is_certain(text, rooted):
        return found
    found += _in_json(plan, text, [each.span for each in rooted])
    if not any(each.has_root for each in found):
        tree = read_lines(grammar, text, 0, len(text))
        if tree is not None and tree.root is not None:
            found.append(Candidate(text, tree.root.span, 0, tree, "yaml", has_root=False))
    return sorted(found, key=lambda each: each.span)


_LAYERS = 3
"""Times that an answer may be escaped: nobody escapes more often."""


def _layer(plan: Plan, text: str, found: list[Candidate]) -> Layer | None:
    """The reply with its escapes decoded, where the answer is escaped as a whole."""
    grammar = grammar_of(plan)
    if any(each.has_root for each in found):
        return layer_around(text, found[-1].span)
    place = escaped_tag(text, grammar.root_names | {fold(name) for name in grammar.root.fields}, fold)
    sign = _SIGN.search(text)
    start = place if place >= 0 else sign.start() if sign is not None else 0
    around = layer_around(text, found[-1].span if found and place < 0 else (start, start))
    return around or (escaped_html(text) if place >= 0 else None)


_SIGN = re.compile(r"[<{\[]")
"""A sign with which an answer may begin."""


def _is_certain(text: str, rooted: list[Candidate]) -> bool:
    """Whether no JSON stands in front of the answers in tags or behind them."""
    start, end = rooted[0].span[0], rooted[-1].span[1]
    return _JSON.search(text, 0, start) is None and _JSON.search(text, end) is None


_JSON = re.compile(r"""\{\s*+(?:["'}\u201c/]|[^\W\d]\w*+["']?\s*+:)|\[\s*+(?:["'\[{\]\d\u201c-]|true|false|null|//)""")
"""The beginning of JSON."""


def _in_json(plan: Plan, text: str, taken: list[Span]) -> list[Candidate]:
    """The answers in JSON, from each bracket that may begin one as far as the search follows it; those inside of
    answers in tags aside.
    """
    grammar = grammar_of(plan)
    found: list[Candidate] = []
    position = 0
    for _ in range(_BRACKETS):
        match = _JSON.search(text, position)
        if match is None:
            break
        place = match.start()
        around = next((span for span in taken if span[0] <= place < span[1]), None)
        if around is not None:
            position = around[1]
            continue
        read = read_json(grammar, grammar.root, plan.root_name, text, place, len(text))
        position = place + 1
        if read is not None and read[0].root is not None:
            tree, cost, end = read
            has_children = any(child.role != "skipped" for child in tree.root.children)  # type: ignore[union-attr]
            if has_children or end - place > _SHORTEST:
                found.append(Candidate(text, (place, end), cost, tree, "json", has_root=has_children))
                position = max(end, place + 1)
    return found


_BRACKETS = 32
"""Brackets at which JSON may begin that are tried."""

_SHORTEST = 40
"""Characters of JSON that holds nothing of the answer and is passed over as a whole."""


def _in_tags(plan: Plan, text: str) -> list[Candidate]:
    """The answers in tags: from each root's opening tag as far as the search follows it."""
    if "<" not in text and "\uff1c" not in text:
        return []
    grammar = grammar_of(plan)
    tokens = _scan(plan).scan(text)
    names = grammar.root_names
    roots = [index for index, tag in enumerate(tokens.tags) if tag.folded in names and tag.kind in (OPEN, EMPTY)]
    found: list[Candidate] = []
    position = 0
    for root in roots:
        if root < position:
            continue
        candidate, position = _search(grammar, text, tokens, root)
        if candidate is not None:
            found.append(candidate)
    if not roots and len(tokens) > 1:
        candidate, _end = _search(grammar, text, tokens, 0)
        if candidate is not None:
            candidate.has_root = False
            found.append(candidate)
    _mark_reasoning(tokens, found, grammar)
    return found


def _search(grammar: Grammar, text: str, tokens: Tokens, index: int) -> tuple[Candidate | None, int]:
    """The answer that begins at a token or behind it, and the token behind it."""
    search = Search(grammar, grammar.start, index, lambda state, at: _fits(state, text, tokens, at))
    search.run(tokens.symbols, len(tokens) - 1)
    reading = search.reading()
    if reading is None:
        return None, len(tokens)
    tree = build(tokens, reading.way, tokens.ends[index - 1] if index else 0)
    if tree.root is None:
        return None, max(reading.end, index + 1)
    return Candidate(text, tree.root.span, reading.cost, tree), max(reading.end - 1, index + 1)


def _fits(state: State, text: str, tokens: Tokens, index: int) -> bool:
    """Whether the text in front of a token could be a value of a state's kind, at first sight."""
    piece = text[tokens.ends[index - 1] if index else 0 : tokens.starts[index]]
    return len(piece) < _LONGEST_VALUE and state.shape.may_be(piece)


_LONGEST_VALUE = 400
"""Characters of a value with an explanation; a longer text is one that swallowed others."""


def _mark_reasoning(tokens: Tokens, found: list[Candidate], grammar: Grammar) -> None:
    """Marks the answers that stand in blocks of reasoning."""
    blocks = list(_blocks(tokens, found, grammar))
    for candidate in found:
        candidate.is_reasoning = any(start <= candidate.span[0] < end for start, end in blocks)


def _blocks(tokens: Tokens, found: list[Candidate], grammar: Grammar) -> Iterator[Span]:
    """The outermost blocks of reasoning. One that was never opened began with the reply; one that never ends ends at
    the last answer in it. Tags in the texts of answers outside of them don't count.
    """
    depth, start, is_first = 0, 0, True
    names = REASONING - grammar.names
    for index, tag in enumerate(tokens.tags):
        place = tokens.starts[index]
        if tag.folded not in names or (not depth and _is_within(found, place)):
            continue
        if tag.kind == OPEN:
            start = start if depth else place
            depth += 1
        elif tag.kind == CLOSE and (depth == 1 or (not depth and is_first)):
            yield (start if depth else 0), tokens.ends[index]
            depth, is_first = 0, False
        elif tag.kind == CLOSE:
            depth = max(0, depth - 1)
    if depth and found:
        yield start, found[-1].span[0]


def _is_within(found: list[Candidate], place: int) -> bool:
    """Whether a place is in an answer that has its closing tag."""
    return any(each.span[0] < place < each.span[1] and each.tree.root and each.tree.root.is_closed for each in found)


# The choice


def _chosen(plan: Plan, text: str, candidates: list[Candidate], how: How) -> Answer:
    """The answer among some candidates; that there were several is on record."""
    eligible = [each for each in candidates if not each.is_reasoning]
    if not eligible:
        return _why_nothing(plan, text, candidates)
    for candidate in sorted(eligible, key=lambda each: (each.tree.is_given_up, each.cost, -each.span[0]))[:MAX_TRIED]:
        _read(plan, text, candidate, how)
    read = [each for each in eligible if each.answer is not None]
    best = max(range(len(read)), key=lambda index: (*read[index].rank(), index))
    chosen = read[best]
    answer = chosen.answer
    assert answer is not None
    if not answer.found or chosen.is_echo:
        return answer if answer.problems and not chosen.is_echo else _why_nothing(plan, text, candidates)
    rivals = [each for each in candidates if each is not chosen and each.tree.root and each.tree.root.children]
    if rivals:
        start, end = chosen.span
        tag = text[start : text.find(">", start) + 1 or end][:MAX_EXCERPT]
        answer.repairs = [Repair(RepairKind.CANDIDATE_CHOSEN, "$", chosen.span, tag, tag), *answer.repairs]
    return answer


def _read(plan: Plan, text: str, candidate: Candidate, how: How) -> None:
    """Reads a candidate in full."""
    root = candidate.tree.root
    assert root is not None
    account = Account(root.span, mends=how.repair)
    if (how.format or "xml") != candidate.form:
        name = candidate.form.upper()
        account.repair(RepairKind.FORMAT_READ, (), root.span, name, name)
    try:
        read_tree(grammar_of(plan), candidate.text, candidate.tree, account)
    except (LimitReachedError, RecursionError) as error:
        message = str(error) if isinstance(error, LimitReachedError) else "nested deeper than Python's stack allows"
        candidate.answer = no_answer(ProblemKind.LIMIT, message, candidate.span)
        return
    answer = candidate.answer = validated(plan, account, how)
    candidate.is_echo = account.values > 0 and account.placeholders >= account.values
    if how.examples and not candidate.is_echo:
        said = gist(plan.root, answer.data)
        candidate.is_echo = any(said in example for example in how.examples) and says_something(plan.root, answer.data)
    if isinstance(answer.data, dict) and not answer.data and not candidate.has_root:
        answer.found = False
    for layer in candidate.layers:
        answer.repairs = layer.repairs(answer.repairs)
        answer.problems = layer.problems(answer.problems)
        source = layer.source
        whole = Repair(RepairKind.UNWRAPPED, "$", (0, len(source)), shortened(source), shortened(layer.text))
        answer.repairs = [whole, *answer.repairs]


def _why_nothing(plan: Plan, text: str, candidates: list[Candidate]) -> Answer:
    """Why a reply holds no answer."""
    if not text.strip():
        return no_answer(ProblemKind.NO_ANSWER, "the reply is empty")
    said = refusal(text)
    if said is not None:
        return no_answer(ProblemKind.REFUSAL, "the reply declines to answer", said, text[slice(*said)])
    if any(each.is_echo for each in candidates):
        place = next(each.span for each in candidates if each.is_echo)
        message = "the reply repeats the prompt and gives no answer"
        return no_answer(ProblemKind.NO_ANSWER, message, place, shortened(text[slice(*place)]))
    if candidates:
        message = "the only answer stands in a block of reasoning"
        return no_answer(ProblemKind.NO_ANSWER, message, candidates[-1].span)
    return no_answer(ProblemKind.NO_ANSWER, f"no <{plan.root_name}> element in the reply")


def shortened(text: str) -> str:
    """A text as a finding shows it that is about all of it."""
    return _SHORT.repr(text)


_SHORT = Repr()
_SHORT.maxstring = 200
