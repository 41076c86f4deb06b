"""A growing answer in the browser: a reply is served as server-sent events while it is written.

    python examples/streaming_browser.py --port 8000
    OPENAI_API_KEY=... python examples/streaming_browser.py --model gpt-5

The page is at http://127.0.0.1:8000/. Each event is JSON: all data so far, so the page has nothing to put together.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any

from pydantic import BaseModel, Field

from structured_response import Part, ReplyError, StructuredResponse


class Review(BaseModel):
    headline: str = Field(description="The review in one line")
    score: int = Field(ge=1, le=5, description="From 1 to 5")
    pros: list[str]
    verdict: str = Field(description="Two or three sentences")


REPLY = """\
Sure! <review>
    <headline>Bright & cheap</headline>
    <score>4 out of 5</score>
    <pros>
        <li>light enough for one hand</li>
        <li>a warm light, without flicker</li>
    </pros>
    <verdict>A lamp for people who read in bed. It is light, it is bright, and it costs less than a pizza. \
The switch is on the cord, where you find it in the dark.</verdict>
</review>
"""

PAGE = """\
<!doctype html>
<meta charset="utf-8">
<title>A review</title>
<style>body { font: 1.1em/1.5 sans-serif; max-width: 40em; margin: 3em auto }</style>
<h1></h1> <p id="score"></p> <ul></ul> <p id="verdict"></p> <p id="state"></p>
<script>
const show = (selector, text) => document.querySelector(selector).textContent = text ?? "";
const events = new EventSource("events");
events.addEventListener("part", event => {
    const part = JSON.parse(event.data);
    show("h1", part.data.headline);
    show("#score", "★".repeat(part.data.score ?? 0));
    show("#verdict", part.data.verdict);
    document.querySelector("ul").replaceChildren(...(part.data.pros ?? []).map(text => {
        const item = document.createElement("li");
        item.textContent = text;
        return item;
    }));
    show("#state", part.done ? `${part.repairs} repairs` : `writing ${part.path ?? "..."}`);
    if (part.done) events.close();  // or the browser would ask again
});
events.addEventListener("problem", event => { show("#state", JSON.parse(event.data)); events.close(); });
</script>
"""

RESPONSE = StructuredResponse.from_basemodel(Review)


def recorded(delay: float) -> Iterator[str]:
    """The reply in small pieces."""
    for start in range(0, len(REPLY), 4):
        yield REPLY[start : start + 4]
        sleep(delay)


def asked(model: str) -> Iterator[str]:
    """The reply of a real model. The key, and the address of another server, come from the environment."""
    from openai import OpenAI

    from structured_response.clients import openai_chat

    prompt = f"Review a bedside lamp. Respond as instructed {RESPONSE.to_prompt()}"
    return openai_chat(OpenAI(), model=model).stream([{"role": "user", "content": prompt}])


def events(chunks: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """The name and the data of each event. Parts that show nothing new are left out."""
    before = None
    try:
        for part in RESPONSE.stream(chunks):
            if (told := facts(part)) != before:
                yield "part", told
                before = told
    except ReplyError as error:
        yield "problem", str(error)


def facts(part: Part[Review]) -> dict[str, Any]:
    data = part.instance.to_dict()
    return {"data": data, "path": part.path, "repairs": len(part.repairs), "done": part.done}


class Handler(BaseHTTPRequestHandler):
    chunks: Callable[[], Iterator[str]]

    def do_GET(self) -> None:
        if self.path == "/":
            self.begin("text/html; charset=utf-8")
            self.wfile.write(PAGE.encode())
        elif self.path == "/events":
            self.begin("text/event-stream")
            try:
                for name, data in events(type(self).chunks()):
                    self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
            except ConnectionError:
                pass  # the page was closed; so is the stream, which ends the request to the model
        else:
            self.send_error(404)

    def begin(self, content: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing for each request."""


def main() -> None:
    options = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--port", type=int, default=8000, help="0 takes any that is free")
    options.add_argument("--model", help="ask this model of OpenAI's protocol, in place of the recorded reply")
    options.add_argument("--delay", type=float, default=0.04, help="seconds between the pieces of the recorded reply")
    given = options.parse_args()

    Handler.chunks = staticmethod(lambda: asked(given.model) if given.model else recorded(given.delay))
    with ThreadingHTTPServer(("127.0.0.1", given.port), Handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("bye")


if __name__ == "__main__":
    main()
