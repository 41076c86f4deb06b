"""Recognizes replies without an answer: those that decline to give one, and pages of HTML.

A refusal has a sentence that begins with a phrase of the table, within 500 characters behind any reasoning.
"""

from __future__ import annotations

import re

from ..findings import Span
from .scan import REASONING

_NEAR = 500
"""Characters of a reply in which a refusal begins. A later one is an afterthought."""

_NOT = (
    r"(?:can['’]?t|can ?not|couldn['’]t|won['’]t|will not|don['’]t|do not|"
    r"not able|unable|not allowed|not possible|must)\b"
)
_DO = (
    r"(?:help|assist|support|provide|comply|fulfil|answer|respond|create|generate|write|produce|give|offer|share|"
    r"engage|discuss|participate|complete|process|continue|proceed|do (?:this|that|so)|in good conscience)"
)
_ARE = r"(?:I['’]m|I am|we['’]re|we are)"
_PHRASES = (
    rf"(?:{_ARE} (?:(?:so|very|really|truly) )?sorry|sorry|(?:my )?apologies|I apologi[sz]e)\b.*?\b{_NOT}",
    rf"(?:unfortunately|regrettably),? (?:I|we)(?: am|['’]m| are|['’]re)? {_NOT}",
    rf"(?:I|we)(?: am| are|['’]m|['’]re)? (?:{_NOT}|not going)(?: to| be able to)? {_DO}",
    r"(?:I|we)(?:['’]ll| will| would)? ?(?:must |have to |need to )?(?:respectfully |politely )?(?:decline|refuse)\b",
    rf"as an? (?:AI|artificial intelligence|(?:large )?language model)\b.*?\b{_NOT}",
    r"(?:this|that|it)(?: is|['’]s) not something (?:I|we) (?:can|could|am|are)\b",
    r"(?:this|that|your|the) request (?:violates|goes against|is against)\b",
    # German
    r"(?:es )?tut mir (?:sehr )?leid\b.*?\b(?:nicht|kein\w*)\b",
    r"(?:leider )?(?:kann|darf) ich\b.*?\b(?:nicht|kein\w*)\b",
    (r"ich (?:kann|darf|werde|möchte)\b.*?\bnicht\b.*?"
    r"\b(?:helfen|beantworten|unterstützen|erstellen|ausführen|nachkommen)\b"),
    r"als (?:KI|Sprachmodell)\b.*?\b(?:nicht|kein\w*)\b",
    # French
    r"(?:je suis )?(?:désolée?|navrée?)\b.*?\b(?:ne|n['’])",
    r"je ne (?:peux|puis|suis)\b.*?\b(?:aider|répondre|fournir|satisfaire|accéder|mesure)\b",
    r"en tant qu(?:['’]IA|['’]intelligence artificielle|e modèle)\b.*?\b(?:ne|n['’])",
    # Spanish, Portuguese, Italian
    r"(?:lo siento|lamento|me temo)\b.*?\bno\b",
    (r"(?:no|não|non) (?:puedo|posso)\b.*?"
    r"\b(?:ayudar|responder|proporcionar|cumplir|ajudar|fornecer|aiutar|rispondere|fornire)"),
    r"(?:desculpe|sinto muito|lamento)\b.*?\bnão\b",
    r"mi dispiace\b.*?\bnon\b",
    r"como (?:una |uma )?(?:IA|inteligencia artificial|modelo de (?:lenguaje|linguagem))\b.*?\b(?:no|não)\b",
    # Russian, Chinese, Japanese, Korean
    r"(?:извините|простите|к сожалению)\b.*?\bне\b",
    r"я не (?:могу|буду) (?:помочь|ответить|выполнить)",
    r"(?:很|非常)?(?:抱歉|对不起|對不起).*?(?:无法|無法|不能)",
    r"我(?:无法|無法|不能)(?:帮|幫|协助|協助|提供|回答|满足|滿足)",
    r"申し訳.*?(?:できません|できかねます|お答え)",
    r"죄송.*?(?:없습니다|수 없)",
)  # fmt: skip
"""The beginnings of refusing sentences, as long as needed to recognize them. `.` stays within the sentence."""

_REFUSAL = re.compile(
    r"(?:\A|[.!?:;>\n。！])[\s*_>#\"“(-]*+(?P<said>(?:"
    + "|".join(_PHRASES).replace(".*?", r"[^.!?\n。！]*?")
    + r")[^.!?\n。！]*)",
    re.IGNORECASE,
)
_THOUGHT_END = re.compile(rf"</(?:{'|'.join(sorted(REASONING))})\s*>", re.IGNORECASE)


def refusal(reply: str) -> Span | None:
    """Returns the span of the sentence by which a reply without an answer declines to give one, or None."""
    start = 0
    for thought in _THOUGHT_END.finditer(reply):
        start = thought.end()
    start += len(reply[start:]) - len(reply[start:].lstrip())
    match = _REFUSAL.search(reply[start : start + _NEAR])
    return None if match is None else (start + match.start("said"), start + match.end("said"))


_PAGE = re.compile(r"\s*+(?:<!doctype\s+html\b|<html\b)", re.IGNORECASE)
_TITLE = re.compile(r"<(?:title|h1)\b[^<>]{0,200}>\s*+([^<>]{1,100})", re.IGNORECASE)


def html_page(reply: str) -> str | None:
    """Describes a reply that is an HTML page, such as the error page of a proxy; None for any other."""
    if _PAGE.match(reply) is None:
        return None
    title = _TITLE.search(reply[: 4 * _NEAR])
    return "an HTML page" if title is None else f'an HTML page ("{" ".join(title[1].split())}")'
