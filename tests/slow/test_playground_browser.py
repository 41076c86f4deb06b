"""The playground's page in a real browser: what one does with it, hostile replies, keyboard, screen reader."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("typer")
pytest.importorskip("playwright")
pytest.importorskip("axe_playwright_python")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Frame, FrameLocator, Locator, Page, expect, sync_playwright

from structured_response import ReplyError, StructuredResponse, ask
from structured_response.batch import BatchReport
from structured_response.explain import to_html
from structured_response.playground import examples
from tests.corpus.models import Review
from tests.hostile import ATTACKS, GOOD
from tests.playground_server import Playground, playground

MODEL = "tests.corpus.models:Review"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ALL_EXAMPLES = [example for group in examples.GROUPS.values() for example in group]
HANGS = json.dumps({"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=a)(a+)+$"}}})

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def server() -> Iterator[Playground]:
    """A playground without a model of its own but one."""
    with playground(MODEL) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    expect.set_options(timeout=20_000)  # a busy machine
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM)
        yield started
        started.close()


@pytest.fixture
def page(server: Playground, browser: Browser) -> Iterator[Page]:
    """The page as it is opened. In the end nothing ran, failed, or was asked of another server."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    wrong: list[str] = []
    origin = server.address.partition("#")[0]

    def requested(url: str) -> None:
        if not url.startswith((origin, "data:", "about:")):
            wrong.append(f"asked for {url}")

    opened.on("request", lambda request: requested(request.url))
    opened.on("dialog", lambda dialog: wrong.append(f"a dialog: {dialog.message}"))
    opened.on("pageerror", lambda error: wrong.append(f"an error: {error}"))
    opened.on("console", lambda message: wrong.append(f"on the console: {message.text}"))
    opened.on("popup", lambda popup: wrong.append(f"a window: {popup.url}"))
    opened.goto(server.address)
    expect(status(opened)).to_contain_text("Read and explained")
    yield opened
    context.close()
    assert wrong == []


def status(page: Page) -> Locator:
    """The line at the bottom."""
    return page.locator("#status")


def report(page: Page) -> FrameLocator:
    """The frame of the report."""
    return page.frame_locator("#report")


def inner(page: Page) -> Frame:
    """The document of the report."""
    frame = page.locator("#report").element_handle().content_frame()
    assert frame is not None
    return frame


def choose(page: Page, name: str) -> None:
    """Chooses an example, and waits for its reading."""
    with page.expect_response("**/read"):
        page.select_option("#example", label=name.replace("_", " "))


def link(page: Page, **state: str) -> str:
    """An address that holds a state."""
    fragment = base64.urlsafe_b64encode(json.dumps({"model": "", **state}).encode()).decode()
    return f"{page.url.partition('#')[0]}#state={fragment}"


# What one does with it


def test_a_reply_is_read_as_one_types(page: Page) -> None:
    """The status has the counts, and the report the text."""
    page.fill("#reply", "")
    expect(status(page)).to_contain_text("1 problem")
    page.locator("#reply").press_sequentially(GOOD.replace("4", "four")[:60])
    expect(report(page).locator("pre").first).to_contain_text("four</score>")
    page.fill("#reply", GOOD)
    expect(status(page)).to_contain_text("no repairs · no problems")
    page.get_by_text("Data", exact=True).click()
    assert json.loads(page.text_content("#data") or "")["headline"] == "Nice"


