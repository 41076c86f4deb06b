"""Runs in the environment of the peers: their texts, and the tokens of all texts, from stdin to stdout as JSON.

In: `{"models": [...], "texts": {model: {name: text}}}`. Out: `{"texts": ..., "tokens": ..., "versions": ...}`, with
`tokens` null where tiktoken or its data is not installed; nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks import models
from benchmarks.prompt_size.texts import PEERS

__all__ = ["main"]

ENCODING = "cl100k_base"
_CACHED = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""What tiktoken calls the file of that encoding in its cache: the SHA-1 of its address."""


def main() -> None:
    asked = json.load(sys.stdin)
    texts = {name: {**held, **_peers(name)} for name, held in asked["texts"].items()}
    count = counter()
    tokens = count and {name: {what: count(text) for what, text in held.items()} for name, held in texts.items()}
    versions = {package: version(package) for package in ("baml-py", "dspy", "tiktoken")}
    json.dump({"texts": texts, "tokens": tokens, "versions": versions}, sys.stdout)


def _peers(name: str) -> dict[str, str]:
    model = getattr(models, name)
    return {what: text for make in PEERS.values() for what, text in make(model).items()}


def counter() -> Callable[[str], int] | None:
    """What counts tokens, where the data of the encoding is on this machine: in tiktoken's cache, or in the copy that
    litellm brings along.
    """
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or _of_litellm()
    if folder is None or find_spec("tiktoken") is None or not (Path(folder) / _CACHED).is_file():
        return None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken

    encoding = tiktoken.get_encoding(ENCODING)
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _of_litellm() -> str | None:
    found = find_spec("litellm")
    if found is None or found.origin is None:
        return None
    return str(Path(found.origin).parent / "litellm_core_utils" / "tokenizers")


if __name__ == "__main__":
    main()
