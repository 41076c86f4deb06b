"""Damage around the answer: prose, fences, drafts, reasoning, wrappers, and the root itself."""

from __future__ import annotations

import html
import json

from benchmarks.robustness.damage.draft import OBJECTS, Draft, damage
from benchmarks.robustness.render import escape, plain, template
from structured_response.testing import damage as shared
from structured_response.testing.damage import REASONING, STEP, NoPlaceError, reads_verbatim

GROUP = "around the answer"


@damage(GROUP, "reply")
def clean(draft: Draft) -> None:
    """No damage at all: what the other rows are to be compared with."""


@damage(GROUP, "reply")
def prose_around(draft: Draft) -> None:
    name = draft.tag.replace("_", " ")
    before = (
        f"Sure! Here is the {name} you asked for:",
        f"I looked at everything (R&D included, where a < b && c > d). The {draft.tag}:",
        f"Here's my {draft.name}. Note that x<5 & y>3, i.e. 4 -> 5.",
        "Okay.\n\n**Answer** (see <https://example.org/?a=1&b=2>):",
    )
    after = (
        "Let me know if anything is missing!",
        f"That's the whole {name}; costs are < 5 & falling.",
        "I hope this helps :-) <3",
        "",
    )
    draft.reply = f"{draft.choose(before)}\n\n{draft.reply}\n\n{draft.choose(after)}"


@damage(GROUP, "reply", OBJECTS)
def tag_names_in_prose(draft: Draft) -> None:
    names = list(draft.shape.fields)
    one, other = draft.rng.sample(names, 2)
    before = (
        f"I filled in <{one}> and <{other}> as you asked; the `<{draft.tag}>` element holds everything:",
        f"The <{draft.tag}> below has a <{one}> and a <{other}>.",
        f"First I thought about `<{one}>...</{one}>`, then about the rest.",
    )
    after = (f"The <{one}> is my own opinion.", f"`</{draft.tag}>` ends it.", "")
    draft.reply = f"{draft.choose(before)}\n\n{draft.reply}\n\n{draft.choose(after)}"


@damage(GROUP, "reply")
def fenced(draft: Draft) -> None:
    mark = draft.choose(("```", "```", "~~~"))
    language = draft.choose(("xml", "xml", "xml", "", "html", "XML", "text"))
    before, after = draft.choose((("", ""), ("Here it is:\n\n", "\n\nDone."), ("", "\n")))
    draft.reply = f"{before}{mark}{language}\n{draft.reply}\n{mark}{after}"


damage(GROUP, "reply")(shared.fence_unclosed)


@damage(GROUP, "reply")
def fence_of_more_backticks(draft: Draft) -> None:
    mark = "`" * draft.rng.randint(4, 6)
    draft.reply = f"{mark}xml\n{draft.reply}\n{draft.choose((mark, '```'))}"


@damage(GROUP, "reply", OBJECTS, mixes=False)
def draft_then_answer(draft: Draft) -> None:
    said = draft.choose(("Wait, I made a mistake. Corrected:", "Better:", "On second thought:", "Final answer:"))
    draft.reply = f"{draft.rival()}\n\n{said}\n\n{draft.reply}"


@damage(GROUP, "reply", OBJECTS, mixes=False)
def answer_then_fragment(draft: Draft) -> None:
    name = draft.choose([each.name for each in draft.shape.fields.values() if each.required])
    if len([each for each in draft.shape.fields.values() if each.required]) < 2:
        raise NoPlaceError
    shown = plain(draft.data[name]) if draft.shape.fields[name].shape.is_text and draft.data[name] else "..."
    fragment = f"<{draft.tag}>\n{STEP}<{name}>{escape(shown)}</{name}>\n</{draft.tag}>"
    draft.reply = f"{draft.reply}\n\nIf you only want one field, use:\n\n{fragment}"


damage(GROUP, "reply", OBJECTS, name="reasoning_with_rival")(shared.reasoning)


