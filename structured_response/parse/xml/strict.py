"""The strict reader: lxml for a reply that is well-formed, fits the definition to the letter and needs no word said.

It reads what the shortcut has no pattern for: fields in any order, attributes that a prompt shows, shapes that hold
themselves, unions, maps, tuples. It gives the tree of texts that the shortcut would give, or nothing; then the
tolerant reader takes over. So it does wherever lxml's tree cannot tell what the source says: CDATA, comments, markup
in a string, carriage returns, layout that depends on the indentation of a tag.

lxml decodes references before any rule could see the raw characters, so it gets none: a control character stands
for each `&`, and texts are decoded here.

Stepping aside has to be cheap, since most damaged replies come by: a few counts find most of them before lxml is
asked, for its errors cost more than reading all of a reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lxml import etree

from ...definition import Plan, per_plan
from ...markup import EXAMPLE, LABELLED
from .sieve import sieve
from .strict_elements import attributed_root, bare_root
from .strict_texts import AMP, AsideError

__all__ = ["strict"]

Read = Callable[[str], Any]
"""A reply -> the tree of its texts, or None where it is not strict."""

_ATTRIBUTE = re.compile(r"=[ \t\n]*+[\"']")
_BROKEN_ATTRIBUTE = re.compile(r"=[ \t\n]*+(?:\"[^\"<\t\n]*+[\t\n]|'[^'<\t\n]*+[\t\n])")
_BARE_AMP = re.compile(r"&(?!#?[A-Za-z0-9]++;)")
_RIVAL = re.compile(rf"[{{\[\uff1c]|\"(?:\s|\\[nrt])*+\Z|\A\s*+\"|(?m:^)>[ \t]*+\Z|{re.escape(EXAMPLE)}|{LABELLED}")
"""What could begin an answer of another kind in the prose in front: JSON, full-width brackets, a JSON string, a
quoted line, an example of the prompt, labels.
"""

_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    huge_tree=False,
    recover=False,
    remove_blank_text=True,
    collect_ids=False,
)


@per_plan
def strict(plan: Plan) -> Read:
    """What reads a strict reply. Costs some three times what lxml takes to parse it, and a third of that
    where most of them are damaged; linear in its length.
    """
    lets = sieve(plan).lets
    opener, closer = f"<{plan.root_name}", f"</{plan.root_name}"

    def read(reply: str) -> Any:
        block = _block(reply, opener, closer)
        if block is None or not _is_promising(block) or not lets(block):
            return None
        has_attributes = "=" in block and _ATTRIBUTE.search(block) is not None
        if has_attributes and _BROKEN_ATTRIBUTE.search(block):
            return None
        try:
            root = etree.fromstring(block.replace("&", AMP), _PARSER)
            if root.tag != plan.root_name:
                return None
            return (attributed_root if has_attributes else bare_root)(plan)(root, 0)
        except (AsideError, etree.XMLSyntaxError, RecursionError):
            return None

    return read


def _block(reply: str, opener: str, closer: str) -> str | None:
    """The one root element of a reply, if no other markup stands around it."""
    start, end = reply.find("<"), reply.rfind("</")
    if reply.startswith("<?xml ", start):
        start = reply.find("<", start + 1)
    if not (reply.startswith(opener, start) and reply.startswith(closer, end)):
        return None
    stop = reply.find(">", end) + 1
    if not stop or reply.find("<", stop) >= 0 or reply.find(EXAMPLE, stop) >= 0:
        return None
    if start and _RIVAL.search(reply, 0, start):
        return None
    return reply[start:stop]


def _is_promising(block: str) -> bool:
    """Whether nothing speaks against a block at first sight: cheap counts find most of what is not well-formed."""
    if "\r" in block or AMP in block:
        return False
    closers, brackets = block.count("</"), block.count("<")
    if brackets != 2 * closers and not 2 * closers < brackets <= 2 * closers + block.count("/>"):
        return False
    return not ("&" in block and _BARE_AMP.search(block))
