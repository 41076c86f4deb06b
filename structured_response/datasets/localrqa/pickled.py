"""Pickled document lists, read without running them.

A pickle is a program. Two measures stop it. Every step is checked before any is run, so that none can request memory
that the file does not fill. The only class that it can name is a stand-in, made for this one file, that does nothing.
The result is plain data, or the whole file is refused.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from pathlib import Path
from typing import Any

from ...definition.node import MAX_DEPTH
from ..files import FilePath, refuse

__all__ = ["pickled_rows"]

MAX_SHARED = 64
"""Values that an unpickled file may hold for each of its bytes. Containers may be shared; data that exceeds this was
built to grow without end.
"""

_DOCUMENT = ("local_rqa.schema.document", "Document")
_PLAIN = (str, int, float, bool, type(None))
_PUTS = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
# Steps by which a pickle reaches beyond itself: the registry of copyreg, and objects that the reader holds ready.
_REACHING = frozenset({"EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID", "NEXT_BUFFER", "READONLY_BUFFER"})


class _RefusedError(ValueError):
    """A part of a pickle that is not supported."""


def pickled_rows(path: FilePath) -> list[dict[str, Any]]:
    """Returns the attributes of each document of a `documents.pkl`: a pickled list of
    `local_rqa.schema.document.Document`.

    Nothing of the file is run, imported or called. Raises `DatasetError` for a file that names anything else, is not a
    pickle, or holds anything but documents of plain data.
    """
    try:
        pickled = Path(path).read_bytes()
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}", path) from error
    try:
        _look_through(pickled)
        stand_in, found = _unpickled(pickled)
        return _Rows(stand_in, MAX_SHARED * len(pickled)).of(found)
    except _RefusedError as error:
        raise refuse(str(error), path) from error


def _look_through(pickled: bytes) -> None:
    """Raises for unsupported steps, and for memo numbers past the size of the file, since the reader would allocate
    space for all of them.
    """
    try:
        for step, argument, _position in pickletools.genops(pickled):
            if step.name in _REACHING:
                raise _RefusedError(f"is refused: it uses {step.name}")
            if step.name in _PUTS and not 0 <= int(argument or 0) <= len(pickled):
                raise _RefusedError("is refused: it asks for more memory than it fills")
    except _RefusedError:
        raise
    except Exception as error:
        # genops takes any bytes for a pickle and may raise anything.
        raise _RefusedError(f"is no pickle, or breaks off: {error}") from error


def _unpickled(pickled: bytes) -> tuple[type, Any]:
    """Returns the stand-in class for documents, and the content of the pickle."""
    stand_in = type("Document", (), {})  # for this file alone, since a pickle can set its attributes
    try:
        return stand_in, _Unpickler(pickled, stand_in).load()
    except _RefusedError:
        raise
    except Exception as error:
        # A pickle with wrong calls may raise anything.
        raise _RefusedError(f"is a broken pickle: {type(error).__name__}: {error}") from error


class _Unpickler(pickle.Unpickler):
    def __init__(self, pickled: bytes, stand_in: type) -> None:
        super().__init__(io.BytesIO(pickled))
        self._stand_in = stand_in

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) != _DOCUMENT:
            raise _RefusedError(f"is refused: it names {module}.{name}, and only {'.'.join(_DOCUMENT)} is read")
        return self._stand_in

    def persistent_load(self, pid: Any, /) -> Any:
        raise _RefusedError(f"is refused: it names the object {pid!r} from elsewhere")


class _Rows:
    """Copies unpickled content as plain data, as long as its size is in proportion to the file. Containers may be
    shared: ten lists, each of ten times the one before, are a file of a few hundred bytes.
    """

    def __init__(self, stand_in: type, most: int) -> None:
        self._stand_in = stand_in
        self._left = most

    def of(self, found: Any) -> list[dict[str, Any]]:
        """Returns the attributes of each document of a list."""
        if type(found) not in (list, tuple):
            raise _RefusedError(f"holds no list of documents, but {self._named(found)}")
        return [self._row(number, each) for number, each in enumerate(found)]

    def _row(self, number: int, document: Any) -> dict[str, Any]:
        if type(document) is not self._stand_in:
            raise _RefusedError(f"holds no document at [{number}], but {self._named(document)}")
        row: dict[str, Any] = self._plain(vars(document), MAX_DEPTH)
        return row

    def _plain(self, value: Any, levels: int) -> Any:
        self._left -= 1
        if self._left < 0 or not levels:
            raise _RefusedError("is refused: its containers hold each other, out of all proportion to the file")
        if type(value) is dict:
            return {self._key(key): self._plain(each, levels - 1) for key, each in value.items()}
        if type(value) in (list, tuple):
            return [self._plain(each, levels - 1) for each in value]
        if type(value) not in _PLAIN:
            raise _RefusedError(f"holds something else than plain data: {self._named(value)}")
        return value

    def _key(self, key: Any) -> str:
        if type(key) is not str:
            raise _RefusedError(f"holds a key that is no text: {self._named(key)}")
        return key

    def _named(self, value: Any) -> str:
        return ".".join(_DOCUMENT) if type(value) is self._stand_in else type(value).__name__
