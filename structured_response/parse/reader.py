"""The readers behind one interface: a reply in, the answer that fits best out, with everything found on record.

Whatever could be the answer is read in full, XML by the definition and, where none of that is right, data of other
formats; the one that fits best is the answer. The shortcut has taken the cleanest replies before.
"""

from __future__ import annotations

import re
from typing import Any

from ..definition import Plan
from ..findings import ProblemKind, Repair, RepairKind
from ..limits import MAX_REPLY
from ..markup import BLANK, FENCES, LABELLED, SURROGATE
from ..write import ITEMS, tag_names
from .candidates import Candidate, read_in_format, read_root
from .choosing import chosen, holds, is_echo, shortened
from .data.found import Found, may_hold, takes_text
from .data.layers import Layer, in_brackets, in_escapes, in_html, in_json_string, in_mail, in_markdown, in_references
from .data.whole import find_whole
from .eligible import JSON_SIGN, answers_of, best_few, data_in, holds_something, last_few, roots_of
from .how import How
from .no_answer import nothing, why_nothing
from .noise import without_surrogates, without_tokens
from .quick import Answer, quick_reader
from .reading import Reading
from .refusals import refusal
from .xml.elements import Root
from .xml.runs import filled
from .xml.sections import without_outer_sections
from .xml.tokens import Scanner, Tags

__all__ = ["ReplyReader", "read_all", "read_carefully"]

_AS_EVER = How()
_ENDS = (">", "}", "]", "`")
"""What an answer ends with that is whole: what stands behind it is none of it."""
_HOLDER = re.compile(rf"{LABELLED}|\(")
"""The sign of labels, headings and calls, which could hold an answer."""
_LAYERS = 3
"""Writings that one answer may be escaped in: nobody escapes more often."""


def read_all(plan: Plan, reply: str, context: Any = None, how: How = _AS_EVER) -> list[Answer]:
    """Every answer of a reply that is not reasoning, in the order of the reply, each with its own findings."""
    how = _asked(how, context)
    whole, replaced = without_surrogates(reply)
    whole, sections = without_outer_sections(plan, without_tokens(whole))
    replaced += sections
    whole_answer = _read_whole(plan, whole, how)
    if whole_answer is not None:
        return [_with_repairs(whole_answer, replaced, how)]
    expected = _expected(plan, whole, how)
    roots = [] if expected else answers_of(whole, roots_of(plan, whole))
    ranked = [read_root(plan, whole, root.element, how) for root in roots]
    ranked = ranked or [read_in_format(plan, found, how) for found in expected or data_in(plan, whole)]
    own = [each for each in ranked if each.example is None]
    if ranked and not own and not is_echo(plan, ranked, ranked[-1]):
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
    return nothing(ProblemKind.LIMIT, f"the reply has {length} characters, more than {MAX_REPLY} (MAX_REPLY)")


def _read(plan: Plan, reply: str, how: How, tags: Tags | None = None) -> Answer:
    """Reads a reply, whose tags may be known."""
    whole, replaced = without_surrogates(reply)
    said = without_tokens(whole)
    if len(said) < len(whole):
        tags, place = None, (len(said), len(whole))
        if not said.rstrip().endswith(_ENDS):
            replaced.append(Repair(RepairKind.TEXT_SKIPPED, "$", place, *(whole[slice(*place)],) * 2))
    text, sections = without_outer_sections(plan, said)
    answer = _read_layers(plan, text, how, None if sections else tags)
    if not answer.found and "[/" in text:
        answer = _read_bracketed(plan, text, how) or answer
    return _with_repairs(answer, [*replaced, *sections], how)


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
    found = data_in(plan, text, how.format)
    return [one for one in found if one.limit is None and (one.fit or takes_text(plan.root))]


def _read_layers(plan: Plan, text: str, how: How, tags: Tags | None, left: int = _LAYERS) -> Answer:
    """Reads the answer in a text, or in what its escapes stand for where the answer was escaped as a whole."""
    answer = _read_whole(plan, text, how) or _read_mail(plan, text, how, left)
    if answer is not None:
        return answer
    expected = _expected(plan, text, how)
    if expected:
        ranked = [read_in_format(plan, found, how) for found in last_few(text, expected, how)]
        return chosen(plan, text, ranked, len(expected), how).answer
    roots = roots_of(plan, text, tags)
    return _read_written(plan, text, roots, answers_of(text, roots), how)


def _read_bracketed(plan: Plan, text: str, how: How) -> Answer | None:
    """The answer in a text whose tags have square brackets; None where there is none."""
    layer = in_brackets(text, tag_names(plan) | ITEMS)
    answer = None if layer is None else _read_layers(plan, layer.text, how, None)
    return None if layer is None or answer is None or not answer.found else _unwrapped(answer, layer, text, how)


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
    place = _escaped_at(text, answers)
    layer = None if place is None else _layer(text, roots, answers, place)
    layered = _read_layer(plan, text, layer, how, left)
    if place is not None and layered is not None and not _is_in_json(plan, text, place):
        return layered
    read = _read_text(plan, text, roots, answers, how)
    if layered is None and not read.is_data and answers:  # the best one may be escaped where the last is not
        layered = _read_layer(plan, text, in_json_string(text, read.span[0], roots[0].element.start), how, left)
        return layered if layered is not None and _fits_better(layered, read.answer) else read.answer
    if layered is None or not read.answer.problems or _fits_better(read.answer, layered):
        return read.answer
    return layered


