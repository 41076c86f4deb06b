"""Pickled document lists, read without running them. Every step is checked before any is run. The only class that a
pickle can name is a stand-in, made for this one file, that does nothing.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from pathlib import Path
from typing import Any

from ..definition.node import MAX_DEPTH
from ..errors import DatasetError
from .files import FilePath, refuse, refusing

MAX_SHARED = 64
"""Values that an unpickled file may hold for each of its bytes. Containers that hold others several times grow fast."""

_DOCUMENT = ("local_rqa.schema.document", "Document")
_PUTS = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
# Steps by which a pickle reaches beyond itself: the registry of copyreg, and objects that the reader holds ready.
_REACHING = frozenset({"EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID", "NEXT_BUFFER", "READONLY_BUFFER"})


def pickled_rows(path: FilePath) -> list[dict[str, Any]]:
    """Returns the attributes of each document of a `documents.pkl`. Nothing of the file is run, imported or called."""
    with refusing("cannot be read", path):
        pickled = Path(path).read_bytes()
    _look_through(pickled, path)
    return _Unpickler(pickled, path).rows()


def _look_through(pickled: bytes, path: FilePath) -> None:
    """Raises for unsupported steps, and for memo numbers for which the reader would allocate more than the file."""
    try:
        for step, argument, _position in pickletools.genops(pickled):
            if step.name in _REACHING:
                raise refuse(f"is refused: it uses {step.name}", path)
            if step.name in _PUTS and not 0 <= int(argument or 0) <= len(pickled):
                raise refuse("is refused: it asks for more memory than it fills", path)
    except DatasetError:
        raise
    except Exception as error:
        # genops takes any bytes for a pickle and may raise anything.
        raise refuse(f"is not a pickle, or breaks off: {error}", path) from error


class _Unpickler(pickle.Unpickler):
    """Copies unpickled content as plain data, as long as its size is in proportion to the file."""

    def __init__(self, pickled: bytes, path: FilePath) -> None:
        super().__init__(io.BytesIO(pickled))
        self._path = path
        self._left = MAX_SHARED * len(pickled)
        self._stand_in = type("Document", (), {})  # for this file alone, since a pickle can set its attributes

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) != _DOCUMENT:
            message = f"is refused: it names {module}.{name}, and only {'.'.join(_DOCUMENT)} is read"
            raise refuse(message, self._path)
        return self._stand_in

    def rows(self) -> list[dict[str, Any]]:
        """Returns the attributes of each document."""
        try:
            found = self.load()
        except DatasetError:
            raise
        except Exception as error:
            # A pickle with wrong calls may raise anything.
            raise refuse(f"is a broken pickle: {type(error).__name__}: {error}", self._path) from error
        if type(found) not in (list, tuple):
            raise refuse(f"holds no list of documents, but {self._named(found)}", self._path)
        for number, each in enumerate(found):
            if type(each) is not self._stand_in:
                raise refuse(f"holds no document at [{number}], but {self._named(each)}", self._path)
        return [self._plain(vars(document), MAX_DEPTH) for document in found]

    def _plain(self, value: Any, levels: int) -> Any:
        self._left -= 1
        if self._left < 0 or not levels:
            message = "is refused: its containers hold each other, out of all proportion to the file"
            raise refuse(message, self._path)
        if type(value) is dict:
            for key in value:
                if type(key) is not str:
                    raise refuse(f"holds a key that is not a text: {self._named(key)}", self._path)
            return {key: self._plain(each, levels - 1) for key, each in value.items()}
        if type(value) in (list, tuple):
            return [self._plain(each, levels - 1) for each in value]
        if type(value) not in (str, int, float, bool, type(None)):
            raise refuse(f"holds something else than plain data: {self._named(value)}", self._path)
        return value

    def _named(self, value: Any) -> str:
        return ".".join(_DOCUMENT) if type(value) is self._stand_in else type(value).__name__