@damage(GROUP, "reply", OBJECTS)
def reasoning_behind(draft: Draft) -> None:
    tag = draft.choose(REASONING)
    draft.reply = f"{draft.reply}\n\n<{tag}>\nI could have written:\n{draft.rival()}\nbut did not.\n</{tag}>"


@damage(GROUP, "reply", OBJECTS, mixes=False)
def reasoning_unclosed(draft: Draft) -> None:
    first = draft.choose((f"A try:\n{draft.rival()}\nNo, better:\n\n", "The user wants it all.\n\n"))
    draft.reply = f"<{draft.choose(REASONING)}>\n{first}{draft.reply}"


@damage(GROUP, "reply", OBJECTS)
def reasoning_orphan(draft: Draft) -> None:
    draft.reply = f"Let me try:\n{draft.rival()}\nNo, a < b.\n</think>\n\n{draft.reply}"


@damage(GROUP, "reply")
def xml_declaration(draft: Draft) -> None:
    draft.reply = f'<?xml version="1.0" encoding="{draft.choose(("UTF-8", "utf-8", "ISO-8859-1"))}"?>\n{draft.reply}'


@damage(GROUP, "reply")
def doctype(draft: Draft) -> None:
    kinds = (
        f"<!DOCTYPE {draft.tag}>",
        f'<!DOCTYPE {draft.tag} SYSTEM "{draft.tag}.dtd">',
        f"<!DOCTYPE {draft.tag} [\n  <!ELEMENT {draft.tag} ANY>\n]>",
    )
    draft.reply = f"{draft.choose(kinds)}\n{draft.reply}"


@damage(GROUP)
def processing_instruction(draft: Draft) -> None:
    at = draft.choose([draft.root, *draft.root.children])
    at.before = draft.choose(('<?xml-stylesheet type="text/xsl" href="a.xsl"?>\n', "<?answer final?>\n", "<?php ?>"))
    draft.take(at)


@damage(GROUP, "reply", mixes=False)
def html_escaped_whole(draft: Draft) -> None:
    draft.reply = html.escape(draft.reply, quote=draft.rng.random() < 0.5)
    if draft.rng.random() < 0.3:
        draft.reply = f"Here it is:\n\n{draft.reply}"


@damage(GROUP, "reply", mixes=False)
def in_json_string(draft: Draft) -> None:
    quoted = json.dumps(draft.reply, ensure_ascii=draft.rng.random() < 0.5)
    name = draft.choose(("response", "output", "answer", "xml"))
    draft.reply = draft.choose((quoted, f'{{"{name}": {quoted}}}', f"```json\n{quoted}\n```"))


def _parameters(draft: Draft, before: str, after: str) -> str:
    """The fields of a tool call: texts as they are, what has parts as JSON."""
    made = []
    for each in draft.shape.fields.values():
        value = draft.data[each.name]
        if value is None and not each.required:
            continue
        made.append(before.format(each.name) + _argument(value) + after)
    return "\n".join(made)


def _argument(value: object) -> str:
    if value is None or isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    text = plain(value)
    text = text if reads_verbatim(text) else escape(text)
    return f"\n{text}\n" if "\n" in text else text


@damage(GROUP, "whole", OBJECTS, mixes=False)
def tool_call_function(draft: Draft) -> None:
    inner = _parameters(draft, "<parameter={}>", "</parameter>")
    call = f"<function={draft.name}>\n{inner}\n</function>"
    draft.reply = draft.choose((call, f"<tool_call>\n{call}\n</tool_call>", f"I'll call the tool.\n\n{call}"))


@damage(GROUP, "whole", OBJECTS, mixes=False)
def tool_call_invoke(draft: Draft) -> None:
    inner = _parameters(draft, '<parameter name="{}">', "</parameter>")
    call = f'<invoke name="{draft.name}">\n{inner}\n</invoke>'
    draft.reply = draft.choose((call, f"<function_calls>\n{call}\n</function_calls>"))


