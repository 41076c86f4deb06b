"""The careful reader: finds the best answer in a reply, with all findings.

The cheapest candidates are read and validated. The one that fits the definition best wins; ties go to the fewest
repairs, then to the last. Reasoning never wins, nor a repetition of the prompt, nor an answer in another's value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice, pairwise
from reprlib import Repr
from typing import Any

from ..data.compare import comparison_key, says_something
from ..definition import SCALARS, Plan, walk
from ..definition.node import MAX_DEPTH
from ..escaping import EXAMPLE, SPECIAL_ENDS, SURROGATE, encodable, is_encodable
from ..findings import MAX_EXCERPT, Problem, ProblemKind, Repair, RepairKind, Span
from ..options import ParseOptions
from .account import Account
from .answer import MAX_REPLY, Answer, no_answer
from .build import Element
from .candidates import LONGEST_LABEL, Candidate, candidates_in, is_led
from .data import NEVER_NULL, LimitReachedError
from .grammar import grammar_of
from .read_json import is_too_deep
from .refusals import html_page, refusal
from .scan import REASONING
from .unions import read_tree
from .validate import validated
from .values import read_scalar, typed

MAX_TRIED = 4
"""Answers of one reply that are read in full, the most complete ones first. Each costs a validation."""


def read_carefully(plan: Plan, reply: str, options: ParseOptions) -> tuple[Answer, Candidate | None]:
    """Reads a reply, and returns the candidate that became the answer as well, or None if the reply holds none.

    A fault of the reply never raises; exceptions of a model's own validators pass through.
    """
    if len(reply) > MAX_REPLY:
        message = f"the reply has {len(reply)} characters, more than {MAX_REPLY} (MAX_REPLY)"
        return no_answer(ProblemKind.LIMIT, message), None
    text, replaced = _meant(reply)
    candidates = candidates_in(plan, text, options)
    answer = _chosen(plan, text, candidates, options)
    if replaced:
        answer.repairs = [*replaced, *answer.repairs]
    if replaced and not options.repair:
        answer.problems, answer.model = [*answer.problems, _not_strict(replaced[0])], None
    if len(text) < len(reply) and answer.found and any(each.span[1] == len(text.rstrip()) for each in candidates):
        skipped = reply[len(text) :].strip()
        answer.repairs = [*answer.repairs, Repair(RepairKind.TEXT_SKIPPED, "$", (len(text), len(reply)), skipped, "")]
    return answer, next((each for each in candidates if each.answer is answer), None)


def read_all(plan: Plan, reply: str, options: ParseOptions) -> list[Answer]:
    """Returns every answer of a reply outside of reasoning, in the order of the reply, each with its own findings."""
    text, _replaced = _meant(reply)
    read = _eligible(candidates_in(plan, text, options), options)
    for candidate in read:
        read_candidate(plan, candidate, options)
    standing = [each for each in _standing(read) if each.answer is not None and each.answer.found]
    rooted = [each for each in standing if each.has_root]
    form = min((each.form for each in rooted), key=("xml", "json", "yaml").index, default="")
    return [each.answer for each in standing if each.answer is not None and form in ("", each.form)]


# Unintended characters


def _meant(reply: str) -> tuple[str, list[Repair]]:
    """Returns the reply without special tokens at its end and with U+FFFD in place of lone surrogates."""
    if is_encodable(reply):
        return _without_tokens(reply), []
    found = islice(SURROGATE.finditer(reply), 100)
    repairs = [Repair(RepairKind.UNESCAPED, "$", match.span(), match[0], "\ufffd") for match in found]
    return _without_tokens(encodable(reply)), repairs


def _without_tokens(reply: str) -> str:
    """Returns the reply without the special tokens of a chat template that end it."""
    if not reply[-_TOKENS:].rstrip().endswith(SPECIAL_ENDS) or (reply.rstrip().endswith("</s>") and "<s>" in reply):
        return reply
    tokens = _SPECIAL.search(reply, max(0, len(reply) - _TOKENS))
    return reply if tokens is None else reply[: tokens.start()]


_TOKENS = 200
"""Characters at the end of a reply that are searched for special tokens."""
_SPECIAL = re.compile(
    r"(?:(?:<[|\uff5c][\w\u2581-]{1,40}+[|\uff5c]>|</s>|<eos>|<end_of_turn>)\s*+(?:[a-z]{1,10}+(?=<[|\uff5c]))?)++\Z"
)
_USERS_TURN = re.compile(
    r"<(?:\|im_start\||\|start_header_id\||start_of_turn)>\s*user|<\|user\|>|\[INST\]|^(?:Human|User)[ \t]*:",
    re.MULTILINE,
)
"""The beginning of a user's turn in chat templates and plain transcripts."""