def test_models_of_the_command_line_and_pasted_schemas(page: Page) -> None:
    """The prompt is shown in every format, and a model shows its schema."""
    asked = StructuredResponse.from_basemodel(Review)
    expect(page.locator("#model")).to_have_value(MODEL)
    assert page.get_attribute("#schema", "readonly") == ""
    assert json.loads(page.input_value("#schema")) == asked.to_json_schema()
    for form in ("xml", "json", "yaml", "schema"):
        page.locator(f"[name=format][value={form}]").check(force=True)
        assert page.text_content("#prompt") == asked.to_prompt(form)
    page.select_option("#model", label="JSON Schema")
    page.fill("#schema", '{"title": "Colour", "type": "string"}')
    page.locator("[name=format][value=xml]").check(force=True)
    expect(page.locator("#prompt")).to_have_text("<colour type='str'>[value here - as a string]</colour>")
    page.fill("#schema", "class Review(BaseModel): ...")
    expect(page.locator("#schema-error")).to_contain_text("not JSON")
    expect(status(page)).to_contain_text("no definition")


def test_examples_are_clicked_through(page: Page) -> None:
    """Each is read with the definition of the examples; line ends stay as they are."""
    for example in ALL_EXAMPLES:
        with page.expect_response("**/read") as response:
            page.click("#next")
        assert json.loads(response.value.request.post_data or "")["reply"] == example.reply
        expect(page.locator("#about")).to_have_text(example.about)
    expect(status(page)).to_contain_text("1 problem")
    with page.expect_response("**/read"):
        page.click("#previous")
    expect(page.locator("#about")).to_have_text(ALL_EXAMPLES[-2].about)


def test_a_stream_shows_the_data_so_far(page: Page) -> None:
    """It ends with the report, and at a slow speed it can be stopped."""
    choose(page, "unescaped")
    page.select_option("#speed", label="40 characters/s")
    page.click("#stream")
    expect(status(page)).to_contain_text("at $.headline")
    expect(page.locator("#report")).to_be_hidden()
    page.click("#stream")
    expect(page.locator("#report")).to_be_visible()
    page.evaluate(
        """() => {
            window.seen = [];
            const keep = () => seen.push([received.textContent, data.textContent]);
            new MutationObserver(keep).observe(growing, { childList: true, subtree: true });
        }"""
    )
    page.select_option("#speed", label="1,000 characters/s")
    with page.expect_response("**/read"):
        page.click("#stream")
    expect(page.locator("#report")).to_be_visible()
    seen = page.evaluate("seen")
    assert len(seen) > 50
    assert any('"score": 4' in data and "verdict" not in reply for reply, data in seen)


def test_values_and_places_of_a_report_lead_to_each_other(page: Page) -> None:
    """Links of a report stay in its frame."""
    choose(page, "closer_missing")
    report(page).get_by_role("link", name="score").click()
    expect(report(page).locator(":target")).to_have_text("4")
    assert page.url.endswith("/")


def test_a_link_holds_the_state(page: Page) -> None:
    """Another tab shows the same. A model that nobody named there is shown by its schema."""
    page.fill("#reply", "caf\u00e9 \U0001f600 <review>")
    page.click("#share")
    address, schema = page.url, page.input_value("#schema")
    for url in (address, link(page, model="other:Model", schema=schema, reply="caf\u00e9 \U0001f600 <review>")):
        other = page.context.new_page()
        other.goto(url)
        expect(status(other)).to_contain_text("Read and explained")
        assert other.input_value("#reply") == "caf\u00e9 \U0001f600 <review>"
        assert json.loads(other.input_value("#schema")) == json.loads(schema)
        assert other.input_value("#model") == (MODEL if url == address else "")
    other.goto(f"{address[:-8]}!")
    expect(status(other)).to_have_text("The link is damaged.")


def test_the_token_does_not_stay_in_the_address(page: Page, server: Playground, browser: Browser) -> None:
    """Who has only a link is told what to open."""
    assert urlsplit(page.url).fragment == ""
    page.click("#share")
    assert server.token not in page.url
    stranger = browser.new_page()
    stranger.goto(page.url)
    expect(status(stranger)).to_contain_text("Open the address that the command printed")
    stranger.close()


