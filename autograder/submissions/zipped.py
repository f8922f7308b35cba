"""List the members of a zip archive, of which nothing is trusted.

Raises Unreadable with half a sentence, to follow the archive's name, and any error of zipfile.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, BinaryIO, cast

from autograder.submissions.files import Unreadable

LOCAL = 30  # bytes of the header in front of a member, without the name
ENCRYPTED = 1
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes to unpack


@dataclass(frozen=True)
class Member:
    """A member of an archive. kind: 'file', 'folder', 'link', 'device', 'encrypted', 'unusual'.

    start: returns at most the given number of its first bytes. place: where it lies, if that is an
    archive in the archive, whose ending its own name in `Contents` lacks.
    """

    name: str
    kind: str
    start: Callable[[int], bytes]
    place: str = ""


def members(data: BinaryIO, most_listed: int) -> Iterator[Member]:
    """Yield the members. The file must be open as long as they are read.

    most_listed: bytes that the list of members may have.
    """
    file = _Zip(data, most_listed)
    archive = zipfile.ZipFile(cast("IO[bytes]", file))
    file.most = None  # the list of members has been read
    entries = archive.infolist()
    _refuse_overlaps(sorted(entries, key=lambda entry: entry.header_offset), archive.start_dir)
    for entry in entries:

        def start(most: int, entry: zipfile.ZipInfo = entry) -> bytes:
            with archive.open(entry) as file:
                return file.read(most)

        yield Member(entry.orig_filename, _kind(entry), start)


class _Zip:
    """A zip archive, of which zipfile reads at most so many bytes at once.

    It reads the list of members at once, whose size is in one of two records behind it. The list
    also has fields that it reads slowly, and there is no limit to their number. Reading more raises
    Unreadable. most: None for no limit.
    """

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self.most: int | None = most
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int | None = -1, /) -> bytes:
        if self.most is not None and size is not None and size > self.most:
            raise Unreadable("is packed in an unusual way.")
        return self._file.read(-1 if size is None else size)


def _kind(entry: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "link"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "device"
    if entry.orig_filename.endswith("/"):
        return "folder"
    if entry.flag_bits & ENCRYPTED:
        return "encrypted"
    return "file" if entry.compress_type in METHODS else "unusual"


def _refuse_overlaps(entries: Sequence[zipfile.ZipInfo], end: int) -> None:
    """Raise Unreadable if members share bytes, as in a small archive that unpacks to a huge one."""
    starts = [entry.header_offset for entry in entries]
    for entry, following in zip(entries, [*starts[1:], end], strict=False):
        if entry.header_offset + LOCAL + len(entry.filename) + entry.compress_size > following:
            raise Unreadable("has members that overlap.")
