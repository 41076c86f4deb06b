"""The corpus that fuzzing begins with, and its dictionary: `python -m tests.fuzz.seeds FOLDER` writes both."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.target import RESPONSES, encode
from tests.hostile import ATTACKS, GOOD, TOKENS

__all__ = ["dictionary", "main", "seeds"]

_THREAD = """\
<thread><name>a</name><replies><li><name>b</name></li></replies><votes><entry key='x'>1</entry></votes>\
<shown><photo><url>u</url><width>3</width></photo></shown></thread>"""

_EVERYTHING = """\
<everything><text>a &lt; b</text><maybe type='null'/><number>1</number><amount>1.50</amount><colour>red</colour>\
<when>2024-03-02T10:00:00Z</when><day>2024-03-02</day><pause>PT1H</pause><data>aGk=</data>\
<shape><circle><kind>circle</kind><radius>2.5</radius></circle></shape><loose type='int'>7</loose>\
<pair><li>1</li><li>x</li></pair><names><li>n</li></names><lists><li><li>0.5</li></li></lists>\
<counts><entry key='1'>2.0</entry></counts><maps><entry key='k'><li><kind>circle</kind><radius>1.0</radius></li>\
</entry></maps><anything type='map'><entry key='a' type='list'><li type='int'>1</li></entry></anything></everything>"""

_LIST = "<value_list><li>a</li><li>b</li></value_list>"

_DAMAGED = (
    "<review><headline>Q&A: 5 < 6<score>4</score>",
    "<review><headline>Nice</score><score>4 out of 5</score><recommended>Yes</recommended><verdict>**Mixed**</verdict>",
    "<think><review><score>5</score></review></think>\n```xml\n<Review>\n<score type=int>4<headline>x\n```",
    '{"review": {"headline": "a \\"b\\"", "score": 4, "pros": ["x", "y",], "verdict": "good"}}',
    "headline: Nice\nscore: 4\nverdict: good\npros:\n  - light\n  - cheap\n",
    "<function=Review><parameter=headline>Nice</parameter><parameter=score>4</parameter></function>",
    '<invoke name="Review"><parameter name="headline">Nice</parameter><parameter name="score">4</parameter></invoke>',
    "&lt;review&gt;&lt;headline&gt;Nice&lt;/headline&gt;&lt;score&gt;4&lt;/score&gt;&lt;/review&gt;",
    "<review><parts><li><label>a<points>1</li><part><label>b</label><points>x</points></part></parts></review>",
    "<review headline='Nice' score=4><price>$1,299.00</price><pros>- light\n- cheap</pros>",
    "<review><excerpt>\n    <![CDATA[if (a < b) {\n      c();\n    }]]>\n  </excerpt><score>4</scor></review>",
)


def seeds() -> Iterator[bytes]:
    """Small inputs: good answers, the library's own prompts, damaged ones, and every attack at its smallest."""
    own = (GOOD, _THREAD, _EVERYTHING, _LIST)
    for index, (response, reply) in enumerate(zip(RESPONSES, own, strict=True)):
        yield encode(index, reply)
        yield encode(index, response.to_prompt())
    yield from (encode(0, reply) for reply in _DAMAGED)
    for number, attack in enumerate(ATTACKS.values()):  # in pieces of 1 to 11 characters, as the first byte says
        yield encode(RESPONSES.index(attack.response) + len(RESPONSES) * (number % 11), attack.make(40))


def dictionary() -> str:
    """The tokens that mutations put in, in libFuzzer's own format."""
    names = {name for response in RESPONSES for name in response.definition}
    tags = {form for name in names for form in (f"<{name}>", f"</{name}>", f"<{name} ", f"{name}: ", f'"{name}": ')}
    words = {piece for piece, _places in TOKENS.values() if len(piece) < 40}
    kinds = {f" type='{kind}'" for kind in ("null", "str", "int", "float", "bool", "list", "map", "circle", "photo")}
    return "".join(f'"{_quoted(token)}"\n' for token in sorted(tags | words | kinds))


def _quoted(token: str) -> str:
    """Hexadecimal throughout: the format has its own rules for quotes and backslashes."""
    return "".join(f"\\x{byte:02x}" for byte in token.encode("utf-8", "surrogatepass"))


def main(folder: Path) -> None:
    """Writes the corpus and the dictionary."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in seeds():
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    (folder / "tokens.dict").write_text(dictionary(), "ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