def test_a_pattern_without_end_does_not_hang_the_page(page: Page) -> None:
    """It is stopped after two seconds, with a message."""
    page.goto(link(page, schema=HANGS, reply=f"<value><a>{'a' * 50}!</a></value>"))
    expect(status(page)).to_contain_text("longer than 2 s")
    page.fill("#reply", "<value><a>aaa</a></value>")
    expect(status(page)).to_contain_text("no problems")


# Hostile replies

RUN = "window.top.ran = window.ran = true"
PAYLOADS = [
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</textarea><script>{RUN}</script>",
    f"</pre></main><script>{RUN}</script>",
    f"</style><script>{RUN}</script><style>",
    f"</title><script>{RUN}</script>",
    f"</iframe><script>{RUN}</script>",
    f"--></style></title></textarea><img src=x onerror='{RUN}'>",
    f"<img src=x onerror={json.dumps(RUN)}>",
    f"<svg onload='{RUN}'><animate onbegin='{RUN}' attributeName=x></svg>",
    f"<body onload='{RUN}'>",
    f"<details open ontoggle='{RUN}'>",
    f"<input autofocus onfocus='{RUN}'>",
    f"<video><source onerror='{RUN}'></video>",
    f'<iframe srcdoc="<script>{RUN}</script>"></iframe>',
    f"\"></iframe><iframe srcdoc='&lt;script&gt;{RUN}&lt;/script&gt;'>",
    f"' srcdoc='<script>{RUN}</script>' x='",
    f'" onload="{RUN}" x="',
    f"' onmouseover='{RUN}' tabindex='1",
    f"<a href='javascript:{RUN}'>click</a>",
    f"javascript:{RUN}",
    f"<iframe src='javascript:{RUN}'></iframe>",
    f"<object data='data:text/html,<script>{RUN}</script>'></object>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>* { display: none !important }</style>",
    "<style>@import '//evil.example/x.css'</style>",
    "<p style='position: fixed; inset: 0; background: red; z-index: 9999'>over all</p>",
    "<base href='//evil.example/'><img src=x>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "<form action=//evil.example/><button>Send</button></form>",
    "<template><script>x</script></template><noscript>",
    "<math><mtext></table><mglyph><style><img src=x>",
    "<!--<script>",
    "<plaintext>",
    "]]><![CDATA[<script>",
    f"&lt;script&gt;{RUN}&lt;/script&gt;",
    f"\x00<scr\x00ipt>{RUN}</scr\x00ipt>",
    f"${{{RUN}}} {{{{{RUN}}}}} <%= {RUN} %>",
    "\u202e\u2066 right to left \u2069 \u202e" * 20,
    "W" * 5_000,
    "\u0e01\u0e33" * 3_000,
    "a\u0300\u0301\u0302\u0303" * 500,
    "\t" * 2_000 + "x",
    "\ud800 alone \udfff",
    "\x07\x1b[2J\x1b]0;title\x07",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 500,
    "\n" * 1_000,
]
REPLIES = [
    *(GOOD.replace("Nice", payload) for payload in PAYLOADS),
    *PAYLOADS[:4],
    *(ATTACKS[name].make(1_000) for name in ("soup of brackets", "bytes", "deep known elements")),
]
SHOWN_TAGS = {
    *("HTML", "HEAD", "BASE", "META", "TITLE", "STYLE", "BODY", "MAIN", "DIV", "SECTION", "H1", "H2", "PRE", "SPAN"),
    *("A", "U", "INS", "UL", "LI", "DETAILS", "SUMMARY", "CODE", "SMALL", "P"),
    *("TABLE", "THEAD", "TBODY", "TR", "TH", "TD"),
}
LAYOUT = """() => ({
    ran: window.ran,
    wide: document.documentElement.scrollWidth - innerWidth,
    elements: document.querySelectorAll("body *").length,
    places: Array.from(document.querySelectorAll("textarea, pre, iframe"), (each) =>
        JSON.stringify(each.getBoundingClientRect())),
})"""
REPORTED = """() => [
    Array.from(document.querySelectorAll("*"), (each) => each.tagName),
    document.documentElement.scrollWidth - innerWidth,
    window.ran,
]"""


