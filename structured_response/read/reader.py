"""The reader: a reply in, the answer that fits best out, with everything found on record.

Whatever could be the answer is a candidate: each root element in the reply, JSON, lines. Each is read by the search
on its own, and validated; the one that satisfies the definition best is the answer, of equal ones that with the fewest
repairs, of equal ones the last. Reasoning never wins.
"""

from __future__ import annotations

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
from .refusals import refusal
from .scan import CLOSE, EMPTY, OPEN, REASONING, Scan, Tokens
from .search import Reading, Search
from .validate import validated

__all__ = ["read_all", "read_carefully"]

@dataclass(slots=True)
class Candidate:
    """What could be the answer: where it stands, what its reading cost, and, once read, what it says."""

    span: Span
    cost: int
    tree: Tree
    form: str = "xml"
    is_reasoning: bool = False
    answer: Answer | None = None
    is_echo: bool = False
    has_root: bool = True

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


def _candidates(plan: Plan, text: str, how: How) -> list[Candidate]:
    """What could be the answer, in the order of the reply."""
    return _in_tags(plan, text)


def _in_tags(plan: Plan, text: str) -> list[Candidate]:
    """The answers in tags: from each root's opening tag as far as the search follows it."""
    grammar = grammar_of(plan)
    tokens = _scan(plan).scan(text)
    roots = [
        index for index, name in enumerate(tokens.names) if tokens.kinds[index] in (OPEN, EMPTY) and fold(name) in grammar.root_names
    ]
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
    return Candidate(tree.root.span, reading.cost, tree), max(reading.end - 1, index + 1)


def _fits(state: State, text: str, tokens: Tokens, index: int) -> bool:
    """Whether the text in front of a token could be a value of a state's kind, at first sight."""
    piece = text[tokens.ends[index - 1] if index else 0 : tokens.starts[index]]
    return len(piece) < _LONGEST_VALUE and state.shape.may_be(piece)


_LONGEST_VALUE = 400
"""Characters of a value with an explanation; a longer text is one that swallowed others."""


def _mark_reasoning(tokens: Tokens, found: list[Candidate], grammar: Grammar) -> None:
    """Marks the answers that stand in blocks of reasoning."""
    depth, start = 0, 0
    blocks: list[Span] = []
    for index, name in enumerate(tokens.names):
        key = fold(name)
        if key not in REASONING or key in grammar.names:
            continue
        place = tokens.starts[index]
        if any(each.span[0] < place < each.span[1] for each in found) and not depth and tokens.kinds[index] == OPEN:
            continue
        if tokens.kinds[index] == OPEN:
            start = start if depth else place
            depth += 1
        elif tokens.kinds[index] == CLOSE:
            depth = max(depth - 1, 0)
            if not depth:
                blocks.append((start if blocks or start else 0, tokens.ends[index]))
                start = tokens.ends[index]
    if depth and found:
        blocks.append((start, found[-1].span[0]))
    for candidate in found:
        candidate.is_reasoning = any(block[0] <= candidate.span[0] < block[1] for block in blocks)


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
    account = Account(candidate.span, mends=how.repair)
    if (how.format or "xml") != candidate.form:
        account.repair(RepairKind.FORMAT_READ, (), candidate.span, candidate.form.upper(), candidate.form.upper())
    try:
        read_tree(grammar_of(plan), text, candidate.tree, account)
    except (LimitReachedError, RecursionError) as error:
        message = str(error) if isinstance(error, LimitReachedError) else "nested deeper than Python's stack allows"
        candidate.answer = no_answer(ProblemKind.LIMIT, message, candidate.span)
        return
    candidate.answer = validated(plan, account, how)
    candidate.is_echo = account.values > 0 and account.placeholders >= account.values
    if how.examples and not candidate.is_echo:
        said = gist(plan.root, candidate.answer.data)
        candidate.is_echo = any(said in example for example in how.examples) and says_something(
            plan.root, candidate.answer.data
        )
    if isinstance(candidate.answer.data, dict) and not candidate.answer.data and not candidate.has_root:
        candidate.answer.found = False


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
