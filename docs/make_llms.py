"""Writes llms.txt: the pages of docs/README.md as a list, in the form that language models are given (llmstxt.org).

python docs/make_llms.py
"""

import posixpath
import re
from pathlib import Path

INDEX = Path(__file__).with_name("README.md")
LIST = INDEX.parent.parent / "llms.txt"
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
ROW = re.compile(r"\| (?P<pages>\[.*?\)) \| (?P<why>.*) \|$")
HEAD = """\
# structured_response

> Typed data from the text that language models write: a prompt from a Pydantic model, and a tolerant reader for the
> reply, with every repair on record. Text in, data out: `ask(complete, prompt, Model).value`, where `complete` is any
> function from messages to text. Install `structured-response-py`, import `structured_response`.
"""


def llms() -> str:
    """The list as it has to be."""
    lines = [HEAD]
    for line in INDEX.read_text("utf-8").splitlines():
        if line.startswith("## "):
            lines.append(f"\n{line}\n")
        elif row := ROW.match(line):
            why = LINK.sub(r"\1", row["why"])
            lines += [f"- [{title}]({place(link)}): {why}" for title, link in LINK.findall(row["pages"])]
            lines += [f"- [{title}]({place(link)})" for title, link in LINK.findall(row["why"])]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def place(link: str) -> str:
    """The page beside the list, which is at the top of the repository and of the site."""
    return posixpath.normpath(posixpath.join("docs", link))


if __name__ == "__main__":
    LIST.write_text(llms(), "utf-8")
