"""The journal of many questions: a file of all replies, which the next run reads."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ..cache import SqliteCache
from ..errors import BatchError, CacheError
from ..packing import failing


class Journal(SqliteCache):
    """A cache of all replies to the questions of a job. It removes nothing, and raises `BatchError` when it fails."""

    def __init__(self, path: str | Path) -> None:
        with self._raising("open", Path(path)):
            super().__init__(path, max_bytes=sys.maxsize)

    def _try(self, operation: str, *given: Any) -> Any:
        with self._raising(operation, self.path):
            return self._do(operation, *given)

    def _raising(self, operation: str, path: Path) -> AbstractContextManager[None]:
        def fail(reason: str) -> BatchError:
            return BatchError(f"the journal failed to {operation}: {reason}", str(path))

        return failing(fail, CacheError, *self.failures)
