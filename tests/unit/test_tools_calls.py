"""Calls in replies: every shape, what counts, what is mended, and where it stands."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from benchmarks.calls.data import TOOLS
from benchmarks.calls.shapes import ALONE, SHAPES, InTags
from structured_response import ReplyError
from structured_response.findings import ProblemKind
from structured_response.tools import Call, CallPart, CallStream, Toolbox

HOSTILE_CALLS = json.loads(Path(__file__).with_name("hostile_calls.json").read_text(encoding="utf-8"))
"""Replies with calls that must not run, and the calls that run all the same: `runs`, with name and arguments."""

CODE = 'if a < b and "c" != \'d\':\n    print(f"{x}\\n")  # <b>&amp;</b>'


class say(BaseModel):  # noqa: N801 - the name of the tool
    """Say something."""

    text: str
    loud: bool = False


class delete(BaseModel):  # noqa: N801
    """Delete a file."""

    path: str


class now(BaseModel):  # noqa: N801
    """Tell the time."""


TOOLBOX = Toolbox(say, delete, now)


def read(reply: str, **options: Any) -> list[tuple[str, Any]]:
    """Returns the calls that have no problem."""
    return [(call.name, _data(call)) for call in TOOLBOX.parse(reply, **options) if not call.problems]


def _data(call: Call) -> Any:
    return call.arguments.model_dump(exclude_unset=True)


def runs(reply: str) -> list[list[Any]]:
    """Returns what a cautious policy runs: what came whole and needed no repair."""
    return [[call.name, _data(call)] for call in TOOLBOX.parse(reply) if not call.problems and not call.is_mended]


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_read_to_the_character(shape: str) -> None:
    """A call is read in each shape, with prose around it where the shape allows that."""
    toolbox, arguments = Toolbox(*TOOLS.values()), {"path": "a b.py", "old": CODE, "new": "", "count": 3}
    written = SHAPES[shape]("replace_text", arguments)
    reply = written if shape in ALONE else f"I'll do it.\n{written}\nDone."
    (call,) = calls = toolbox.parse(reply)
    assert call.problems == ()
    assert not call.is_mended
    assert _data(call) == arguments
    assert calls.text.split() == ([] if shape in ALONE else ["I'll", "do", "it.", "Done."])


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape not in ALONE])
def test_several_calls_are_read_in_order(shape: str) -> None:
    """Calls that follow one another are all read, each with its own place."""
    toolbox, write = Toolbox(*TOOLS.values()), SHAPES[shape]
    written = [write("search", {"query": CODE}), write("now", {}), write("search", {"query": "b", "limit": 2})]
    calls = toolbox.parse("\n".join(written))
    assert [(call.name, _data(call)) for call in calls] == [
        ("search", {"query": CODE}),
        ("now", {}),
        ("search", {"query": "b", "limit": 2}),
    ]
    assert [calls.reply[slice(*call.span)] for call in calls] == [call.text for call in calls]
    assert calls.text == ""


@pytest.mark.parametrize("shape", [shape for shape, write in SHAPES.items() if isinstance(write, InTags)])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<!-- a", "b -->"), ("<![CDATA x", "]]>"), ("<b title=\"", "\">"), ("<b title='a>", "'>"), ("<?php", "?>"),
        ("\uff1c/old\uff1e", "\uff1cnew\uff1e"), ('"<\\/old>"', "<\u200bnew>"), ("</>", "<></>"), ("a <b", "a</b"),
        ("vector<int", "a<path && b>c"),
    ],
)  # fmt: skip
def test_nothing_in_an_argument_hides_the_tags_behind_it(shape: str, old: str, new: str) -> None:
    """Arguments are pieces of code, such as the beginning of a comment; and what only looks like a tag is none."""
    arguments = {"path": "a.py", "old": old, "new": new}
    (call,) = Toolbox(*TOOLS.values()).parse(SHAPES[shape]("replace_text", arguments))
    assert (_data(call), call.is_mended) == (arguments, False)


HELLO = ("say", {"text": "hi"})


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('[{"name": "now"}, {"name": "say", "arguments": {"text": "hi"}}]', [("now", {}), HELLO]),
        ('[now(), say(text="hi")]', [("now", {}), HELLO]),
        ('{"tool_calls": [{"id": "1", "function": {"name": "now", "arguments": "{}"}}]}', [("now", {})]),
        (
            '<tool_call>[{"name": "now"}, {"name": "say", "arguments": {"text": "hi"}}]</tool_call>',
            [("now", {}), HELLO],
        ),
        ('[TOOL_CALLS][{"name": "now", "arguments": {}}, {"name": "now", "arguments": {}}]', [("now", {})] * 2),
        ('<function_calls>now()\nsay(text="hi")</function_calls>', [("now", {}), HELLO]),
        ("```\n<call tool='now'></call>\n<say><text>hi</text></say>\n```", [("now", {}), HELLO]),
        ("<call tool='say'><text type='str'>hi</text></call>", [HELLO]),
        ("<call tool='functions.say'><text>hi</text></call>", [HELLO]),
        ("<call tool='server/say'><text>hi</text></call>", [HELLO]),
        ("<call tool='now'/>", [("now", {})]),
        ("<call tool='say'><text>hi</text><loud>yes</loud></call>", [("say", {"text": "hi", "loud": True})]),
        ("<call tool='say'>\n  <text>\n    a\n      b\n  </text>\n</call>", [("say", {"text": "a\n  b"})]),
        ("<call tool='say'><text>&lt;b&gt; <i></text></call>", [("say", {"text": "&lt;b&gt; <i>"})]),
        ("<call tool='say'><text>a &amp; b && c</text></call>", [("say", {"text": "a &amp; b && c"})]),
        ("<call tool='say'><text>a&nbsp;&lt;b</text></call>", [("say", {"text": "a&nbsp;&lt;b"})]),
        ("[say(text='a\\\\b\\x41\\u00e9\\d')]", [("say", {"text": "a\\bA\u00e9\\d"})]),
        ("<think>now()</think>[now()]", [("now", {})]),
    ],
)
def test_rules_of_shapes(reply: str, expected: list[tuple[str, Any]]) -> None:
    """Lists of calls, names in namespaces, attributes of the prompt, and layouts."""
    assert read(reply) == expected


CALL = "<call tool='say'><text>hi</text></call>"
MARKED = '<tool_call>{"name": "say", "arguments": {"text": "hi"}}</tool_call>'


@pytest.mark.parametrize("call", [CALL, MARKED])
@pytest.mark.parametrize(
    "around",
    [
        "<think>{}</think>", "{}\nno</think>", "I would {} but no</think>", "> {}", "`{}`", "\u201c{}\u201d", '"{}"',
        '"Please write {} and send it."', "The page said: \u00abDo\n{}\nnow\u00bb. I won't.", "So he 'said {}'.",
        "\u00ab\u00a0{}\u00a0\u00bb, dit-il.",
        "```\nfirst\n{}\n```", "```\n{}\n```\nThat was an example.", "<|channel|>final<|message|>{}<|return|>",
    ],
)  # fmt: skip
def test_quoted_calls_do_not_count(call: str, around: str) -> None:
    """Reasoning, quotations, and fences with other text quote calls. No reasoning begins with a call."""
    calls = TOOLBOX.parse(around.format(call))
    counts = around.startswith("{}\n")
    assert [each.name for each in calls] == (["say"] if counts else [])
    assert [each.is_quoted for each in calls.quoted] == ([] if counts else [True])


@pytest.mark.parametrize(
    "around",
    [
        'I read "a.txt" and "b.txt": {} for "c.txt"', "I don't wait: {} is the users' wish", 'A 5" pipe: {} and 6"',
        'He said "go. {}', '"Go\n\n{}\n\n"', '```\nx = "a\n```\n{} and "b"', "<think>a \"word</think>{} and a \"b\"",
        "<call tool='say'><text>a \"word</text></call> {} a \"word\"",
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 5])
def test_quotation_marks_that_are_not_around_a_call_do_not_quote_it(around: str, size: int) -> None:
    """Nor do those of another paragraph, of a fence, of reasoning, or of an argument."""
    reply = around.format(CALL)
    assert read(reply)[-1] == HELLO
    parts = TOOLBOX.stream(reply[start : start + size] for start in range(0, len(reply), size))
    assert [part.call.name for part in parts if part.call is not None][-1] == "say"


@pytest.mark.parametrize("call", [CALL, MARKED, '{"name": "say", "arguments": {"text": "hi"}}'])
@pytest.mark.parametrize("around", ["```\n{}\n```", "Here:\n\n```xml\n{}\n```\n\n", "<think>no</think>\n\n{}"])
def test_calls_count_in_a_fence_of_their_own_and_behind_reasoning(call: str, around: str) -> None:
    """A fence that holds only calls, with no prose behind it, is a way to write calls."""
    assert read(around.format(call)) == [HELLO]


@pytest.mark.parametrize("text", ["{0} and {0}", "<say><text>{0}</text></say>", "\n{0}\n"])
def test_an_argument_may_hold_calls_of_its_own_tool(text: str) -> None:
    """Their tags end neither the argument nor the call."""
    held = text.format(CALL)
    (call,) = TOOLBOX.parse(f"<call tool='say'><text>{held}</text></call>")
    assert (call.arguments.text, call.is_mended) == (held.strip("\n"), False)


def test_the_text_has_no_calls_but_those_that_do_not_count() -> None:
    """A fence with prose behind it is text, with what is in it."""
    assert TOOLBOX.parse(f"Look:\n{CALL}").text == "Look:"
    for quoted in (f"```\n{CALL}\n```\nThat is it.", f"> {CALL}\n\nNo."):
        assert TOOLBOX.parse(quoted).text == quoted


def test_react_is_read_where_it_is_asked_for() -> None:
    """`Action:` is a call only if the prompt asked for it; the only argument may be plain text."""
    reply = "Thought: I must\nAction: delete\nAction Input: a b.txt\nObservation: done"
    assert read(reply) == []
    assert read(reply, react=True) == [("delete", {"path": "a b.txt"})]
    assert read('Action: delete\nAction Input: {"path": "x"}', react=True) == [("delete", {"path": "x"})]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<call tool='say'><text>hi</txt></call>", "hi"),
        ("<call tool='say'><text>hi</text</call>", "hi"),
        ("<call tool='say'><text>hi</text></text></call>", "hi"),
        ("<call tool='say'><txet>hi</text></call>", "hi"),
        ('<invoke name="say"><parameter name="text">hi<parameter></invoke>', "hi"),
        ('<invoke name="say"><parameter name="text>hi</parameter></invoke>', "hi"),
        ("<call tool='say'><text>hi</tex\n</call>", "hi"),
        ('<tool_call>{"name": "say", "arguments": {"text": "h " i"}}</tool_call>\nDone.', 'h " i'),
        ('[TOOL_CALLS][{"name": "say", "arguments": {"text": "hi"},}]', "hi"),
        ('[TOOL_CALLS][{"name": "say", "arguments": {text: "hi"}}]', "hi"),
        ("<call tool='say'><text>hi</loud><loud>true</loud></call>", "hi"),
        ("<call tool='say'><text>hi<loud>true</loud></call>", "hi"),
        ("<call tool='say'><text>hi\n</call>\n", "hi"),
        ("<call tool='say'><text>hi</text><mood>glad</mood></call>", "hi"),
        ("<call tool='SAY'><text>hi</text></call>", "hi"),
        ('<tool_call>{"name": "say", "arguments": {"text": "hi",}}</tool_call>', "hi"),
        ('<tool_call>{"name": "say", "arguments": {"text": "hi"}</tool_call>', "hi"),
        ('<tool_call>{"name": "say", "arguments": {"text": "hi"}}}</tool_call>', "hi"),
        ("<tool_call>{name: 'say', arguments: {text: 'hi'}}</tool_call>", "hi"),
        ('[TOOL_CALLS][{"name": "say", "arguments": {"text": "hi"}}}]', "hi"),
        ('```json\n{"name": "say", "arguments": {"text": "hi\n```\nho"}}\n```', "hi\n```\nho"),
        ("<call tool='say'><txet>hi</txet></call>", "hi"),
        ("<call tool='say'><text><b>x</b>\n</call>", "<b>x</b>"),
        ("<call tool='say'><text></call> is the end</text><!-- next --></call>", "</call> is the end"),
        (
            "<function=say><parameter=text>\na <parameter=text> b\n</parameter><!-- --></function>",
            "a <parameter=text> b",
        ),
    ],
)
def test_mended_calls_are_on_record(reply: str, expected: str) -> None:
    """A call with a slip is read, and says that it was mended."""
    (call,) = TOOLBOX.parse(reply)
    assert call.problems == ()
    assert call.arguments.text == expected
    assert call.is_mended


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("<call tool='say'><text>hi", ProblemKind.TRUNCATED),
        ('<tool_call>{"name": "say", "arguments": {"text": "h', ProblemKind.TRUNCATED),
        ("<call tool='say'></call>", ProblemKind.MISSING),
        ("<call tool='sayy'><text>hi</text></call>", ProblemKind.INVALID),
        ("<call tool='rm'><text>hi</text></call>", ProblemKind.INVALID),
        ("<call tool='say'><text>hi</text><loud>five</loud></call>", ProblemKind.INVALID),
        ("<call tool='say'><text>a</text><text>b</text></call>", ProblemKind.AMBIGUOUS),
        ("<call tool='say'>hi</call>", ProblemKind.AMBIGUOUS),
        ("[say('hi')]", ProblemKind.INVALID),
        ("[say(text=open('x'))]", ProblemKind.INVALID),
        ('<tool_call>{"name": "say", "arguments": {"text": "hi"}, "id2": 1}</tool_call>', ProblemKind.AMBIGUOUS),
        ("<tool_call>say\n<arg_key>text</arg_key>\n<arg_value>the </tool_call", ProblemKind.AMBIGUOUS),
    ],
)
def test_calls_that_cannot_be_meant_have_problems(reply: str, kind: ProblemKind) -> None:
    """A call that breaks off, has no such tool, or can be read in two ways, is given with a problem."""
    (call,) = TOOLBOX.parse(reply)
    assert kind in [problem.kind for problem in call.problems]


def test_a_call_behind_one_without_an_end_is_in_doubt() -> None:
    """What follows a call that breaks off is in its argument, or may be."""
    (broken,) = TOOLBOX.parse('<tool_call>{"name": "say", "arguments": {"text": "a <call tool=\'now\'></call>')
    assert broken.is_cut
    first, second = TOOLBOX.parse("<call tool='say'><text></call> <call tool='now'></call>")
    assert first.problems
    assert second.problems[0].message == "it follows a call whose end is not sure"


def test_a_backspace_that_is_read_as_latex_is_on_record() -> None:
    """JSON has another text there, so a policy sees a changed argument."""
    (call,) = TOOLBOX.parse('{"name": "say", "arguments": {"text": "\\begin x"}}')
    (repair,) = call.repairs
    assert (call.arguments.text, repair.before, repair.after) == ("\\begin x", "\begin x", "\\begin x")
    assert call.is_mended


def test_surplus_arguments_are_on_record() -> None:
    """A tool without arguments that is given some was mended."""
    for reply in ('<tool_call>{"name": "now", "arguments": {"x": 1}}</tool_call>', "<call tool='now'><x>1</x></call>"):
        (call,) = TOOLBOX.parse(reply)
        assert call.is_mended


def test_names_that_are_no_names_of_elements() -> None:
    """Arguments with any name are read, as the prompt shows them and in other shapes."""
    schema = {"type": "object", "properties": {"a b": {"type": "string"}, "$x": {"type": "string"}}}
    toolbox = Toolbox({"name": "odd", "input_schema": schema})
    for reply in (
        "<call tool='odd'><entry key='a b'>1</entry><entry key='$x'>2</entry></call>",
        '<invoke name="odd"><parameter name="a b">1</parameter><parameter name="$x">2</parameter></invoke>',
        "<tool_call>odd{}</tool_call>".format(
            "<arg_key>a b</arg_key><arg_value>1</arg_value><arg_key>$x</arg_key><arg_value>2</arg_value>"
        ),
        '<tool_call>{"name": "odd", "arguments": {"a b": "1", "$x": "2"}}</tool_call>',
    ):
        (call,) = toolbox.parse(reply)
        assert call.arguments == {"a b": "1", "$x": "2"}
        assert not call.is_mended


@pytest.mark.parametrize("row", HOSTILE_CALLS, ids=lambda row: row["case"])
def test_nothing_runs_that_the_policy_did_not_see(row: dict[str, Any]) -> None:
    """Of hostile replies, only calls run that are whole, unquoted and unmended."""
    assert runs(row["reply"]) == row["runs"]


def test_calls_past_the_bound_are_given_with_a_problem() -> None:
    """No call is lost, however many there are."""
    calls = TOOLBOX.parse("<now></now>" * 1001)
    assert len(calls) == 1001
    assert [bool(call.problems) for call in calls] == [False] * 1000 + [True]


@pytest.mark.parametrize("before", ["", "I will.\n"])
@pytest.mark.parametrize(
    "shape",
    ["ours", "ours, block", "Cline", "invoke", "Qwen3-Coder", "GLM", "Hermes", "Llama 3.2", "Kimi K2", "Harmony"],
)
def test_texts_come_while_they_are_written(shape: str, before: str) -> None:
    """The text of an argument comes character by character, and nothing of a clean call is taken back."""
    toolbox, arguments = Toolbox(*TOOLS.values()), {"path": "a.py", "content": CODE}
    reply = before * (shape not in ALONE) + SHAPES[shape]("write_file", arguments)
    parts = list(toolbox.stream(reply))
    assert not [part for part in parts if part.restarted]
    for name, value in arguments.items():
        assert "".join(part.text for part in parts if part.path == f"$.{name}") == value
    assert len([part for part in parts if part.path == "$.content"]) > len(CODE) / 2
    assert [_data(part.call) for part in parts if part.call is not None] == [arguments]


def test_a_text_that_turns_out_otherwise_is_replaced() -> None:
    """What was shown of a call in reasoning is taken back, and a text that ends elsewhere is given anew."""
    (*_, last) = TOOLBOX.stream(["Hm, <call tool='say'><text>hello wor", "ld</text></call> no.</think> No."])
    assert (last.call, last.path, last.restarted) == (None, None, True)
    *_, again, done = TOOLBOX.stream(["<call tool='say'><text>\none two three", " four</text></call>"])
    assert done.call is not None
    assert (again.text, again.restarted) == (done.call.instance.text, True)


@pytest.mark.parametrize("before", ["", "<think>hm</think>", "Well, ", "Let me look at `a < b` first:\n\n"])
def test_a_call_comes_once_it_is_complete(before: str) -> None:
    """A clean call comes with its last tag, behind prose too."""
    stream = CallStream(TOOLBOX)
    assert not [part for part in stream.feed(f"{before}{CALL[:-1]}") if part.call]
    (call,) = [part.call for part in stream.feed(f"{CALL[-1]}\n") if part.call]
    assert (call.name, call.span[0]) == ("say", len(before))
    last, calls = stream.close()
    assert not last
    assert [each.span for each in calls] == [call.span]


def test_a_call_that_was_reasoning_is_taken_back() -> None:
    """A lone closing tag of reasoning behind it says so; what comes then counts."""
    stream = CallStream(TOOLBOX)
    (first,) = [part for part in stream.feed(f"Hm, {CALL}") if part.call]
    (back, *others) = stream.feed(f" no.</think>{CALL}\n")
    assert (back.place, back.path, back.call, back.restarted) == (first.place, None, None, True)
    last, calls = stream.close()
    assert [part.call.span for part in (*others, *last) if part.call] == [call.span for call in calls]
    assert [call.span for call in calls.quoted] == [first.call.span if first.call else None]


async def _with_await(chunks: list[str]) -> list[CallPart]:
    return [part async for part in TOOLBOX.astream(chunks)]


def test_streams_with_await_are_the_same() -> None:
    """`astream` gives what `stream` gives."""
    chunks = [CALL[:20], CALL[20:30], CALL[30:]]
    shown, awaited = TOOLBOX.stream(chunks), asyncio.run(_with_await(chunks))
    assert [(part.path, part.text) for part in shown] == [(part.path, part.text) for part in awaited]


def test_pieces_are_texts() -> None:
    """A piece that is no text is an error of the program."""
    with pytest.raises(TypeError, match="a piece of a reply is a str, not bytes"):
        CallStream(TOOLBOX).feed(b"x")  # type: ignore[arg-type]


def test_hostile_rows_are_many() -> None:
    """The corpus has more than a hundred rows, each once."""
    assert len({json.dumps(row) for row in HOSTILE_CALLS}) == len(HOSTILE_CALLS) > 100


# What stands around calls


@pytest.mark.parametrize(
    "around",
    [
        "<!-- {} -->",
        "<result tool='mail'>\nIt says: {}\n</result>",
        "<example>{}</example>",
        "<blockquote>\n{}\n</blockquote>",
        "<tool_response>{}</tool_response> I read that.",
    ],
)
def test_calls_that_are_shown_do_not_count(around: str) -> None:
    """A call in a comment, in an example, or in a result that the reply repeats is quoted."""
    calls = TOOLBOX.parse(around.format("<call tool='say'><text>hi</text></call>"))
    assert not calls
    assert [call.name for call in calls.quoted] == ["say"]


@pytest.mark.parametrize(
    "reply",
    [
        "<call tool='say'><text>a </text></call> b</text></call>",
        '<invoke name="say"><parameter name="text">a</parameter>\n</invoke> b</parameter>\n</invoke>',
        "<say><text>a</text></say><call tool='say'><text>b</text></call></text></say>",
    ],
)
def test_a_closing_tag_without_a_partner_is_a_doubt_about_the_calls_before_it(reply: str) -> None:
    """What looks like the end of a call may be part of an argument, and so may the calls behind it."""
    calls = TOOLBOX.parse(reply)
    assert calls
    assert all(ProblemKind.AMBIGUOUS in [problem.kind for problem in call.problems] for call in calls)
    with pytest.raises(ReplyError):
        _ = calls[0].arguments


def test_a_stream_says_which_of_its_calls_are_in_doubt_after_all() -> None:
    """A call that was given, and may go on behind its end, is given again with the problem."""
    stream = CallStream(TOOLBOX)
    parts = [*stream.feed("<call tool='say'><text>a </text></call>"), *stream.feed(" b</text></call>")]
    (given,) = [part.call for part in parts if part.call is not None]
    assert not given.problems
    last, calls = stream.close()
    (again,) = [part for part in last if part.call is not None]
    assert again.restarted
    assert again.call is not None
    assert again.call.problems == calls[0].problems != ()


def test_a_closing_tag_in_quotes_is_text() -> None:
    """Prose may speak of it."""
    (call,) = TOOLBOX.parse("<call tool='say'><text>a</text></call>\nI ended it with `</call>`.")
    assert not call.problems


def test_a_call_that_begins_anew_on_a_new_line_is_another_one() -> None:
    """The first one broke off, and does not swallow the second."""
    first, second = TOOLBOX.parse("<call tool='say'><text>/ho\n<call tool='say'><text>/home/x</text></call>")
    assert first.is_cut
    assert second.instance.text == "/home/x"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<call tool='say' loud='true'><text>hi</text></call>", {"text": "hi", "loud": True}),
        ("<call tool='say' text='a > b'/>", {"text": "a > b", "loud": False}),
        ("<say text=https://a.b/c/ />", {"text": "https://a.b/c/", "loud": False}),
        ("<say loud='true'><text>hi</text></say>", {"text": "hi", "loud": True}),
        ("<invoke name='say' loud='true'><parameter name='text'>hi</parameter></invoke>", {"text": "hi", "loud": True}),
        ("<call tool='say'><text loud='true'>hi</text></call>", {"text": "hi", "loud": False}),
        ("<call tool='say' dry_run='true'><text>hi</text></call>", {"text": "hi", "loud": False}),
    ],
)
def test_attributes_that_are_arguments_make_a_call_a_mended_one(reply: str, expected: dict[str, Any]) -> None:
    """They are read where they are in its head, and never dropped without a record."""
    (call,) = TOOLBOX.parse(reply)
    assert call.instance.to_dict() == expected
    assert call.is_mended
    assert not call.problems


@pytest.mark.parametrize("reply", ["<say class='a'>hi</say>", "<say text='a'>b</say>", "<now lang='en'/>"])
def test_elements_of_html_with_a_tools_name_are_no_calls(reply: str) -> None:
    """An attribute that the tool does not know, or text in place of arguments, is that of a page."""
    calls = TOOLBOX.parse(reply)
    assert not [*calls, *calls.quoted]


def test_attributes_of_the_prompt_are_nothing() -> None:
    """Some models copy them, or number their calls."""
    (call,) = TOOLBOX.parse("<call tool='say' id='1'><text type='str'>hi</text></call>")
    assert not call.is_mended


def test_the_layout_of_an_argument_without_its_end_is_that_of_others() -> None:
    """The line breaks next to its tags are not part of it."""
    (call,) = TOOLBOX.parse("<call tool='say'>\n<text>\na\n  b\n</call>")
    assert call.instance.text == "a\n  b"


@pytest.mark.parametrize("form", ["<call tool='say'><text>{}</text></call>", "<say><text>{}</text></say>"])
def test_a_text_that_is_escaped_throughout_is_unescaped_and_makes_a_call_a_mended_one(form: str) -> None:
    """Some language models escape whatever stands in tags."""
    (call,) = TOOLBOX.parse(form.format("cd a &amp;&amp; make 2>&amp;1 | grep &quot;&lt;b&gt;&quot;"))
    assert call.instance.text == 'cd a && make 2>&1 | grep "<b>"'
    assert call.is_mended


def test_curly_quotes_in_the_json_of_a_call_are_read() -> None:
    """Around its name too."""
    (call,) = TOOLBOX.parse(
        "{\u201cname\u201d: \u201csay\u201d, \u201carguments\u201d: {\u201ctext\u201d: \u201chi\u201d}}"
    )
    assert (call.instance.text, call.is_mended) == ("hi", True)


def test_an_argument_that_the_tool_does_not_have_makes_a_call_a_mended_one() -> None:
    """It may have been meant to change what the call does, such as `dry_run`."""
    (call,) = TOOLBOX.parse('<tool_call>{"name": "say", "arguments": {"text": "hi", "dry_run": true}}</tool_call>')
    assert call.is_mended
    assert call.arguments.text == "hi"


def test_a_fence_in_an_argument_is_part_of_it() -> None:
    """Texts are verbatim."""
    (call,) = TOOLBOX.parse("<call tool='say'><text>\n```python\nx\n```\n</text></call>")
    assert call.arguments.text == "```python\nx\n```"
    assert not call.repairs


def test_a_tag_within_a_line_of_an_argument_opens_no_other_argument() -> None:
    """Texts about tools name their arguments."""
    text = "set <loud> for a louder voice"
    reply = f"<call tool='say'><text>{text}</text><loud>true</loud></call>"
    assert read(reply) == [("say", {"text": text, "loud": True})]


def test_a_reply_is_a_str() -> None:
    """The content of a message may be None."""
    with pytest.raises(TypeError, match="a reply is a str, not NoneType"):
        TOOLBOX.parse(None)  # type: ignore[arg-type]
