"""Pickled documents: what is read, and everything that is refused without being run."""

import io
import os
import pickle
import struct
import sys
from collections import OrderedDict
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from structured_response import DatasetError
from structured_response.datasets.localrqa import Document as Read
from structured_response.datasets.localrqa import read_documents, validate


class Document:
    """What LocalRQA has under its own name while it pickles."""

    def __init__(self, page_content: Any, fmt_content: Any = "", metadata: Any = None) -> None:
        self.page_content = page_content
        self.fmt_content = fmt_content
        self.metadata = {} if metadata is None else metadata


@pytest.fixture(autouse=True)
def _local_rqa(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("local_rqa", "local_rqa.schema", "local_rqa.schema.document"):
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(Document, "__module__", "local_rqa.schema.document")
    module.Document = Document  # type: ignore[attr-defined]


def saved(folder: Path, content: Any, protocol: int = pickle.DEFAULT_PROTOCOL) -> Path:
    """A pickle of an object, or of bytes as they are."""
    path = folder / "documents.pkl"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol))
    return path


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_documents(protocol: int, tmp_path: Path) -> None:
    """A list of documents is read, of every protocol that has new-style objects; a text that lacks is made."""
    shared = {"source": "s", "tags": ["a", 1, 2.5, None, True], "deep": {"x": [[]]}}
    documents = [Document("p", "f", shared), Document("q", "", shared)]
    assert read_documents(saved(tmp_path, documents, protocol)) == [
        Read(page_content="p", fmt_content="f", metadata=shared),
        Read(page_content="q", fmt_content="Source: s\nContent:\nq", metadata=shared),
    ]


class Evil:
    """Pickles as a call."""

    def __init__(self, *call: Any) -> None:
        self.call = call

    def __reduce__(self) -> Any:
        return self.call


def deep() -> bytes:
    """A document that holds a list in a list in a list, deeper than Python itself would pickle."""
    whole = pickle.dumps([Document("p", "", {"of": []})])
    head, tail = whole.rsplit(b"]\x94", 1)
    return head + b"]" * 5_000 + b"a" * 4_999 + tail


def doubling(steps: int) -> list[Any]:
    """A list that holds the one before twice, in few bytes."""
    value: list[Any] = []
    for _ in range(steps):
        value = [value, value]
    return value


def circle() -> list[Any]:
    """A list that holds itself."""
    value: list[Any] = []
    value.append(value)
    return value


