"""Random data for the models of the corpus: what a language model would really put into such fields."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from benchmarks.robustness.models import Shape, fill, root_shape

WORDS = [
    "battery",
    "screen",
    "keyboard",
    "delivery",
    "support",
    "handle",
    "manual",
    "colour",
    "charger",
    "button",
    "hinge",
    "cover",
    "lamp",
    "motor",
    "filter",
    "speaker",
    "camera",
    "lens",
    "strap",
    "case",
    "cable",
    "adapter",
    "sensor",
    "display",
    "fan",
    "pump",
    "valve",
    "bracket",
    "panel",
    "switch",
]
ADJECTIVES = [
    "light",
    "cheap",
    "sturdy",
    "bright",
    "quiet",
    "compact",
    "fast",
    "clean",
    "simple",
    "solid",
    "warm",
    "handy",
    "elegant",
    "reliable",
    "precise",
]
NAMES = (
    "Dr. Ingrid Müller",
    "Aylin Öztürk",
    "Łukasz Wójcik",
    "Seán O'Brien",
    "Maria da Silva",
    "Kenji Tanaka",
    "Ana-Lucía Pérez",
    "John Smith Jr.",
    "Zoë van den Berg",
    "Priya Raghavan",
)
CITIES = ("Annecy", "São Paulo", "St. Gallen", "Kraków", "Reykjavík", "Newcastle upon Tyne", "Malmö")
STREETS = ("12 High Street", "Am Ring 4a", "8 rue de l'Église", "Calle Mayor 21", "5th Avenue 350")
COLOURS = ("dark blue", "anthracite", "red", "off-white", "signal yellow")
KEYS = ("apples", "pears", "plums", "lemons", "kiwis", "cherries", "melons", "figs")

SENTENCES = (
    "The {word} is {adjective}, and it shows.",
    'It says "{adjective}" on the box; the {word} disagrees.',
    "After two weeks (and one repair) the {word} still works!",
    "Why is the {word} not {adjective}? Nobody could tell.",
    "Overall: a {adjective} {word} - nothing more, nothing less.",
    "The {word} arrived late… but in one piece.",
    "Compared with last year's {word}, this one is {adjective}.",
    "I'd buy the {word} again; my brother wouldn't.",
    "«{word}» was all they wrote.",
    "See https://example.org/{word}?id=7 for the {word}.",
)

CODE = (
    "def first(rows: list[str]) -> str | None:\n    for row in rows:\n        if row:\n            return row",
    (
        "template <typename T>\nstd::vector<T> rev(std::vector<T> v) {\n    for (int i = 0; i < n && v[i] > 0; i++) {\n"
        "        std::cout << v[i] << '\\n';\n    }\n    return v;\n}"
    ),
    (
        'const Card = ({ item }: Props) => (\n  <div className="card">\n    <Title>{item.name}</Title>\n'
        "    {item.count > 0 && <Badge n={item.count} />}\n  </div>\n);"
    ),
    "Map<String, List<Integer>> index = new HashMap<>();\nif (a < b && b < c) {\n    index.get(key).add(1 << 4);\n}",
    "#!/bin/sh\nsort < in.txt > out.txt 2>&1 && cat <<EOF >> log\ndone & dusted\nEOF",
    "SELECT name, COUNT(*) AS n\nFROM orders\nWHERE total >= 10 AND status <> 'void'\nGROUP BY name\nHAVING n < 5;",
    "fn parse<'a>(input: &'a str) -> Option<&'a str> {\n    input.split('<').next()\n}",
)
LATEX = (
    "\\begin{align}\n  f(x) &= x^2 + 1 \\\\\n  f'(x) &= 2x < 4\n\\end{align}",
    "\\sum_{i<n} a_i \\le \\frac{n}{2} \\quad \\& \\quad \\forall x \\in \\mathbb{R}",
    "\\begin{pmatrix}\n  1 & 0 \\\\\n  0 & 1\n\\end{pmatrix}",
)
MARKDOWN = (
    "# Summary\n\nThe **main** point: `a < b` holds.\n\n- one\n- two\n\n> quoted & done",
    "Run it:\n\n```sh\nmake all && ./run <input\n```\n\nThen read *the log*.",
    "| key | value |\n|---|---|\n| a | 1 < 2 |\n\nSee [the page](https://example.org/?a=1&b=2).",
)
HTML = (
    (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n    <title>Sign in</title>\n</head>\n<body>\n'
        "    <p>Fish &amp; chips</p>\n    <code>x = 1</code>\n</body>\n</html>"
    ),
    "<section>\n  <h1>Welcome</h1>\n  <ul>\n    <li>first</li>\n  </ul>\n  <img src='a.png'>\n</section>",
    "<article>\n  <title>News &ndash; today</title>\n  <p>5 < 6, isn't it?<br>Yes.</p>\n</article>",
)


def sentence(rng: Random) -> str:
    pattern = rng.choice(SENTENCES)
    return pattern.format(word=rng.choice(WORDS), adjective=rng.choice(ADJECTIVES))


def paragraph(rng: Random) -> str:
    return " ".join(sentence(rng) for _ in range(rng.randint(1, 4)))


def lines(rng: Random) -> str:
    """Text of one or of several lines."""
    if rng.random() < 0.6:
        return paragraph(rng)
    return "\n\n".join(paragraph(rng) for _ in range(rng.randint(2, 3)))


def title(rng: Random) -> str:
    return f"{rng.choice(ADJECTIVES).capitalize()} {rng.choice(WORDS)}, {rng.choice(WORDS)} and more"


def item(rng: Random) -> str:
    """An item of a list of texts: sometimes a few words, sometimes a sentence."""
    if rng.random() < 0.5:
        return f"{rng.choice(ADJECTIVES)} {rng.choice(WORDS)}"
    return sentence(rng)


def _email(rng: Random) -> str:
    return f"{rng.choice(WORDS)}.{rng.choice(ADJECTIVES)}@example.org"


TEXTS: dict[str, Callable[[Random], str]] = {
    "customer": lambda rng: rng.choice(NAMES),
    "name": lambda rng: rng.choice(NAMES),
    "holder": lambda rng: rng.choice(NAMES),
    "guest": lambda rng: rng.choice(NAMES),
    "email": _email,
    "title": title,
    "subject": title,
    "heading": title,
    "label": lambda rng: rng.choice(WORDS),
    "article": lambda rng: f"{rng.choice(ADJECTIVES)} {rng.choice(WORDS)}",
    "caption": title,
    "html": lambda rng: rng.choice(HTML),
    "code": lambda rng: rng.choice(CODE),
    "latex": lambda rng: rng.choice(LATEX),
    "notes": lambda rng: rng.choice(MARKDOWN),
    "excerpt": lines,
    "summary": lines,
    "biography": lines,
    "iban": lambda rng: f"DE{rng.randint(10, 99)} {rng.randint(1000, 9999)} {rng.randint(1000, 9999)}",
    "reference": lambda rng: f"RF-{rng.choice(WORDS)}",
    "street": lambda rng: rng.choice(STREETS),
    "city": lambda rng: rng.choice(CITIES),
    "url": lambda rng: f"https://example.org/{rng.choice(WORDS)}",
    "colour": lambda rng: rng.choice(COLOURS),
    "number": lambda rng: f"INV-{rng.randint(1000, 9999)}",
    "keywords": lambda rng: rng.choice(WORDS),
    "pros": item,
    "steps": item,
    "warehouse": lambda rng: rng.choice(CITIES),
    "employer": lambda rng: f"{rng.choice(NAMES).split()[-1]} & Sons",
}
RANGES: dict[str, tuple[int, int]] = {
    "score": (1, 5),
    "points": (0, 10),
    "age": (18, 90),
    "hours": (1, 40),
    "pages": (1, 300),
    "votes": (0, 20),
    "minutes": (5, 120),
    "nights": (1, 14),
    "passcode": (1000, 9999),
    "weight": (1, 99),
    "quantity": (1, 20),
    "birthyear": (1940, 2005),
    "followers": (100, 99_999),
    "order_number": (10_000, 99_999),
}
MAX_DEPTH = 2


def instance(rng: Random, name: str) -> Any:
    """Random data of a root, every field of it."""
    shape = root_shape(name)
    return fill(shape, value(rng, shape, name))


def value(rng: Random, shape: Shape, name: str, depth: int = 0) -> Any:
    if shape.nullable and rng.random() < 0.3:
        return None
    return _MAKERS[shape.kind](rng, shape, name, depth)


def _text(rng: Random, shape: Shape, name: str, depth: int) -> str:
    return TEXTS.get(name, sentence)(rng)


def _int(rng: Random, shape: Shape, name: str, depth: int) -> int:
    return rng.randint(*RANGES.get(name, (0, 500)))


def _float(rng: Random, shape: Shape, name: str, depth: int) -> float:
    return round(rng.choice((rng.uniform(0.5, 100), rng.uniform(1000, 99_999))), 2)


def _bool(rng: Random, shape: Shape, name: str, depth: int) -> bool:
    return rng.random() < 0.5


def _date(rng: Random, shape: Shape, name: str, depth: int) -> str:
    return f"{rng.randint(2019, 2027)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _enum(rng: Random, shape: Shape, name: str, depth: int) -> str:
    return rng.choice(shape.choices)[1]


def _object(rng: Random, shape: Shape, name: str, depth: int) -> dict[str, Any]:
    return {field.name: value(rng, field.shape, field.name, depth) for field in shape.fields.values()}


def _list(rng: Random, shape: Shape, name: str, depth: int) -> list[Any]:
    assert shape.item is not None
    least = 2 if name in {"TaskList", "lines"} else 0
    count = 0 if depth > MAX_DEPTH else rng.choice((least, 2, 3, 4))
    return [value(rng, shape.item, name, depth + 1) for _ in range(count)]


def _map(rng: Random, shape: Shape, name: str, depth: int) -> dict[str, Any]:
    assert shape.item is not None
    return {key: value(rng, shape.item, name, depth) for key in rng.sample(KEYS, rng.randint(1, 4))}


def _union(rng: Random, shape: Shape, name: str, depth: int) -> Any:
    option = rng.choice(shape.options)
    if option.kind == "str":
        return f"{rng.choice(WORDS).upper()}-{rng.randint(10, 99)}"
    return value(rng, option, name, depth)


_MAKERS: dict[str, Callable[[Random, Shape, str, int], Any]] = {
    "str": _text,
    "int": _int,
    "float": _float,
    "bool": _bool,
    "date": _date,
    "enum": _enum,
    "object": _object,
    "list": _list,
    "map": _map,
    "union": _union,
}
