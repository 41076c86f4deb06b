"""Damage of text: what nobody escaped, entities of all kinds, CDATA and comments, and values in quotes or fences."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.robustness.damage.draft import Draft, damage
from structured_response.testing import damage as shared
from structured_response.testing.damage import ENDING, Element, reads_verbatim

GROUP = "text"


def _strings(draft: Draft) -> list[Element]:
    return draft.places("str", roles=("field", "item"))


def _pick_string(draft: Draft) -> Element:
    """A text that stands for itself: no discriminator hangs on it, no option of a union is told by it."""
    return draft.pick(_strings(draft))


def _write_bare(draft: Draft, texts: Sequence[str]) -> None:
    """Put a text into a string, as it is."""
    at, text = _pick_string(draft), draft.choose(texts)
    assert reads_verbatim(text), text
    draft.set(at, text)
    at.raw = text


def _write_as(draft: Draft, pairs: Sequence[tuple[str, str]]) -> None:
    """Put a text into a string: how it is written, and what it says."""
    at, (raw, value) = _pick_string(draft), draft.choose(pairs)
    draft.set(at, value)
    at.raw = raw


@damage(GROUP)
def bare_ampersand(draft: Draft) -> None:
    _write_bare(
        draft, ("R&D for Q&A", "Fish & chips", "AT&T and others", "a && b || c", "x &= 1 & y", "?a=1&b=2&copy=3")
    )


@damage(GROUP)
def bare_less_than(draft: Draft) -> None:
    texts = (
        "5 < 6",
        "a < b && c",
        "x <y and y> z",
        "i<3",
        "1 << 4 >> 2",
        "if (a <= b) {}",
        "<- here",
        "a <> b",
        "I <3 it",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def arrows(draft: Draft) -> None:
    _write_bare(draft, ("a -> b", "p->next", "x => x + 1", "<-> both", "A --> B", "1 >> 2", "std::cout << x"))


@damage(GROUP)
def code_with_generics(draft: Draft) -> None:
    texts = (
        "Map<String, List<Integer>> m = new HashMap<>();\nif (m.size() < 3 && ok) {\n    return;\n}",
        "std::vector<std::pair<int, T>> v;\nfor (auto& x : v) { std::cout << x.first << '\\n'; }",
        "fn f<'a, T: Into<String>>(x: &'a T) -> Option<&'a str>",
        "def f(x: list[int]) -> dict[str, int]:\n    return {k: v for k, v in x if k < v & 1}",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def code_with_jsx(draft: Draft) -> None:
    texts = (
        "const App = () => (\n  <>\n    <Button onClick={() => a < b && go()}>Go</Button>\n    <Input />\n  </>\n);",
        "return <ul>{rows.map((r) => <li key={r.id}>{r.text}</li>)}</ul>;",
        "<Foo bar={x > 1 ? <A/> : <B c='d'/>} {...rest} />",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def shell_redirections(draft: Draft) -> None:
    texts = (
        "cat <<EOF > out.txt\n$HOME & co\nEOF",
        "sort < in.txt 2>&1 | tee log && echo ok",
        "diff <(sort a) <(sort b) &> /dev/null &",
        "python - <<'PY'\nprint(1 < 2)\nPY",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def diffs(draft: Draft) -> None:
    texts = (
        "--- a/x.html\n+++ b/x.html\n@@ -1,3 +1,3 @@\n-<li>old</li>\n+<li>new & shiny</li>\n </ul>",
        "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> theirs",
        "- if a < b:\n+ if a <= b and c & 1:",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def latex(draft: Draft) -> None:
    texts = (
        "\\begin{tabular}{l|r}\n  a & b \\\\\n  1 < 2 & $x_{i<n}$\n\\end{tabular}",
        "$$\\sum_{i<n} a_i \\& b \\le c$$",
        "\\[ |x| < \\epsilon \\implies f(x) \\to 0 \\]",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def markdown(draft: Draft) -> None:
    texts = (
        "# Title\n\n> quote & more\n\n- [x] done\n- `a < b`\n\n| a | b |\n|---|---|\n| 1 | <br> |",
        "Use it:\n\n```xml\n<a><b>1</b></a>\n```\n\nThen go on.",
        "See <https://example.org/?a=1&b=2> and [this](x.md).",
        "**Bold** and <u>underlined</u> &mdash; both.",
    )
    _write_bare(draft, texts)


@damage(GROUP)
def html_with_own_names(draft: Draft) -> None:
    at = _pick_string(draft)
    names = [each for each in draft.shape.fields if each != at.tag] or ["li", "done"]
    one, other = draft.choose(names), draft.choose(names)
    texts = (
        f"<div>\n  <{one}>4</{one}>\n  <p>Fish &amp; chips<br>\n  <{other} class='x'>y</{other}>\n</div>",
        f"Write <{one}>1</{one}> there, & no <{other}/>.",
        f"<{at.tag}>inner</{at.tag}> holds <b>it</b>",
        f"<{draft.tag}><{one}>x</{one}></{draft.tag}>",
    )
    text = draft.choose(texts)
    draft.set(at, text)
    at.raw = text


@damage(GROUP)
def entities_known(draft: Draft) -> None:
    """References by name and by number; a name that HTML has and XML has not says that its author wrote markup."""
    pairs = (
        ("caf&eacute; &copy; 2024", "caf&eacute; &copy; 2024"),
        ("5&nbsp;kg &ndash; &euro;9", "5&nbsp;kg &ndash; &euro;9"),
        ("&#8364;5 &#x41;&lt;B", "\u20ac5 A<B"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("&quot;x&quot; &apos;y&apos;", "\"x\" 'y'"),
    )
    _write_as(draft, pairs)


@damage(GROUP)
def entities_unknown(draft: Draft) -> None:
    _write_as(
        draft,
        (
            ("&foo; stays &amp; &bar;", "&foo; stays & &bar;"),
            ("&amp and &nosuch; &lt;x", "&amp and &nosuch; <x"),
            ("tom&jerry; &#xZZ;", "tom&jerry; &#xZZ;"),
        ),
    )


@damage(GROUP)
def entities_double_escaped(draft: Draft) -> None:
    _write_as(draft, (("a &amp;lt; b", "a &lt; b"), ("&amp;amp; R&amp;D", "&amp; R&D"), ("&amp;nbsp;x", "&nbsp;x")))


@damage(GROUP)
def entities_beside_markup(draft: Draft) -> None:
    _write_bare(draft, ("<b>Bold</b> &amp; plain", "x &lt; y is <i>less</i>", "&lt;<br>&gt; &#65;", "</p> &copy;"))


@damage(GROUP)
def cdata(draft: Draft) -> None:
    texts = ("a < b && c", "<b>bold</b> & more", "&amp; stays", "if (x[0] > 1) { y << 2 }")
    text = draft.choose(texts)
    _write_as(draft, [(f"<![CDATA[{text}]]>", text)])


@damage(GROUP)
def cdata_in_parts(draft: Draft) -> None:
    _write_as(
        draft,
        (
            ("R&amp;D: <![CDATA[a < b]]> holds", "R&D: a < b holds"),
            ("<![CDATA[x <]]><![CDATA[ y &lt;]]>", "x < y &lt;"),
            ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
        ),
    )


@damage(GROUP)
def cdata_unclosed(draft: Draft) -> None:
    text = draft.choose(("a < b && c", "plain text, nothing else", "R&D"))
    _write_as(draft, [(f"<![CDATA[{text}{end}", text) for end in ("", "", "", "]]", "]>")])


@damage(GROUP)
def cdata_nested(draft: Draft) -> None:
    text = draft.choose(("x = <![CDATA[ 1 < 2 ]]> here", "a <![CDATA[b]]> c & d"))
    _write_as(draft, [(f"<![CDATA[{text}]]>", text)])


@damage(GROUP)
def comment_in_value(draft: Draft) -> None:
    if draft.rng.random() < 0.5 and draft.places(*ENDING):
        at = draft.pick(draft.places(*ENDING))
        at.raw = f"{at.raw}{draft.choose(('<!-- as said -->', ' <!-- see 5 & 6 -->'))}"
        return
    at = draft.pick([each for each in _strings(draft) if each.raw and "\n" not in each.raw and "<" not in each.raw])
    at.raw = draft.choose((f"{at.raw}<!-- check -->", f"<!-- see below -->{at.raw}", f"{at.raw} <!-- R&D < 5 -->"))


@damage(GROUP)
def comment_in_long_value(draft: Draft) -> None:
    _write_bare(draft, ("<p>\n<!-- a note -->\n</p>", "x = 1\n<!-- todo: x < 2 -->\ny = 2", "<!-- a -->\n<b>c</b>"))


damage(GROUP, name="comment_between")(shared.comment)


@damage(GROUP)
def comment_unclosed(draft: Draft) -> None:
    at = draft.pick([each for each in draft.root.children if each not in draft.taken])
    at.before = draft.choose(("<!-- now this one\n", "<!-- next ->\n", "<!-- the rest: "))


@damage(GROUP)
def text_laid_out(draft: Draft) -> None:
    """Text of several lines that was indented along with the elements: the indentation is layout."""
    texts = ("first line\n  deeper\nlast", "def f(x):\n    return x + 1\n\nprint(f(2))", "one\n\ntwo")
    at, text = _pick_string(draft), draft.choose(texts)
    draft.set(at, text)
    outer = draft.step or ""
    depth = len(list(at.ancestors()))
    inner = outer * (depth + 1) or "  "
    laid = "\n".join(inner + line if line else line for line in text.split("\n"))
    at.opener, at.raw = f"<{at.tag}>\n{laid}\n{outer * depth}", ""


@damage(GROUP)
def control_characters(draft: Draft) -> None:
    texts = ("bell\x07 and null\x00 inside", "\x1b[1mbold\x1b[0m text", "form\x0cfeed and \x0btab", "del\x7f & \x01")
    _write_bare(draft, texts)


@damage(GROUP)
def value_in_quotes(draft: Draft) -> None:
    if draft.rng.random() < 0.5 and draft.places(*ENDING):
        shared.value_decorated(draft)
        return
    _write_bare(draft, ('"Quoted, as a whole"', "'single'", "`code`", "\u201ccurly\u201d"))


damage(GROUP, name="value_in_fence")(shared.value_fenced)
