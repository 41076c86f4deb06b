"""The pages of docs/moving run: this library's column everywhere, the other column where that library is installed.

In place of OpenAI a server on loopback answers: in XML who asks for XML, in DSPy's form who asks for that, in JSON
everybody else. About a sofa it errs once.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.chat_server import Text, chat_server
from tests.contract.test_docs import ROOT, blocks, run

MOVING = ROOT / "docs" / "moving"
FIELDS = {"headline": "Bright & cheap", "score": "4", "html": "<p>I <em>like</em> it.<br></p>"}
PACKAGES = {
    "baml": "baml_py",
    "dspy": "dspy",
    "instructor": "instructor",
    "langchain": "langchain_core",
    "pydantic-ai": "pydantic_ai",
}
"""Each page, and the package that its other column needs."""


def reply(messages: Any) -> Text:
    """What the server says."""
    said = str(messages)
    fields = FIELDS | ({"score": "many"} if "sofa" in said and "many" not in said else {})
    if root := re.search(r"<(review\w*)>", said):
        inner = "".join(f"<{name}>{text}</{name}>" for name, text in fields.items())
        return Text(f"<{root[1]}>{inner}</{root[1]}>")
    if "[[ ##" in said:
        return Text(
            "".join(f"[[ ## {name} ## ]]\n{text}\n\n" for name, text in fields.items()) + "[[ ## completed ## ]]"
        )
    return Text(json.dumps(fields | {"score": 4 if fields["score"] == "4" else fields["score"]}))


def generate(page: str) -> None:
    """Does what the page on BAML says: its program into a file, and a client from it."""
    Path("baml_src").mkdir()
    (program,) = (block.code for block in blocks(page, "baml.md") if block.language == "baml")
    Path("baml_src", "main.baml").write_text(program, "utf-8")
    subprocess.run([str(Path(sys.executable).with_name("baml-cli")), "generate"], check=True, capture_output=True)


def walk(name: str) -> None:
    """Runs a page here, in a module of its own."""
    page = (MOVING / name).read_text("utf-8")
    if name == "baml.md" and find_spec("baml_py"):
        generate(page)
    module = sys.modules["page"] = ModuleType("page")
    run(page, f"docs/moving/{name}", module.__dict__)


def walked(name: str, folder: Path) -> str:
    """What running a page in a process of its own says, which is where other libraries may leave what they like."""
    with chat_server(reply) as server:
        others = {"OPENAI_API_KEY": "none", "BAML_LOG": "off", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        path = os.pathsep.join([str(ROOT), str(folder)])
        environment = {**os.environ, **others, "OPENAI_BASE_URL": server.url, "PYTHONPATH": path}
        program = "import sys; from tests.slow.test_moving import walk; walk(sys.argv[1])"
        command = [sys.executable, "-W", "ignore", "-c", program, name]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("name", PACKAGES)
def test_a_page_runs(name: str, tmp_path: Path) -> None:
    """This library's column prints what the page says, and the other one where its package is here."""
    pytest.importorskip("openai")
    assert walked(f"{name}.md", tmp_path) == ""


@pytest.mark.peers
@pytest.mark.parametrize("name", ["baml", "dspy", "instructor"])
def test_a_page_of_a_peer_runs(name: str, tmp_path: Path) -> None:
    """Both columns print what the page says."""
    if find_spec(PACKAGES[name]) is None:
        pytest.skip(f"there is no {PACKAGES[name]}")
    assert walked(f"{name}.md", tmp_path) == ""


def test_every_page_is_run() -> None:
    """A new page has a package to run with."""
    assert {page.stem for page in MOVING.glob("*.md")} - {"README"} == PACKAGES.keys()
