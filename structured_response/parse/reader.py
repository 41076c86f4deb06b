"""The readers behind one interface: a reply in, the answer that fits best out, with everything found on record.

Whatever could be the answer is read in full, XML by the definition and, where none of that is right, data of other
formats; the one that fits best is the answer. The shortcut has taken the cleanest replies before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from reprlib import Repr
from typing import Any, TypeVar

from pydantic_core import ValidationError

from ..definition import Path, Plan, plain, says_something, show_path
from ..findings import Problem, ProblemKind, Repair, RepairKind, Span
from ..limits import MAX_EXCERPT, MAX_FINDINGS, MAX_REPLY, MAX_TRIED
from ..markup import BLANK, EXAMPLE, FENCES, SURROGATE, is_encodable
from ..models import judge
from ..validate import errors_of, explained, node_at, typed
from .ahead import thoughts
from .elements import Element
from .formats import find_data, read_found
from .found import Found, takes_text
from .how import How
from .items import Dropped, item_of
from .layers import Layer, in_escapes, in_html, in_json_string, in_mail
from .quick import Answer, quick_reader
from .reading import LimitReachedError, Reading
from .refusals import refusal
from .runs import filled
from .sections import without_outer_sections
from .shown import headings, is_shown, place_in
from .structure import Root, build, only_root
from .tokens import Scanner, Tags
from .values import read_values
from .whole import find_whole

__all__ = ["ReplyReader", "read_all", "read_carefully"]

_AS_EVER = How()
_TOKENS = 200
"""Characters that the special tokens at the end of a reply take up."""
_SPECIAL = re.compile(r"(?:<[|\uff5c][\w\u2581-]{1,40}+[|\uff5c]>\s*+(?:[a-z]{1,10}+(?=<[|\uff5c]))?)++\Z")
_ENDS = (">", "}", "]", "`")
"""What an answer ends with that is whole: what stands behind it is none of it."""
_LAYERS = 3
"""Writings that one answer may be escaped in: nobody escapes more often."""

Each = TypeVar("Each")


def read_all(plan: Plan, reply: str, context: Any = None, how: How = _AS_EVER) -> list[Answer]:
    """Every answer of a reply that is not reasoning, in the order of the reply, each with its own findings."""
    how = _asked(how, context)
    whole, replaced = _without_surrogates(reply)
    whole, sections = without_outer_sections(plan, _without_tokens(whole))
    replaced += sections
    whole_answer = _read_whole(plan, whole, how)
    if whole_answer is not None:
        return [_with_repairs(whole_answer, replaced, how)]
    expected = _expected(plan, whole, how)
    roots = [] if expected else _answers(whole, roots_of(plan, whole))
    ranked = [_read_root(plan, whole, root.element, how) for root in roots]
    ranked = ranked or [_read_found(plan, found, how) for found in expected or _found(plan, whole)]
    own = [each for each in ranked if each.example is None]
    if ranked and not own and not _is_echo(plan, ranked, ranked[-1]):
        own = ranked
    return [_with_repairs(each.answer, replaced, how) for each in own]


def read_carefully(plan: Plan, reply: str, context: Any = None, how: How = _AS_EVER) -> Answer:
    """Reads a reply. Raises nothing for what a reply holds; what a model's own validators raise passes through."""
    return _read(plan, reply, _asked(how, context)) if len(reply) <= MAX_REPLY else _too_long(len(reply))


def _asked(how: How, context: Any) -> How:
    return how if context is None else how._replace(context=context)


class ReplyReader:
    """Reads a reply that comes in pieces, to the answer that the whole would give.

    Each piece is scanned for tags as it comes; what the tags mean is worked out by `close`. Of a reply past MAX_REPLY
    nothing is kept.
    """

    def __init__(self, plan: Plan, context: Any = None, how: How = _AS_EVER) -> None:
        self.plan = plan
        self.how = _asked(how, context)
        self.pieces: list[str] = []
        self.waiting: list[str] = []  # without a bracket, so that they are put together once
        self.length = 0
        self.scanner = Scanner(plan)

    def feed(self, text: str) -> None:
        """Takes the next piece."""
        self.length += len(text)
        if self.length > MAX_REPLY:
            self.pieces.clear()
            self.waiting.clear()
            return
        self.pieces.append(text)
        self.waiting.append(text)
        if "<" in text or "\uff1c" in text:
            self._scan()

    def _scan(self) -> None:
        self.scanner.feed(SURROGATE.sub("\ufffd", "".join(self.waiting)))
        self.waiting.clear()

    def close(self) -> Answer:
        """The answer of all that was fed. Raises what a model's own validators raise."""
        if self.length > MAX_REPLY:
            return _too_long(self.length)
        reply = "".join(self.pieces)
        answer = quick_reader(self.plan)(reply, self.how.context) if self.how.takes_clean_xml else None
        if answer is None:
            self._scan()
            answer = _read(self.plan, reply, self.how, self.scanner.close())
        return answer