def _read_layer(plan: Plan, text: str, layer: Layer | None, how: How, left: int) -> Answer | None:
    """The answer in what the escapes of a text stand for; None where no tags stand in them, however often escaped: then
    the escapes are those of a text.
    """
    if layer is None:
        return None
    inner = roots_of(plan, layer.text)
    inner_answers = answers_of(layer.text, inner)
    signs = ("&lt;", "{", "[") if layer.is_string else ("&lt;",)  # what else may be in a string
    if not inner_answers and not any(sign in layer.text for sign in signs):
        return None
    answer = _read_written(plan, layer.text, inner, inner_answers, how, left - 1)
    is_deeper = any(repair.kind is RepairKind.UNWRAPPED for repair in answer.repairs)
    if not inner_answers and not (answer.found and (layer.is_string or is_deeper)):
        return None
    return _unwrapped(answer, layer, text, how)


def _unwrapped(answer: Answer, layer: Layer, text: str, how: How) -> Answer:
    """An answer that was read in a layer of a text as one of the text."""
    whole = Repair(RepairKind.UNWRAPPED, "$", (0, len(text)), shortened(text), shortened(layer.text))
    answer.repairs = layer.repairs(answer.repairs)
    answer.problems = layer.problems(answer.problems)
    return _with_repairs(answer, [whole], how)


def _may_be_escaped(text: str, answers: list[Root]) -> bool:
    """Whether what `_layer` looks for may be there, at first sight: most texts hold no backslash."""
    return "\\" in text or (not answers and any(sign in text for sign in ("&lt;", "&amp;lt;", "quot;", "&#34;")))


def _escaped_at(text: str, answers: list[Root]) -> int | None:
    """Where an answer begins that may be escaped: with its root, else with the first sign of escapes."""
    if answers:
        return answers[-1].element.start
    escaped = _ESCAPED.search(text)
    return None if escaped is None else escaped.start()


def _is_in_json(plan: Plan, text: str, place: int) -> bool:
    """Whether a place is in JSON that fits by itself."""
    return any(one.fit and one.span[0] <= place < one.span[1] for one in data_in(plan, text, "json"))


def _layer(text: str, roots: list[Root], answers: list[Root], place: int) -> Layer | None:
    """What a text is without its escapes: those of a JSON string that its answer stands in, of HTML or of Markdown."""
    string = in_json_string(text, place, min(place, roots[0].element.start) if roots else place)
    if string is not None or answers:
        return string or in_markdown(text, answers[0].element.start)
    if _QUOTED.match(text, place):
        return in_references(text)
    return in_html(text) if text.startswith("&", place) else in_escapes(text, place)


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
    read = read_in_format(plan, whole, how)
    is_right = read.answer.found and not read.answer.problems and not is_echo(plan, [read], read)
    return read.answer if is_right else None


def _read_text(plan: Plan, text: str, found: list[Root], answers: list[Root], how: How) -> Candidate:
    """The answer that fits best: of XML, and where none of that is right, of other formats. Of all that was found
    `answers` are those that can be the answer: all of them hold something, or none.
    """
    eligible = best_few(plan, text, answers, how)
    ranked = [read_root(plan, text, root.element, how) for root in eligible]
    others = [] if _is_enough(plan, text, eligible, ranked, how) else last_few(text, data_in(plan, text), how)
    count = len(found) + len(others)
    if others:
        ranked = _with_others(plan, text, eligible, ranked, others, how)
        outer = [each for each in ranked if not any(holds(other, each) for other in ranked)]
        count, ranked = count - len(ranked) + len(outer), outer
    elif eligible and not holds_something(eligible[0]) and refusal(text):
        ranked = []
    if not ranked:
        return Candidate(why_nothing(plan, text, found), (0, len(text)))
    return chosen(plan, text, ranked, count, how)


def _with_others(
    plan: Plan, text: str, roots: list[Root], ranked: list[Candidate], others: list[Found], how: How
) -> list[Candidate]:
    """What was read of XML, and what other formats give. A tag that holds nothing is only mentioned where data stands
    that has an end.
    """
    ends = [_has_end(text, other) for other in others]
    if any(ends):
        ranked = [read for root, read in zip(roots, ranked, strict=True) if holds_something(root)]
    return ranked + [read_in_format(plan, other, how, has_end) for other, has_end in zip(others, ends, strict=True)]


def _is_enough(plan: Plan, text: str, roots: list[Root], ranked: list[Candidate], how: How) -> bool:
    """Whether nothing else than XML is looked for."""
    if how.format == "xml" and roots and holds_something(roots[0]):
        return True  # whatever else stands there
    if not any(map(_is_mostly_right, roots, ranked)):
        return False
    front = text[: roots[0].element.start]
    return not JSON_SIGN.search(front) and not (_HOLDER.search(front) and may_hold(plan.root, front))


def _is_mostly_right(root: Root, read: Candidate) -> bool:
    """Whether an answer of XML has more in it than is wrong with it, so that nothing else is looked for."""
    problems = len(read.answer.problems)
    return read.answer.found and read.example is None and (not problems or problems <= len(filled(root.element)) // 2)


def _has_end(text: str, found: Found) -> bool:
    """Whether data in another format has an end of its own, brackets or a fence, so that nothing else has to end it."""
    if found.form in ("JSON", "Python"):
        return found.is_whole
    return text[found.span[1] :].lstrip(BLANK).startswith(FENCES)


_ESCAPED = re.compile(
    r"""
    &(?:amp;)?lt; | <[^\W\d][^<>\\]*+\\\"            # the bracket of a tag, the quotes of its attributes
    | [{\[](?=(?:\\[nrt]|\s)*+\\\")         # JSON
    | [{\[](?=\s*+&(?:amp;)?(?:quot|\#34);) # JSON in HTML
    """,
    re.VERBOSE,
)
_QUOTED = re.compile(r"[{\[]\s*+&(?:amp;)?(?:quot|\#34);")
"""The sign of an answer that is escaped."""
