"""The site of the documentation: its navigation holds every page, and its reference every public name."""

import re
import runpy
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
REFERENCE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
# Modules whose public names the reference lists one by one, or as a whole.
ONE_BY_ONE = ["structured_response"]
WHOLE = [
    f"structured_response.{name}" for name in ("batch", "cache", "clients", "datasets", "explain", "testing", "tools")
] + [f"structured_response.integrations.{name}" for name in ("dspy", "langchain", "mirascope", "pydantic_ai")]


def places(nav: list[dict[str, Any]]) -> Iterator[str]:
    """The pages of the navigation, in order."""
    for entry in nav:
        for inner in entry.values():
            yield from [inner] if isinstance(inner, str) else places(inner)


def test_the_navigation_has_every_page_once() -> None:
    """A new page is put where a reader looks for it, and none is listed that is not there."""
    pages = [*ROOT.glob("[CRS]*.md"), *(ROOT / "docs").rglob("*.md")]
    assert sorted(places(CONFIG["nav"])) == sorted(page.relative_to(ROOT).as_posix() for page in pages)


def test_the_reference_has_every_public_name_once() -> None:
    """Whatever users import is in the reference."""
    text = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs" / "reference").glob("*.md"))
    listed = REFERENCE.findall(text)
    names = {f"{module}.{name}" for module in ONE_BY_ONE for name in import_module(module).__all__}
    assert len(listed) == len({*listed})
    assert {*names, *WHOLE} <= {*listed}
    for name in {*listed} - {*WHOLE}:
        module, _, last = name.rpartition(".")
        assert last in dir(import_module(module)) or f"{module}.{last}" in text, name


@pytest.mark.parametrize("key", ["extra_css", "extra_javascript"])
def test_what_pages_load_is_in_the_repository(key: str) -> None:
    """No page asks another host for a style or a script."""
    assert all((ROOT / name).is_file() for name in CONFIG[key])


def test_the_fonts_are_in_the_repository() -> None:
    """No page asks another host for a font, and each font has its licence beside it and is small."""
    assets = ROOT / "docs" / "assets"
    fonts = [assets / name for name in re.findall(r'url\("(.*?)"\)', (assets / "site.css").read_text("utf-8"))]
    assert {*fonts} == {*(assets / "fonts").glob("*.woff2")}
    assert all("SIL OPEN FONT LICENSE" in font.with_suffix(".LICENSE.txt").read_text("utf-8") for font in fonts)
    assert sum(font.stat().st_size for font in fonts) < 150_000
    assert CONFIG["theme"]["font"] is False


def test_the_table_of_extras_is_that_of_the_project() -> None:
    """Each extra has a row that names the packages it brings."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs" / "extras.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+)` \| ([^|]+) \|", page, re.MULTILINE))
    assert rows.keys() == extras.keys()
    arrow = {re.split(r"[>=\[]", line)[0] for line in extras["arrow"]}
    for extra in extras.keys() - {"all"}:
        brings = {re.split(r"[>=\[]", line)[0] for line in extras[extra]}
        said = set(rows[extra].replace(", and those of `arrow`", "").split(", "))
        assert brings == said | (arrow if "`arrow`" in rows[extra] else set()), extra


def test_llms_txt_is_current() -> None:
    """Whoever changes the index writes the list again: python docs/make_llms.py."""
    text = (ROOT / "llms.txt").read_text("utf-8")
    assert text == runpy.run_path(str(ROOT / "docs" / "make_llms.py"))["llms"]()
    assert all((ROOT / page).is_file() for page in re.findall(r"\]\(([^)]+)\)", text))


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    """Releases with their dates, newest first, and the six kinds of change."""
    heads = re.findall(r"^(##+) (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert heads[0] == ("##", "[Unreleased]")
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", text) for level, text in heads[1:] if level == "##")
    assert {text for level, text in heads if level == "###"} <= kinds