def _too_long(length: int) -> Answer:
    return _nothing(ProblemKind.LIMIT, f"the reply has {length} characters, more than {MAX_REPLY} (MAX_REPLY)")


def _read(plan: Plan, reply: str, how: How, tags: Tags | None = None) -> Answer:
    """Reads a reply, whose tags may be known."""
    whole, replaced = _without_surrogates(reply)
    said = _without_tokens(whole)
    if len(said) < len(whole):
        tags, place = None, (len(said), len(whole))
        if not said.rstrip().endswith(_ENDS):
            replaced.append(Repair(RepairKind.TEXT_SKIPPED, "$", place, *(whole[slice(*place)],) * 2))
    text, sections = without_outer_sections(plan, said)
    answer = _read_layers(plan, text, how, None if sections else tags)
    return _with_repairs(answer, [*replaced, *sections], how)


def _without_tokens(reply: str) -> str:
    """The reply without the special tokens of a chat template at its end, by which a model says that it has ended."""
    if reply[-_TOKENS:].rstrip().endswith(("|>", "\uff5c>")):
        tokens = _SPECIAL.search(reply, max(0, len(reply) - _TOKENS))
        return reply if tokens is None else reply[: tokens.start()]
    return reply


def _with_repairs(answer: Answer, repairs: list[Repair], how: How) -> Answer:
    """The answer with what was mended in all of the reply before it was found."""
    if not repairs:
        return answer
    answer.repairs = [*repairs, *answer.repairs]
    if not how.repair:
        reading = Reading(repairs[0].span, mends=False)
        for repair in repairs:
            reading.repair(repair.kind, (), repair.span, repair.before, repair.after)
        answer.problems = [*reading.problems, *answer.problems]
        answer.model, answer.is_tolerated = None, answer.is_tolerated and not reading.problems
    return answer


def _expected(plan: Plan, text: str, how: How) -> list[Found]:
    """What could be the answer and is in the format that is expected, where that is another one than XML."""
    if how.format not in ("json", "yaml"):
        return []
    found = _found(plan, text, how.format)
    return [one for one in found if one.limit is None and (one.fit or takes_text(plan.root))]


def _read_layers(plan: Plan, text: str, how: How, tags: Tags | None, left: int = _LAYERS) -> Answer:
    """Reads the answer in a text, or in what its escapes stand for where the answer was escaped as a whole."""
    answer = _read_whole(plan, text, how) or _read_mail(plan, text, how, left)
    if answer is not None:
        return answer
    expected = _expected(plan, text, how)
    if expected:
        ranked = [_read_found(plan, found, how) for found in _last(text, expected, how)]
        return _chosen(plan, text, ranked, len(expected)).answer
    roots = roots_of(plan, text, tags)
    return _read_written(plan, text, roots, _answers(text, roots), how)


def _read_mail(plan: Plan, text: str, how: How, left: int) -> Answer | None:
    """The answer in a text that is quoted, maybe more than once; None where there is none."""
    layer = in_mail(text) if left else None
    answer = None if layer is None else _read_layers(plan, layer.text, how, None, left - 1)
    return None if layer is None or answer is None or not answer.found else _unwrapped(answer, layer, text, how)