# The choice


def _eligible(candidates: list[Candidate], options: ParseOptions) -> list[Candidate]:
    """Returns the candidates that may win: none in reasoning, none behind a user's turn that the model invented, and of
    several formats only the expected one.
    """
    found = [each for each in candidates if not each.is_reasoning]
    for before, behind in pairwise(found):
        if _USERS_TURN.search(before.text, before.root.stop, behind.root.start):
            found = found[: found.index(behind)]
            break
    return [each for each in found if each.form == options.format] or found


def _standing(read: list[Candidate]) -> list[Candidate]:
    """Returns the candidates that neither echo the prompt nor are quoted in a value of another. An empty root beside an
    echo belongs to it.
    """
    standing = [each for each in read if not each.is_echo and not any(_quotes(other, each) for other in read)]
    if any(each.is_echo for each in read):
        standing = [each for each in standing if each.root.children or each.form != "xml"]
    return standing


def _quotes(other: Candidate, candidate: Candidate) -> bool:
    """Returns whether a candidate is quoted in a value of another one, which has no more problems."""
    outer, inner = other.answer, candidate.answer
    if other is candidate or other.is_echo or outer is None or inner is None or not outer.found:
        return False
    if inner.found and len(outer.problems) > len(inner.problems):
        return False
    start, stop, element = *candidate.root.span, other.root
    while (around := _around(element, start, stop)) is not None:
        element = around
    return element is not other.root and element.role != "wrapper"


def _around(element: Element, start: int, stop: int) -> Element | None:
    """Returns the child of an element whose content includes a span."""
    return next((each for each in element.children if each.inner <= start and stop <= each.end), None)


def _rank(candidate: Candidate) -> tuple[Any, ...]:
    """Returns how well a candidate fits: by its problems, its data and the repairs that count against it."""
    answer = candidate.answer
    assert answer is not None
    mended = [repair for repair in answer.repairs if repair.kind not in _HARMLESS]
    return answer.found, -len(answer.problems), bool(answer.data), -len(mended)


_HARMLESS = frozenset({RepairKind.NULL_WORD, RepairKind.UNESCAPED, RepairKind.TEXT_SKIPPED})
"""Repairs that do not count against an answer."""


def _chosen(plan: Plan, text: str, candidates: list[Candidate], options: ParseOptions) -> Answer:
    """Returns the best answer. That there were several is recorded."""
    standing = _standing(_read(plan, _eligible(candidates, options), options))
    chosen = standing[0] if len(standing) == 1 else max(reversed(standing), key=_rank, default=None)
    if chosen is None or chosen.answer is None or not chosen.answer.found or _is_page(plan, text, chosen):
        return _why_nothing(plan, text, candidates)
    answer = chosen.answer
    if any(
        each is not chosen and (each.root.children or (each.form == "xml" and each.root.is_closed))
        for each in candidates
    ):
        start, end = chosen.span
        tag = text[start : text.find(">", start) + 1 or end][:MAX_EXCERPT]
        answer.repairs = [Repair(RepairKind.CANDIDATE_CHOSEN, "$", chosen.span, tag, tag), *answer.repairs]
    is_as_asked = options.format == chosen.form  # an answer in the expected format is not doubted
    if not is_as_asked and not chosen.is_alone:
        _contradict(plan, chosen, candidates, options)
    return answer


def _read(plan: Plan, eligible: list[Candidate], options: ParseOptions) -> list[Candidate]:
    """Reads the eligible candidates, up to a bound, and returns those read."""
    if len(eligible) > MAX_TRIED:  # an example may be repeated often
        eligible = list({each.text[slice(*each.root.span)]: each for each in eligible}.values())
    tried = [each for each in eligible if not each.is_echo]
    tried.sort(key=lambda each: (each.cost, -each.span[0]))
    for candidate in tried[: MAX_TRIED + len(options.examples)]:
        read_candidate(plan, candidate, options)
    read = [each for each in eligible if each.answer is not None]
    if sum(each.is_known for each in read) > 1:
        for candidate in read:
            candidate.is_echo = candidate.is_echo or candidate.is_known
    return read


def _is_object(candidate: Candidate) -> bool:
    """Returns whether a candidate is an object of JSON, which may be one of several items."""
    is_answer = not candidate.is_reasoning and not candidate.is_echo
    return is_answer and candidate.form == "json" and candidate.text[candidate.root.start] == "{"


def _is_page(plan: Plan, text: str, chosen: Candidate) -> bool:
    """Whether an answer was made of nothing but the tags of a page of HTML, of which the definition names none."""
    if chosen.form != "xml" or html_page(text) is None:
        return False
    names = {plan.root_name, "li", *(name for node in walk(plan.root) for name in node.fields)}
    return re.search(rf"<(?:{'|'.join(map(re.escape, names))})[\s/>]", text) is None


