"""The pages with other libraries run, each in a process of its own: a block everywhere where its library is installed.

In place of OpenAI a server on loopback answers: in XML who asks for XML, in DSPy's form who asks for that, in JSON
everybody else. About a sofa it errs once.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.chat_server import Text, chat_server
from tests.contract.test_docs import BESIDE_OTHERS, ROOT, blocks, run

FIELDS = {"headline": "Bright & cheap", "score": "4", "html": "<p>I <em>like</em> it.<br></p>"}
PEERS = {
    "integrations.md": "dspy",
    "moving/baml.md": "baml_py",
    "moving/dspy.md": "dspy",
    "moving/instructor.md": "instructor",
    "scale.md": "ray",
}
"""Pages with packages that `make peers` installs, and one that each needs."""


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


def start(page: str) -> None:
    """Makes what the page on clusters takes for granted: a cluster of this machine, off the network, and a file."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    rows = [{"id": number, "reply": reply(f"<review> {what}").text} for number, what in enumerate(("lamp", "sofa"))]
    Path("replies").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), "replies/1.parquet")


BEFORE = {"moving/baml.md": generate, "scale.md": start}


def walk(name: str) -> None:
    """Runs a page here, as a script, whose classes other processes are sent."""
    page = (ROOT / "docs" / name).read_text("utf-8").replace("http://localhost:8000", os.environ["OPENAI_BASE_URL"])
    if name in BEFORE and find_spec(PEERS[name]):
        BEFORE[name](page)
    run(page, f"docs/{name}", sys.modules["__main__"].__dict__)


ENVIRONMENT = {
    "BAML_LOG": "off",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_API_KEY": "none",
    "PYSPARK_PYTHON": sys.executable,
    "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1"
    " --conf spark.sql.codegen.wholeStage=false --driver-java-options=-XX:TieredStopAtLevel=1 pyspark-shell",
    "RAY_USAGE_STATS_ENABLED": "0",
    "SPARK_LOCAL_IP": "127.0.0.1",
}
"""It keeps the other libraries quiet and off the network."""


def walk_apart(name: str, folder: Path) -> None:
    """Runs a page in a process of its own, which is where other libraries may leave what they like."""
    with chat_server(reply) as server:
        path = os.pathsep.join([str(ROOT), str(folder)])
        environment = {**os.environ, **ENVIRONMENT, "OPENAI_BASE_URL": server.url, "PYTHONPATH": path}
        program = "import sys; from tests.slow.test_pages import walk; walk(sys.argv[1])"
        command = [sys.executable, "-W", "ignore", "-c", program, name]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", BESIDE_OTHERS, ids=lambda page: page.name)
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    """What needs no other library prints what the page says, and the rest where its library is here."""
    pytest.importorskip("openai")
    walk_apart(page.relative_to(ROOT / "docs").as_posix(), tmp_path)


@pytest.mark.peers
@pytest.mark.parametrize("name", PEERS)
def test_a_page_of_a_peer_runs(name: str, tmp_path: Path) -> None:
    """Blocks with packages that conflict with others print what the page says."""
    if find_spec(PEERS[name]) is None:
        pytest.skip(f"there is no {PEERS[name]}")
    if name == "scale.md" and shutil.which("java") is None:
        pytest.skip("there is no Java, which Spark needs")
    walk_apart(name, tmp_path)