def _read_written(
    plan: Plan, text: str, roots: list[Root], answers: list[Root], how: How, left: int = _LAYERS
) -> Answer:
    """The answer in a text as it is written, or in what its escapes stand for: one may be escaped twice. Where the text
    is JSON by itself that fits, its strings may hold tags and escapes of their own.
    """
    if not left or not _may_be_escaped(text, answers):
        return _read_text(plan, text, roots, answers, how).answer
    layer = _layer(text, roots, answers)
    layered = _read_layer(plan, text, layer, how, left)
    if layered is not None and not any(one.fit for one in _found(plan, text, "json")):
        return layered
    read = _read_text(plan, text, roots, answers, how)
    if layered is None and not read.is_data and answers:  # the best one may be escaped where the last is not
        layered = _read_layer(plan, text, in_json_string(text, read.span[0], roots[0].element.start), how, left)
        return layered if layered is not None and _fits_better(layered, read.answer) else read.answer
    if layered is None or not read.answer.problems or _fits_better(read.answer, layered):
        return read.answer
    return layered


def _read_layer(plan: Plan, text: str, layer: Layer | None, how: How, left: int) -> Answer | None:
    """The answer in what the escapes of a text stand for; None where no tags stand in them."""
    if layer is None:
        return None
    inner = roots_of(plan, layer.text)
    inner_answers = _answers(layer.text, inner)
    signs = ("&lt;", "{", "[") if layer.is_string else ("&lt;",)  # what else may be in a string
    if not inner_answers and not any(sign in layer.text for sign in signs):
        return None
    answer = _read_written(plan, layer.text, inner, inner_answers, how, left - 1)
    if not inner_answers and not answer.found:
        return None
    return _unwrapped(answer, layer, text, how)


def _unwrapped(answer: Answer, layer: Layer, text: str, how: How) -> Answer:
    """An answer that was read in a layer of a text as one of the text."""
    whole = Repair(RepairKind.UNWRAPPED, "$", (0, len(text)), _SHORT.repr(text), _SHORT.repr(layer.text))
    answer.repairs = layer.repairs(answer.repairs)
    answer.problems = layer.problems(answer.problems)
    return _with_repairs(answer, [whole], how)


def _may_be_escaped(text: str, answers: list[Root]) -> bool:
    """Whether what `_layer` looks for may be there, at first sight: most texts hold no backslash."""
    return "\\" in text or ("&lt;" in text and not answers)


def _layer(text: str, roots: list[Root], answers: list[Root]) -> Layer | None:
    """What a text is without its escapes, where its answer stands in a JSON string or is escaped as HTML."""
    escaped = _ESCAPED.search(text) if not answers else None
    if not answers and escaped is None:
        return None
    place = answers[-1].element.start if escaped is None else escaped.start()
    first = min(place, roots[0].element.start) if roots else place
    string = in_json_string(text, place, first)
    if string is not None or escaped is None:
        return string
    return in_html(text) if escaped[0] == "&lt;" else in_escapes(text, place)


def _fits_better(answer: Answer, other: Answer) -> bool:
    """Whether an answer is at least as good as another one: by what it fills, then by what is wrong with it. One that
    breaks off has more wrong with it than one field that stands in a text of it.
    """
    return _fit_of(answer) >= _fit_of(other)


def _fit_of(answer: Answer) -> tuple[bool, int, int]:
    given = [held for held in answer.data.values() if held is not None] if isinstance(answer.data, dict) else []
    return answer.found, len(given), -len(answer.problems)


def _read_whole(plan: Plan, text: str, how: How) -> Answer | None:
    """The answer where the text is JSON or YAML from end to end, and all is right with it."""
    whole = find_whole(plan, text, how.format) if how.format != "xml" else None
    if whole is None:
        return None
    read = _read_found(plan, whole, how)
    is_right = read.answer.found and not read.answer.problems and not _is_echo(plan, [read], read)
    return read.answer if is_right else None


def _read_text(plan: Plan, text: str, found: list[Root], answers: list[Root], how: How) -> _Candidate:
    """The answer that fits best: of XML, and where none of that is right, of other formats. Of all that was found
    `answers` are those that can be the answer: all of them hold something, or none.
    """
    eligible = _best(plan, text, answers, how)
    ranked = [_read_root(plan, text, root.element, how) for root in eligible]
    others = [] if _is_enough(text, eligible, ranked, how) else _last(text, _found(plan, text), how)
    count = len(found) + len(others)
    if others:
        ranked = _with_others(plan, text, eligible, ranked, others, how)
        outer = [each for each in ranked if not any(_holds(other, each) for other in ranked)]
        count, ranked = count - len(ranked) + len(outer), outer
    elif eligible and not _holds_something(eligible[0]) and refusal(text):
        ranked = []
    if not ranked:
        return _Candidate(_why_nothing(plan, text, found), (0, len(text)))
    return _chosen(plan, text, ranked, count)