def _why_nothing(plan: Plan, text: str, candidates: list[Candidate]) -> Answer:
    """Returns the answer that explains why a reply holds none."""
    if not text.strip():
        return no_answer(ProblemKind.NO_ANSWER, "the reply is empty")
    said = refusal(text)
    if said is not None:
        return no_answer(ProblemKind.REFUSAL, "the reply declines to answer", said, text[slice(*said)])
    page = html_page(text)
    if page is not None:
        message = f"the reply is {page}, probably from a proxy or a wrong address; check the server and its base_url"
        return no_answer(ProblemKind.NO_ANSWER, message)
    echo = next((each.span for each in candidates if each.is_echo), None)
    if echo is not None:
        message = "the reply repeats the prompt and gives no answer"
        return no_answer(ProblemKind.NO_ANSWER, message, echo, shortened(text[slice(*echo)]))
    thought = next((each.span for each in reversed(candidates) if each.is_reasoning), None)
    if thought is not None:
        return no_answer(ProblemKind.NO_ANSWER, "the only answer is in a block of reasoning", thought)
    for each in candidates:
        if each.answer is not None and any(problem.kind is ProblemKind.LIMIT for problem in each.answer.problems):
            return each.answer
    if is_too_deep(text, 0, len(text)):
        return no_answer(ProblemKind.LIMIT, f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
    return no_answer(ProblemKind.NO_ANSWER, f"no <{plan.root_name}> element in the reply")


# Text around the answer that may correct it


def _contradict(plan: Plan, chosen: Candidate, candidates: list[Candidate], options: ParseOptions) -> None:
    """Records a problem for each field that the text around an answer gives another value.

    This text is read as a reply of its own. In front of the answer, only its paragraph counts, and only for values that
    the answer lacks, since a draft is superseded. The whole answer is in doubt if it seems to be a part of another.
    """
    text, (start, stop), answer = chosen.text, chosen.root.span, chosen.answer
    assert answer is not None
    fields = answer.data if isinstance(answer.data, dict) else {}
    before = [each.root.stop for each in candidates if each.root.stop <= start]
    front = text[:start].strip()
    is_markup = front.startswith("<") and front.endswith(">")
    begin = max([0 if is_markup else text.rfind("\n\n", 0, start) + 1, *before])
    begin = max([begin, *(match.end() for match in _OTHERS.finditer(text, begin, start))])
    for span, name, value in _said(plan, text, begin, start, options, SCALARS):
        if name not in fields if name is not None else not chosen.has_root and value != answer.data:
            _doubt(plan, chosen, span, name)
    shown = {text[slice(*each.root.span)] for each in candidates if each.is_echo}
    ends = [each.root.start for each in candidates if text[slice(*each.root.span)] in shown and each.root.start >= stop]
    other = _OTHERS.search(text, stop)
    end = min([other.start() if other else len(text), *ends])
    for span, name, value in _said(plan, text, stop, end, options, _TOLD):
        if value != (answer.data if name is None else fields.get(name)):
            _doubt(plan, chosen, span, name)
    is_begun = not chosen.has_root and _BEGUN.search(text, begin, start) is not None
    is_item = plan.root.kind == "list" and _is_object(chosen) and sum(map(_is_object, candidates)) > 1
    if is_begun or is_item or chosen.is_inside or is_led(grammar_of(plan), text, start):
        _doubt(plan, chosen, chosen.root.span, None)


_OTHERS = re.compile(
    rf"{_USERS_TURN.pattern}|{re.escape(EXAMPLE)}|</?(?:{'|'.join(sorted(REASONING))})\s*>",
    re.MULTILINE | re.IGNORECASE,
)
"""Text that does not belong to the answer: a user's turn, an example, reasoning."""
_BEGUN = re.compile(r"</\w|^\s*(?:[-*+]|\d+[.)])\s", re.MULTILINE)
"""The possible beginning of an answer without its root's tag: a closing tag, or an item."""
_LED = re.compile(r":[\s*_]*+(?:(?:```|~~~)\w*+\s*+)?\Z")
"""Words that introduce the text behind them."""


def _said(
    plan: Plan, text: str, start: int, end: int, options: ParseOptions, kinds: Collection[str]
) -> Iterator[tuple[Span, str | None, Any]]:
    """Yields the values that a span beside an answer states: of fields, or of the whole answer if it has no fields.
    Other whole answers were already considered, except one that words introduce.
    """
    for each in candidates_in(plan, text[start:end], options) if _SAYS.search(text, start, end) else ():
        begin = each.root.start
        is_another = each.has_root and _LED.search(each.text, max(0, begin - LONGEST_LABEL), begin) is None
        if each.form == "yaml" or each.is_reasoning or is_another:
            continue
        read_candidate(plan, each, options)
        if each.answer is None or not each.answer.found or each.is_echo:
            continue
        span, data = (start + each.span[0], start + each.span[1]), each.answer.data
        if not isinstance(data, dict):
            yield span, None, data
            continue
        for child in each.root.children:
            is_dots = each.text[child.inner : child.end].strip() in _DOTS
            if child.is_closed and child.role == "field" and child.step in data and not is_dots:
                yield span, child.step, _UNREADABLE if (child.step,) in each.bad else data[child.step]
    for line in _LABELLED.finditer(text, start, end):
        found = grammar_of(plan).root.field(line["name"].strip())
        if found is not None and found[0].node.kind in kinds:
            value = read_scalar(found[0].node, line["value"], line["value"], None, found[0].name)
            if value.problem is None and value.repair is None and value.value is not None:
                yield line.span(), found[0].name, typed(found[0].node, value.value)


_SAYS = re.compile("[<\uff1c{\\[]")
_DOTS = ("", "...", "\u2026")
_UNREADABLE = object()
"""A value that is not of its type. It equals no other."""
_TOLD = tuple(kind for kind in SCALARS if kind not in ("str", "any", "bytes"))
"""Kinds of values that lines of prose do not contain by accident."""
_LABELLED = re.compile(
    r"^[ \t>*_-]*+(?:[^\n:]{1,60}[:,][ \t]++)?(?P<name>\w[\w -]{0,40}?)[ \t]*+[*_]{0,3}:[*_]{0,3}[ \t]*+"
    r"(?P<value>[^\s*_][^\n*]{0,80}?)[ \t*_]*+$",
    re.MULTILINE,
)
"""A line with a label and its value, perhaps behind an introduction."""


def _doubt(plan: Plan, chosen: Candidate, span: Span, name: str | None) -> None:
    """Records that the text around an answer gives a field, or the whole answer, another value."""
    answer = chosen.answer
    assert answer is not None
    for layer in chosen.layers:
        span = layer.span(span)
    path, message = "$", "the text around the answer may be another answer"
    if name is not None:
        path, message = f"$.{name}", "the text around the answer may give it another value"
        field = plan.root.fields.get(name)
        may_be_null = field is None or field.node.kind not in NEVER_NULL
        if isinstance(answer.data, dict) and name in answer.data and may_be_null:
            answer.data[name] = None
    if all(problem.path != path for problem in answer.problems):
        answer.problems = [*answer.problems, Problem(ProblemKind.AMBIGUOUS, path, message, span=span)]
    answer.model = None


# Reading a candidate


def read_candidate(plan: Plan, candidate: Candidate, options: ParseOptions) -> None:
    """Reads a candidate in full."""
    root = candidate.root
    account = Account(root.span, options.repair, options.day_first)
    if (options.format or "xml") != candidate.form:
        name = candidate.form.upper()
        account.repair(RepairKind.FORMAT_READ, (), root.span, name, name)
    try:
        read_tree(grammar_of(plan), candidate.tree, account)
    except (LimitReachedError, RecursionError) as error:
        message = str(error) if isinstance(error, LimitReachedError) else "nested deeper than Python's stack allows"
        candidate.answer = no_answer(ProblemKind.LIMIT, message, candidate.span)
        return
    answer = candidate.answer = validated(plan, account, options)
    candidate.bad, candidate.places = set(account.bad), account.places
    candidate.is_echo = candidate.is_echo or 0 < account.values <= account.placeholders
    if options.examples and not candidate.is_echo:
        candidate.is_known = comparison_key(plan.root, answer.data) in options.examples
        candidate.is_echo = candidate.is_known and says_something(plan.root, answer.data)
    if not answer.data and not candidate.has_root:
        answer.found = False
    for layer in candidate.layers:
        answer.repairs = layer.repairs(answer.repairs)
        answer.problems = layer.problems(answer.problems)
        source = layer.source
        whole = Repair(RepairKind.UNWRAPPED, "$", (0, len(source)), shortened(source), shortened(layer.text))
        answer.repairs = [whole, *answer.repairs]
        if not options.repair:
            answer.problems = [_not_strict(whole), *answer.problems]


def _not_strict(repair: Repair) -> Problem:
    """Returns the problem that something was repaired although repairs are not allowed."""
    return Problem(ProblemKind.NOT_STRICT, "$", f"needed a repair ({repair.kind})", span=repair.span)


def shortened(text: str) -> str:
    """Returns a text, shortened for a finding about the whole of it."""
    return _SHORT.repr(text)


_SHORT = Repr()
_SHORT.maxstring = 200