def reported(page: Page) -> Any:
    """What the document of the report has. If another report replaces it meanwhile, that is asked."""
    with suppress(Error):
        return inner(page).evaluate(REPORTED)
    return inner(page).evaluate(REPORTED)


def test_hostile_replies_are_only_text(page: Page) -> None:
    """No script runs, nothing is asked of others, no tag gets into the report, and the layout stays as it was."""
    assert len(REPLIES) >= 50
    schema = json.dumps(Review.model_json_schema())
    read(page, schema=schema, reply=GOOD)
    before = page.evaluate(LAYOUT)
    for reply in REPLIES:
        read(page, schema=schema, reply=reply)
        assert_harmless(page, before)


def read(page: Page, **state: str) -> None:
    """Opens a link, and waits for its report."""
    fragment = link(page, **state).partition("#")[2]
    page.evaluate(
        """fragment => new Promise((resolve) => {
            document.getElementById("report").addEventListener("load", resolve, { once: true });
            location.hash = fragment;
        })""",
        fragment,
    )
    assert (status(page).text_content() or "").startswith("Read and explained")


def assert_harmless(page: Page, before: Any) -> None:
    """Checks the report, and that the page around it is what it was."""
    tags, wide, has_run = reported(page)
    assert set(tags) <= SHOWN_TAGS
    assert (wide, has_run) == (0, None)
    assert page.evaluate(LAYOUT) == before


def test_a_report_that_was_not_escaped_would_run_nothing(server: Playground, browser: Browser) -> None:
    """The frame has no scripts, and the policy of the page allows none. Without both, the same text does run."""
    opened = browser.new_page()
    for address in (server.address, f"{server.address.partition('#')[0]}favicon.ico"):
        opened.goto(address)
        opened.evaluate(
            """text => new Promise((resolve) => {
                const frame = document.getElementById("report") ?? document.createElement("iframe");
                frame.addEventListener("load", resolve, { once: true });
                frame.srcdoc = text;
                if (!frame.isConnected) document.body.append(frame);
            })""",
            PAYLOADS[0],
        )
        assert opened.evaluate("window.ran") is None
    opened.goto("about:blank")
    opened.set_content(f"<body>{PAYLOADS[0]}")
    assert opened.evaluate("window.ran") is True
    opened.close()


def test_a_hostile_schema_is_only_text(page: Page) -> None:
    """Its names and descriptions are in the prompt, in the report and in messages, and nowhere is markup of them."""
    elements = page.evaluate(LAYOUT)["elements"]
    for payload in PAYLOADS[:12]:
        schema = {"title": payload, "properties": {payload: {"type": "string", "description": payload}}}
        read(page, schema=json.dumps(schema), reply=f'{{"{payload}": 1}}')
        assert "ran = window.ran" in (page.text_content("#prompt") or "")
        assert page.evaluate(LAYOUT)["elements"] == elements
        assert set(reported(page)[0]) <= SHOWN_TAGS
    page.goto(link(page, schema=json.dumps({"$ref": PAYLOADS[0]})))
    expect(page.locator("#schema-error")).to_contain_text("<script>")


def test_a_hostile_reply_is_streamed_as_text(page: Page) -> None:
    """So it is in the view of a stream."""
    elements = page.evaluate(LAYOUT)["elements"]
    page.select_option("#speed", label="10,000 characters/s")
    page.fill("#reply", GOOD.replace("Nice", "".join(PAYLOADS[:12])))
    with page.expect_response("**/read"):
        page.click("#stream")
    expect(status(page)).to_contain_text("Read and explained")
    assert PAYLOADS[0] in (page.text_content("#data") or "")
    assert page.evaluate(LAYOUT)["elements"] == elements


# Pages of their own

