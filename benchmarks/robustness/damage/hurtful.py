"""What is meant to hurt: entity bombs, external entities, depth, masses, noise. The answer is still there."""

from __future__ import annotations

from benchmarks.robustness.damage.draft import Draft, damage
from structured_response.testing.damage import Element

GROUP = "meant to hurt"


def _string(draft: Draft, raw: str, value: str | None = None) -> Element:
    at = draft.pick(draft.places("str", roles=("field", "item")))
    draft.set(at, raw if value is None else value)
    at.raw = raw
    return at


@damage(GROUP, mixes=False)
def entity_bomb(draft: Draft) -> None:
    _string(draft, "&d;")
    entities = '<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {name} "{f"&{below};" * 10}">' for below, name in zip("abc", "bcd", strict=True)
    )
    draft.root.before = f"<!DOCTYPE {draft.tag} [{entities}]>\n"


@damage(GROUP, mixes=False)
def external_entity(draft: Draft) -> None:
    _string(draft, "&xxe;")
    draft.root.before = f'<!DOCTYPE {draft.tag} [<!ENTITY xxe SYSTEM "file:///etc/hostname">]>\n'


@damage(GROUP)
def depth_in_text(draft: Draft) -> None:
    depth = draft.rng.randint(300, 3000)
    _string(draft, "<b>" * depth + "deep" + "</b>" * draft.choose((depth, 0)))


@damage(GROUP)
def depth_of_unknown(draft: Draft) -> None:
    depth = draft.rng.randint(300, 3000)
    at = draft.pick([each for each in draft.root.children if each not in draft.taken])
    at.before = "<zzz>" * depth + "</zzz>" * depth


@damage(GROUP)
def masses_of_marks(draft: Draft) -> None:
    mark = draft.choose(("<", "&", "]]>", "< /", "&#", "<<", "&lt", "<="))
    _string(draft, f"x {(mark + ' ') * draft.rng.randint(500, 3000)}y")


@damage(GROUP)
def masses_of_strays(draft: Draft) -> None:
    at = draft.pick([each for each in draft.root.children if each not in draft.taken])
    at.after = draft.choose(("</b>", "</i>\n", "</zzz>")) * draft.rng.randint(500, 2000)


@damage(GROUP, "reply")
def tag_soup_around(draft: Draft) -> None:
    soup = "".join(f"<{draft.choose(('', '/'))}{draft.choose('abipq')}>" for _ in range(draft.rng.randint(20, 200)))
    draft.reply = f"{soup}\n{draft.reply}\n{soup}"


@damage(GROUP)
def lone_surrogates(draft: Draft) -> None:
    _string(draft, "half \ud83d of a pair", "half \ufffd of a pair")


@damage(GROUP, "reply")
def noise_around(draft: Draft) -> None:
    letters = "<>&/'\"=![]{}()-abc \n\t\x00\u00e9\u4e2d\U0001f600"
    noise = "".join(draft.choose(letters) for _ in range(draft.rng.randint(50, 300)))
    draft.reply = f"{noise.replace('<!', '< !').replace('<?', '< ?')}\n\n{draft.reply}"