def _with_others(
    plan: Plan, text: str, roots: list[Root], ranked: list[_Candidate], others: list[Found], how: How
) -> list[_Candidate]:
    """What was read of XML, and what other formats give. A tag that holds nothing is only mentioned where data stands
    that has an end.
    """
    ends = [_has_end(text, other) for other in others]
    if any(ends):
        ranked = [read for root, read in zip(roots, ranked, strict=True) if _holds_something(root)]
    return ranked + [_read_found(plan, other, how, has_end) for other, has_end in zip(others, ends, strict=True)]


def _is_enough(text: str, roots: list[Root], ranked: list[_Candidate], how: How) -> bool:
    """Whether nothing else than XML is looked for."""
    if how.format == "xml" and roots and _holds_something(roots[0]):
        return True  # whatever else stands there
    return any(map(_is_mostly_right, roots, ranked)) and not _JSON.search(text, 0, roots[0].element.start)


def _is_mostly_right(root: Root, read: _Candidate) -> bool:
    """Whether an answer of XML has more in it than is wrong with it, so that nothing else is looked for."""
    problems = len(read.answer.problems)
    return read.answer.found and read.example is None and (not problems or problems <= len(filled(root.element)) // 2)


def _has_end(text: str, found: Found) -> bool:
    """Whether data in another format has an end of its own, brackets or a fence, so that nothing else has to end it."""
    if found.form in ("JSON", "Python"):
        return found.is_whole
    return text[found.span[1] :].lstrip(BLANK).startswith(FENCES)


def _chosen(plan: Plan, text: str, ranked: list[_Candidate], count: int) -> _Candidate:
    """The best of some readings; that it was chosen among `count` is on record."""
    if count == 1 and ranked[0].example is None and EXAMPLE not in text:
        return ranked[0]
    ranked.sort(key=lambda each: each.span)
    best = max(range(len(ranked)), key=lambda index: (ranked[index].rank(), index))
    if _is_echo(plan, ranked, ranked[best]):
        return _Candidate(_only_examples(text, ranked[best].span), ranked[best].span)
    answer, span = ranked[best].answer, ranked[best].span
    if answer.found and count > 1:
        answer.repairs = [_choice(text, span), *answer.repairs]
    shown = [place for place in headings(text) if not span[0] <= place[0] < span[1]]
    if ranked[best].example is None:
        shown += [each.span for each in ranked if each.example is not None]
    answer.repairs = [*(_repeated(text, place) for place in sorted(shown)), *answer.repairs]
    for fragment in ranked[best + 1 :] if ranked[best].example is None else ():
        _doubt(plan, ranked[best], fragment)
    return ranked[best]


def _doubt(plan: Plan, chosen: _Candidate, fragment: _Candidate) -> None:
    """Puts on record what a fragment behind an answer says otherwise, as one does who corrects a single field."""
    answer, said = chosen.answer, fragment.answer
    if fragment.span[0] < chosen.span[1] or not _is_fragment(fragment) or not isinstance(answer.data, dict):
        return
    known = {problem.path for problem in answer.problems}
    for name, value in said.data.items():
        before = answer.data.get(name)
        path = show_path((name,))
        if value in _NO_VALUES or before == value or path in known:
            continue
        shown = tuple(str(plain(each)) for each in (before, value) if each is not None)
        message = "another value stands behind the answer"
        doubt = Problem(ProblemKind.AMBIGUOUS, path, message, shown[0], shown, fragment.span)
        answer.problems = [*answer.problems, doubt]
        node = plan.root.fields[name].node if name in plan.root.fields else None
        if node is not None and node.kind not in _KEPT:
            answer.data = _with_none(answer.data, (name,))
        answer.model, answer.is_tolerated = None, False


_NO_VALUES: tuple[object, ...] = (None, "", "...", "\u2026", [], ["..."], ["\u2026"], {})
"""What stands in an element that shows no more than its tags."""


def _is_fragment(read: _Candidate) -> bool:
    """Whether a reading is a part of an answer: some fields, each with its closing tag, and nothing wrong but what it
    lacks; a root without a tag has no end either.
    """
    wrong = {problem.kind for problem in read.answer.problems if problem.path != "$"}
    is_closed = all(repair.kind is not RepairKind.CLOSER_MISSING for repair in read.answer.repairs)
    is_own = read.example is None and isinstance(read.answer.data, dict)
    return wrong == {ProblemKind.MISSING} and is_closed and is_own and read.answer.truncated in (None, "$")


def _is_echo(plan: Plan, ranked: list[_Candidate], best: _Candidate) -> bool:
    """Whether the best reading is a repeated example. One that says nothing of its own, alone, may be an answer."""
    if best.example is None:
        return False
    return len({each.example for each in ranked}) > 1 or says_something(plan.root, best.answer.data)


def _repeated(text: str, span: Span) -> Repair:
    """An example that the reply repeats, on record."""
    said = _SHORT.repr(text[slice(*span)])
    return Repair(RepairKind.EXAMPLE_SKIPPED, "$", span, said, said)


def _holds(outer: _Candidate, inner: _Candidate) -> bool:
    """Whether one reading stands inside of another, as tags in the strings of JSON and braces in those of XML do. Of
    such tags some may have no end, so that what they open seems to end further on.
    """
    if outer is inner or not outer.answer.data or outer.is_data == inner.is_data:
        return False
    if outer.root is not None and inner.has_end and not _is_closed(outer.root):  # a tag that prose mentions
        return any(child.start <= inner.span[0] < child.end for child in outer.root.children)
    return outer.span[0] <= inner.span[0] and (inner.span[1] if inner.is_data else inner.span[0]) <= outer.span[1]


_JSON = re.compile(r"[{\[]")
_ESCAPED = re.compile(
    r"""
    &lt; | <[^\W\d][^<>\\]*+\\\"            # the bracket of a tag, the quotes of its attributes
    | [{\[](?=(?:\\[nrt]|\s)*+\\\")         # JSON
    """,
    re.VERBOSE,
)
"""The sign of an answer that is escaped."""
_SHORT = Repr()
_SHORT.maxstring = 200


def roots_of(plan: Plan, text: str, tags: Tags | None = None) -> list[Root]:
    """Every answer in a text, whose tags may be known."""
    if tags is not None:
        return build(plan, tags, text)
    only = only_root(plan, text)
    return build(plan, _tags(plan, text), text) if only is None else [only]


def _tags(plan: Plan, text: str) -> Tags:
    scanner = Scanner(plan)
    scanner.feed(text)
    return scanner.close()


def _found(plan: Plan, text: str, form: str | None = None) -> list[Found]:
    """All that could be the answer in other formats, reasoning and the prompt's examples aside. What begins in
    reasoning may seem to end behind it and hide the answer, so that is looked for again without the reasoning.
    """
    found = find_data(plan, text, form)
    thinking = thoughts(plan, _tags(plan, text)) if "</" in text and (found or _JSON.search(text)) else []
    spans = [one.span for one in found if one.problem is None]
    aloud = [span for span in thinking if not _is_within(span, spans)]  # the others are a part of some data
    if aloud:
        found = find_data(plan, _blanked(text, aloud), form)
    return [one for one in found if not is_shown(text, one.span[0])]


def _blanked(text: str, spans: list[Span]) -> str:
    """The text with blanks in place of some stretches, which are in their order."""
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
        position = end
    return "".join([*parts, text[position:]])


def _is_within(span: Span, outer: list[Span]) -> bool:
    """Whether a span lies in one of some others, which are in their order and do not overlap."""
    index = bisect_right(outer, span) - 1
    return index >= 0 and span[1] <= outer[index][1]


def _answers(text: str, roots: list[Root]) -> list[Root]:
    """Those that can be the answer: no reasoning, no example of the prompt, and no tag that prose only mentions."""
    outside = [root for root in roots if not root.reasoning and not is_shown(text, root.element.start)]
    return [root for root in outside if _holds_something(root)] or outside if len(outside) > 1 else outside


def _holds_something(root: Root) -> bool:
    """Whether it is more than a tag that prose mentions."""
    return bool(root.element.children) or _is_closed(root.element)


def _is_closed(element: Element) -> bool:
    return element.end > element.inner_end or element.end == element.inner_start


def _most(how: How) -> int:
    """How many answers are read in full: all examples may be among them."""
    return MAX_TRIED + len(how.examples)


def _last(text: str, found: list[Found], how: How) -> list[Found]:
    """The last few answers in other formats."""
    return _distinct(text, found, lambda one: one.span, how)[-_most(how) :]


def _best(plan: Plan, text: str, roots: list[Root], how: How) -> list[Root]:
    """The few that hold most of what is required, in their order."""
    most = _most(how)
    if len(roots) > most:
        roots = _distinct(text, roots, lambda root: (root.element.start, root.element.end), how)
    if len(roots) <= most:
        return roots
    required = {name for name, field in plan.root.fields.items() if field.required}
    counts = [len(required & filled(root.element)) for root in roots]
    order = sorted(range(len(roots)), key=lambda index: (counts[index], len(roots[index].element.children), index))
    return [roots[index] for index in sorted(order[-most:])]


def _distinct(text: str, answers: list[Each], span: Callable[[Each], Span], how: How) -> list[Each]:
    """Each text once, where it stands last, if there are too many: an example may be repeated often."""
    if len(answers) <= _most(how) or not how.examples:
        return answers
    return sorted({text[slice(*span(each))]: each for each in answers}.values(), key=span)


def _nothing(kind: ProblemKind, message: str, span: Span | None = None, said: str | None = None) -> Answer:
    return Answer(problems=[Problem(kind, "$", message, said, span=span)], found=False)


def _why_nothing(plan: Plan, reply: str, found: list[Root]) -> Answer:
    if not reply.strip():
        return _nothing(ProblemKind.NO_ANSWER, "the reply is empty")
    said = refusal(reply)
    if said is not None:
        return _nothing(ProblemKind.REFUSAL, "the reply declines to answer", said, reply[slice(*said)])
    shown = next(headings(reply), None)
    if shown is not None:
        return _only_examples(reply, shown)
    if found:
        place = (found[-1].element.start, found[-1].element.end)
        return _nothing(ProblemKind.NO_ANSWER, "the only answer stands in a block of reasoning", place)
    return _nothing(ProblemKind.NO_ANSWER, f"no <{plan.root_name}> element in the reply")


def _only_examples(reply: str, place: Span) -> Answer:
    message = "the reply repeats the prompt's examples and gives no answer"
    return _nothing(ProblemKind.NO_ANSWER, message, place, reply[slice(*place)])


def _without_surrogates(reply: str) -> tuple[str, list[Repair]]:
    """The reply with U+FFFD for each half of a surrogate pair, which no XML and no UTF-8 can hold."""
    if is_encodable(reply):
        return reply, []
    places = [match.span() for match in SURROGATE.finditer(reply)]
    if len(places) > MAX_FINDINGS // 2:  # the rest of them as one
        places[MAX_FINDINGS // 2 :] = [(places[MAX_FINDINGS // 2][0], places[-1][1])]
    repairs = [
        Repair(
            RepairKind.SURROGATE_REPLACED,
            "$",
            (start, end),
            reply[start:end],
            SURROGATE.sub("\ufffd", reply[start:end]),
        )
        for start, end in places
    ]
    return SURROGATE.sub("\ufffd", reply), repairs


def _choice(reply: str, span: Span) -> Repair:
    tag = reply[span[0] : reply.find(">", span[0]) + 1 or span[1]][:MAX_EXCERPT]
    return Repair(RepairKind.CANDIDATE_CHOSEN, "$", span, tag, tag)


@dataclass(slots=True)
class _Candidate:
    """An answer that was read. `example` says which example it has the data of; `is_own`, that it says something that
    no example does. `root` is the element of XML; `has_end` tells of data that nothing else has to end it.
    """

    answer: Answer
    span: Span
    is_data: bool = False
    is_own: bool = False
    example: int | None = None
    root: Element | None = None
    has_end: bool = False

    def rank(self) -> tuple[bool, bool, int, bool, int]:
        """How well it fits: by whether it is more than a repeated example, by problems, by whether it holds anything,
        by repairs that say something against it.
        """
        answer = self.answer
        mended = [repair for repair in answer.repairs if repair.kind not in _SAYS_NOTHING]
        return answer.found, self.is_own, -len(answer.problems), bool(answer.data), -len(mended)


_SAYS_NOTHING = frozenset(
    {
        RepairKind.COMMENT_DROPPED,
        RepairKind.FENCE_REMOVED,
        RepairKind.NULL_WORD,
        RepairKind.OPTION_CHOSEN,
        RepairKind.UNESCAPED,
    }
)
"""Ways of writing that damage nothing: a bare `&` or `<`, a word for null, a fence or a comment in a value, a text that
fits more than one option.
"""


def _candidate(
    plan: Plan, reading: Reading, how: How, root: Element | None = None, has_end: bool = False
) -> _Candidate:
    """What was read, validated: in XML from a root."""
    answer = _validated(plan, reading, how)
    example = place_in(how.examples, plan, answer.data) if how.examples else None
    is_own = example is None and (not how.examples or bool(answer.data))
    return _Candidate(answer, reading.span, root is None, is_own, example, root, has_end)


def _read_root(plan: Plan, reply: str, root: Element, how: How) -> _Candidate:
    reading = Reading((root.start, root.end), mends=how.repair)
    if how.format not in (None, "xml"):
        reading.repair(RepairKind.FORMAT_READ, (), reading.span, "XML", "XML")
    try:
        if root.head.tag and root.head.tag != plan.root_name:
            tag = (root.start, root.inner_start)
            reading.repair(RepairKind.NAME_RESPELLED, (), tag, root.head.tag, plan.root_name)
        read_values(plan.root, root, reply, reading)
    except LimitReachedError as limit:
        return _Candidate(Answer(problems=[limit.problem], found=False), reading.span)
    except RecursionError:
        message = "nested deeper than what is left of Python's stack"
        return _Candidate(_nothing(ProblemKind.LIMIT, message, reading.span), reading.span)
    return _candidate(plan, reading, how, root)


def _read_found(plan: Plan, found: Found, how: How, has_end: bool = False) -> _Candidate:
    """Reads an answer in another format than XML."""
    reading = Reading(found.span, mends=how.repair)
    try:
        read_found(plan, found, reading, how.format)
    except LimitReachedError as limit:
        return _Candidate(Answer(problems=[limit.problem], found=False), reading.span, is_data=True, has_end=has_end)
    return _candidate(plan, reading, how, has_end=has_end)


def _validated(plan: Plan, reading: Reading, how: How) -> Answer:
    """The answer that a reading gives, typed and judged; what is wrong holds None (a str its text)."""
    dropped = Dropped()
    data, model = _judged(plan, reading, _typed(plan, reading), how, dropped)
    while how.on_bad_item == "drop" and dropped.drop(plan, reading, data):
        data, model = _judged(plan, reading, data, how, dropped)
    truncated = None if reading.truncated is None else show_path(reading.truncated)
    model = None if reading.problems else model
    answer = Answer(data, True, model, reading.repairs, reading.problems, truncated=truncated)
    if how.on_bad_item == "keep" and not reading.overflowed:
        answer.is_tolerated = all(item_of(plan, path) is not None for path in reading.bad)
    return answer


def _judged(plan: Plan, reading: Reading, data: Any, how: How, dropped: Dropped) -> tuple[Any, Any]:
    """The data, with None where the model refuses a scalar, and the model's instance where it refuses nothing."""
    try:
        return data, judge(plan)(data, how.context)
    except ValidationError as error:
        return _note(plan, reading, data, error, dropped), None


def _typed(plan: Plan, reading: Reading) -> Any:
    """The tree with its texts typed. None takes the place of what cannot be typed, which `_note` has recorded."""
    try:
        return typed(plan).validate_python(reading.tree)
    except ValidationError as error:
        tree = _note(plan, reading, reading.tree, error, Dropped())
        for path, _detail in errors_of(plan, error):
            tree = _with_none(tree, path)
        return typed(plan).validate_python(tree)


def _note(plan: Plan, reading: Reading, data: Any, error: ValidationError, dropped: Dropped) -> Any:
    """Puts the errors of a validation on record, and None in place of the scalars that they name."""
    for found, detail in errors_of(plan, error):
        path = dropped.place(found)
        if path in reading.around_bad:
            continue  # it follows from what is wrong in there
        kind, message, said = explained(detail)
        reading.problem(kind, path, message, reading.place(path), said)
        node = node_at(plan.root, path) if kind is ProblemKind.INVALID else None
        if node is not None and node.kind not in _KEPT:
            data = _with_none(data, found)
    return data


_KEPT = ("str", "dict", "list", "map", "tuple")
"""Kinds whose invalid values stay in the data: texts, and what holds other values."""


def _with_none(data: Any, path: Path) -> Any:
    if not path:
        return None
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = None
    return data