CLASS = b"clocal_rqa.schema.document\nDocument\n"
REFUSED: dict[str, tuple[Any, str]] = {
    "a call": ([Evil(os.system, ("touch ran",))], rf"it names {os.system.__module__}\.system, and only local_rqa"),
    "eval": (Evil(eval, ("open('ran', 'w')",)), r"it names builtins\.eval"),
    "an import": (b"cos\nsystem\n(S'touch ran'\ntR.", r"it names os\.system"),
    "an instance by its old opcode": (b"(S'touch ran'\nios\nsystem\n.", r"it names os\.system"),
    "another class of the module": (b"clocal_rqa.schema.document\nos\n.", r"it names local_rqa\.schema\.document\.os,"),
    "a path to another class": (b"\x80\x04\x8c\x19local_rqa.schema.document\x8c\x11Document.__init__\x93.", "it names"),
    "a class that is known to copyreg": (b"\x82\x01.", "it uses EXT1"),
    "an object from elsewhere": (b"Pme\n.", "it uses PERSID"),
    "a buffer from elsewhere": (b"\x80\x05\x97.", "it uses NEXT_BUFFER"),
    "a date": ([Document("p", "", {"at": datetime(2024, 1, 1)})], r"it names datetime\.datetime"),  # noqa: DTZ001
    "a set": ([Document("p", "", {"of": {1}})], "holds something else than plain data: set"),
    "bytes": ([Document("p", "", {"of": b"1"})], "holds something else than plain data: bytes"),
    "a dict of another class": ([Document("p", "", OrderedDict(a=1))], r"it names collections\.OrderedDict"),
    "a key that is not a text": ([Document("p", "", {1: 2})], "holds a key that is not a text: int"),
    "no list": ({"a": 1}, "holds no list of documents, but dict"),
    "no documents": (["a"], r"holds no document at \[0\], but str"),
    "a document in the metadata": (
        [Document("p", "", {"of": Document("q")})],
        r"holds something else than plain data: local_rqa\.schema\.document\.Document",
    ),
    "the class itself": (b"(l" + CLASS + b"a.", r"holds no document at \[0\], but type"),
    "attributes of the class": (CLASS + b"}S'a'\nS'b'\nsb.", "is a broken pickle"),
    "slots of the class": (CLASS + b"(N}S'__setstate__'\nS'b'\nstb.", "holds no list of documents, but type"),
    "a call of the class": (b"(l" + CLASS + b"(S'a'\ntRa.", "is a broken pickle: TypeError"),
    "depth": (deep, "its containers hold each other"),
    "doubling": ([Document("p", "", {"of": doubling(60)})], "its containers hold each other"),
    "a circle": ([Document("p", "", {"of": circle()})], "its containers hold each other"),
    "a memo without end": (b"\x80\x04]r\xff\xff\xff\x7f.", "it asks for more memory than it fills"),
    "a text without end": (b"\x80\x04\x8d" + struct.pack("<Q", 2**62) + b"a.", "is not a pickle, or breaks off"),
    "bytes without end": (b"\x80\x05\x96" + struct.pack("<Q", 2**62) + b"a.", "is not a pickle, or breaks off"),
    "half of it": (pickle.dumps([Document("p")])[:-20], "is not a pickle, or breaks off"),
    "no pickle": (b"{}", "is not a pickle, or breaks off"),
    "nothing": (b"", "is not a pickle, or breaks off"),
    "a memo that is not there": (b"h\x05.", "is a broken pickle: UnpicklingError"),
}


@pytest.mark.parametrize(("content", "error"), REFUSED.values(), ids=REFUSED)
def test_refused(content: Any, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is not a list of documents of plain data is refused by name, and nothing of it is run."""
    monkeypatch.chdir(tmp_path)
    path = saved(tmp_path, content() if content is deep else content)
    with pytest.raises(DatasetError, match=error) as caught:
        read_documents(path)
    assert [fault.file for fault in caught.value.faults] == [str(path)]
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_stays(tmp_path: Path) -> None:
    """A pickle that sets something on the class has no effect on the next one."""
    with pytest.raises(DatasetError):
        read_documents(saved(tmp_path, REFUSED["slots of the class"][0]))
    assert read_documents(saved(tmp_path, [Document("p")])) == [Read(page_content="p")]


def test_bad_documents(tmp_path: Path) -> None:
    """A document whose text is none is told by its row; the others are in the error."""
    path = saved(tmp_path, [Document("p"), Document(5), Document("q", "", [1])])
    with pytest.raises(DatasetError) as caught:
        read_documents(path)
    assert [(fault.row, fault.path) for fault in caught.value.faults] == [(1, "$.page_content"), (2, "$.metadata")]
    assert caught.value.records == [Read(page_content="p")]
    assert validate(path) == caught.value.faults


def test_any_damage_is_an_error(tmp_path: Path) -> None:
    """Whichever byte is changed, there are documents or there is our error."""
    whole = bytearray(pickle.dumps([Document("page", "", {"source": "s", "tags": [1, 2.5, None]})]))
    stream = io.BytesIO()
    for place in range(len(whole)):
        for byte in (0x2E, 0x52, 0x62, 0x81, 0xFF):
            stream.seek(0)
            damaged = whole.copy()
            damaged[place] = byte
            try:
                read_documents(saved(tmp_path, bytes(damaged)))
            except DatasetError:
                stream.write(b"seen")
    assert stream.getvalue() == b"seen"


def test_sample(shared: Path) -> None:
    """The real file holds eleven documents, each with the text that is made of it."""
    documents = read_documents(shared / "data" / "localrqa" / "databricks_web.pkl")
    assert len(documents) == 11
    assert [Read(page_content=each.page_content, metadata=each.metadata) for each in documents] == documents
