"""Checks the built site: every link leads somewhere, no page asks another host for anything, and in a browser the
search finds, nothing is fetched from elsewhere, and axe-core names no serious fault.

    python docs/check_site.py .site
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from lxml import html

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Page, sync_playwright
except ImportError as error:
    sys.exit(f"{error}; `make docs` installs what this needs")

NEEDS_BROWSER = "STRUCTURED_RESPONSE_NEEDS_CHROMIUM"
LINKS = {"a": "href", "area": "href"}
FETCHED = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src", "image": "href"}

KINDS = (
    "",
    "docs/",
    "docs/start/",
    "docs/cookbook/",
    "docs/reading/",
    "docs/types/",
    "docs/reference/asking/",
    "docs/benchmarks/",
    "docs/measurements/",
    "docs/moving/instructor/",
    "CHANGELOG/",
)
"""One page of each kind, which axe-core looks at."""

SCREENS = {"desktop, light": (1280, 900, "light"), "desktop, dark": (1280, 900, "dark"), "phone": (390, 844, "dark")}
"""Width and height in pixels, and the colours that the reader prefers."""

SEARCHED = {"decimal": "docs/types/", "unescaped": "docs/tolerance/"}
"""Words that a reader may search for, each with a page that has to be among the results."""


# The files


def broken(site: Path) -> Iterator[str]:
    """Links that lead nowhere, and what a page would fetch from another host."""
    pages = {page: html.parse(page).getroot() for page in sorted(site.rglob("*.html"))}
    anchors = {page: {*root.xpath("//@id"), *root.xpath("//a/@name")} for page, root in pages.items()}
    for page, root in pages.items():
        name = page.relative_to(site).as_posix()
        for element in root.iter(*LINKS, *FETCHED):
            fetched = element.tag in FETCHED
            target = element.get(FETCHED[element.tag] if fetched else LINKS[element.tag])
            if not target or (fetched and element.get("rel") == "canonical"):
                continue
            if urlsplit(target).scheme or target.startswith("//"):
                if fetched and not target.startswith("data:"):
                    yield f"{name} fetches {target}"
                continue
            path, anchor = urldefrag(urljoin(f"/{name}", target))
            found = site / unquote(path).strip("/")
            found = found / "index.html" if found.is_dir() else found
            if not found.is_file():
                yield f"{name} links to {target}, which is not there"
            elif anchor and found in anchors and unquote(anchor) not in {*anchors[found], "__skip"}:
                yield f"{name} links to {target}, which has no such place"


# The browser


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of the site on loopback."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def seen(site: Path, chromium: str) -> Iterator[str]:
    """What is wrong with the pages in a browser."""
    with served(site) as base, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for screen, (width, height, scheme) in SCREENS.items():
            colours: Any = scheme
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
            asked: list[str] = []
            said: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on("console", lambda message, said=said: said.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error, said=said: said.append(str(error)))
            for kind in KINDS:
                page.goto(base + kind, wait_until="networkidle")
                yield from (f"{screen}, /{kind}: {fault}" for fault in faults(page))
            yield from (
                f"{screen}: a page fetched {url}" for url in asked if not url.startswith((base, "data:", "blob:"))
            )
            yield from (f"{screen}: the console said {line}" for line in said)
            page.close()
        page = browser.new_page()
        for word, wanted in SEARCHED.items():
            if not finds(page, base, word, wanted):
                yield f"a search for {word!r} does not find /{wanted}"
        browser.close()


def faults(page: Page) -> Iterator[str]:
    """The serious and critical faults that axe-core names."""
    for fault in Axe().run(page).response["violations"]:
        if fault["impact"] in {"serious", "critical"}:
            node = fault["nodes"][0]
            yield f"{fault['id']} ({len(fault['nodes'])} times): {node['target']} {node['html'][:120]}"


def finds(page: Page, base: str, word: str, wanted: str) -> bool:
    """Whether a search from the home page shows a link to the page that is wanted."""
    page.goto(base, wait_until="networkidle")
    page.keyboard.press("Control+k")
    page.keyboard.type(word, delay=20)
    page.wait_for_timeout(1500)
    links = page.eval_on_selector_all("a", "all => all.filter(a => a.checkVisibility()).map(a => a.href)")
    return any(link.startswith(base + wanted) for link in links)


def main(folder: str) -> None:
    site = Path(folder)
    wrong = list(broken(site))
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium:
        wrong += seen(site, chromium)
    elif os.environ.get(NEEDS_BROWSER):
        wrong.append("there is no Chromium")
    else:
        print("there is no Chromium here: no page was opened in a browser")
    sys.exit("\n".join(wrong) if wrong else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
