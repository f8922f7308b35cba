"""Store results in a folder, one file each, so that a run that was stopped loses none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from autograder import parsing, whole_file
from autograder.parsing import DamagedData

MOST = 10_000_000  # bytes of one result: many times what the texts of reports may have
T = TypeVar("T")


@dataclass(frozen=True)
class _File:
    """The content of a result's file. sum: SHA-256 (hexadecimal) of the result as written."""

    sum: str
    result: msgspec.Raw


class Stored(Generic[T]):
    """A folder of results of one type, each in a file named after a digest.

    Several processes may use it at the same time.
    """

    def __init__(self, folder: Path, kind: type[T]) -> None:
        self.folder = folder
        self._kind = kind

    def get(self, digest: str) -> T | None:
        """Return a result; None if there is none, or its file is damaged or outdated."""
        try:
            file = parsing.read(self._path(digest), MOST, _decode)
            if file.sum != _checksum(file.result):
                return None
            return parsing.parsed(bytes(file.result), self._decode)
        except DamagedData:
            return None

    def put(self, digest: str, result: T) -> None:
        """Store a result atomically. Raises OSError."""
        written = msgspec.Raw(msgspec.json.encode(result))
        data = msgspec.json.encode(_File(_checksum(written), written))
        self.folder.mkdir(parents=True, exist_ok=True)
        whole_file.write(self._path(digest), data)

    def _decode(self, data: bytes) -> T:
        return msgspec.json.decode(data, type=self._kind)

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"


def _decode(data: bytes) -> _File:
    return msgspec.json.decode(data, type=_File)


def _checksum(written: msgspec.Raw) -> str:
    """Return the checksum that tells whether a file is still as it was written."""
    return hashlib.sha256(written).hexdigest()