@damage(GROUP, "whole", OBJECTS, mixes=False)
def tool_call_damaged(draft: Draft) -> None:
    """What serving stacks report: a parameter closed by its own name or not at all, twice, and an orphaned end."""
    named = draft.rng.random() < 0.5
    opener, last = ('<parameter name="{}">', "</invoke>") if named else ("<parameter={}>", "</function>")
    first = f'<invoke name="{draft.name}">' if named else f"<function={draft.name}>"
    pieces = _parameters(draft, opener, _END).split(_END)
    ends = ["</parameter>"] * (len(pieces) - 1)
    at = draft.rng.randrange(len(ends))
    if "<" in pieces[at].split(">", 1)[1]:
        raise NoPlaceError
    name = next(each for each in draft.shape.fields if opener.format(each) in pieces[at])
    ends[at] = draft.choose((f"</{name}>", "", "</parameter></parameter>"))
    inner = "".join(piece + end for piece, end in zip(pieces, [*ends, ""], strict=True))
    orphan = draft.choose(("", "\n</tool_call>"))
    draft.reply = f"{first}\n{inner}\n{last}{orphan}"


_END = "\x00"


@damage(GROUP, "whole", OBJECTS, mixes=False)
def tool_call_quoting_its_tags(draft: Draft) -> None:
    """A text that speaks of the tags it stands in."""
    texts = [name for name, each in draft.shape.fields.items() if each.shape.kind == "str"]
    draft.data[draft.choose(texts)] = draft.choose(
        (
            "A parameter block ends with </parameter> here.",
            "Write <parameter=path>x</parameter> and close it, <b>always</b>.",
            "The call is over at </tool_call> & not before.",
        )
    )
    inner = _parameters(draft, "<parameter={}>", "</parameter>")
    draft.reply = f"<tool_call>\n<function={draft.name}>\n{inner}\n</function>\n</tool_call>"


damage(GROUP, "reply", name="unknown_wrappers")(shared.wrapper)


damage(GROUP, models=OBJECTS)(shared.root_missing)


damage(GROUP)(shared.root_renamed)


@damage(GROUP)
def root_in_another_case(draft: Draft) -> None:
    draft.take_root()
    shared.respell(draft, draft.root)


@damage(GROUP)
def namespaced(draft: Draft) -> None:
    prefix = draft.choose(("ns", "x", "ns0", "xs"))
    declared = draft.choose((f' xmlns:{prefix}="urn:example"', ""))
    every = draft.rng.random() < 0.5
    for each in draft.root.walk() if every else (draft.root,):
        each.tag = f"{prefix}:{each.tag}"
    draft.root.attributes = declared
    draft.taken.update(draft.root.walk())


damage(GROUP, name="root_never_closed")(shared.root_unclosed)


@damage(GROUP, models=OBJECTS)
def root_closed_early(draft: Draft) -> None:
    at = draft.choose(draft.root.children[:-1])
    at.after = f"</{draft.tag}>"
    draft.root.closer = draft.choose(("", None))
    draft.take(at)
    draft.take_root()


@damage(GROUP, "reply", OBJECTS)
def template_echoed(draft: Draft) -> None:
    shown = template(draft.shape, draft.tag).replace(" type='dict'", "", 1)  # the root has no attributes
    replies = (
        f"{shown}\n\n{draft.reply}",
        f"The form:\n\n```xml\n{shown}\n```\n\nMy answer:\n\n{draft.reply}",
        f"{draft.reply}\n\nThis follows the form:\n\n{shown}",
    )
    draft.reply = draft.choose(replies)


@damage(GROUP)
def literal_dots(draft: Draft) -> None:
    lists = [each for each in draft.places("list", roles=("root", "field")) if each.children]
    at = draft.pick(lists).children[-1] if lists else draft.pick(draft.root.children)
    at.after = draft.choose(("\n        ...", "...", "\n..."))