SCREENS: dict[str, Any] = {"light": (1280, "light"), "dark": (1280, "dark"), "phone": (390, "dark")}
"""Width in pixels, and the colours that the reader prefers."""


def pages(hostile: str) -> list[str]:
    """A report of a reading, of a question, and of a batch."""
    review = StructuredResponse.from_basemodel(Review)
    replies = iter([GOOD.replace("4", hostile), GOOD])
    found = Counter({(f"$.{hostile}", "invalid"): 1})
    return [
        report_of(review, GOOD.replace("Nice", hostile)),
        to_html(ask(lambda messages: next(replies), hostile, Review)),
        BatchReport(Counter(ok=9, invalid=1), found, found, [hostile]).to_html(),
    ]


def report_of(response: StructuredResponse[Any], reply: str) -> str:
    """The page of a reading, or of what was wrong with it."""
    try:
        return to_html(response.parse(reply, strict=False))
    except ReplyError as error:
        return to_html(error)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_page_is_for_everybody(browser: Browser, screen: str) -> None:
    """It has the reader's colours, and is as wide as a phone."""
    width, scheme = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    shown = context.new_page()
    for written in pages("very"):
        shown.set_content(written)
        assert serious(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        colour = shown.evaluate("getComputedStyle(document.querySelector('h1')).color")
        assert (min(map(int, re.findall(r"\d+", colour))) > 200) == (scheme == "dark")
    context.close()


def test_a_page_of_a_hostile_reply_is_only_text(browser: Browser) -> None:
    """No script would run even without the page's policy, and nothing is asked of anybody."""
    context = browser.new_context(bypass_csp=True)
    shown = context.new_page()
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    review = StructuredResponse.from_basemodel(Review)
    for written in [*(report_of(review, reply) for reply in REPLIES), *pages(PAYLOADS[0]), *pages(PAYLOADS[7])]:
        shown.set_content(written)
        tags, wide, has_run = shown.evaluate(REPORTED)
        assert set(tags) <= SHOWN_TAGS
        assert (wide, has_run) == (0, None)
    assert asked == []
    context.close()


# For everybody


@pytest.mark.parametrize("kind", ["light", "dark", "phone"])
def test_axe_finds_no_serious_fault(server: Playground, browser: Browser, kind: str) -> None:
    """In every state of the page, and in the reports. The page is not wider than a phone."""
    width = 390 if kind == "phone" else 1280
    scheme: Any = "dark" if kind == "dark" else "light"
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(server.address)
    expect(status(page)).to_contain_text("Read and explained")
    choose(page, "truncated")
    assert serious(page) == []
    shown = context.new_page()
    shown.set_content(page.evaluate("document.getElementById('report').srcdoc"))
    assert serious(shown) == []
    page.click("#stream")
    expect(status(page)).to_contain_text("Streaming")
    assert serious(page) == []
    page.fill("#schema", "no schema")
    expect(page.locator("#schema-error")).to_be_visible()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def serious(page: Page) -> list[str]:
    """What axe-core finds, but for what is moderate or minor."""
    found = Axe().run(page, options={"iframes": False}).response["violations"]
    return [f"{each['id']}: {each['nodes']}" for each in found if each["impact"] in ("serious", "critical")]


def test_the_keyboard_reaches_everything(page: Page) -> None:
    """In the order of the page, and each place is outlined while it has the focus."""
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        place, outline = page.evaluate(
            """() => {
                const at = document.activeElement;
                return [at.id || at.value, getComputedStyle(at.closest(".tabs") ?? at).outlineStyle];
            }"""
        )
        if place == "report":
            break
        assert outline == "solid", place
        reached.append(place)
    assert reached == [
        "share",
        "model",
        "schema",
        "xml",
        "copy",
        "prompt",
        *("previous", "example", "next"),
        *("speed", "stream", "reply"),
    ]
    page.focus("[name=format]")
    page.keyboard.press("ArrowRight")
    assert (page.text_content("#prompt") or "").startswith("{")
