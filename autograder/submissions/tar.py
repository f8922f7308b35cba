"""Read the members of a tar archive in memory: the formats ustar, GNU tar and pax, see tar(5).

This module does not use tarfile: in the supported versions of Python, tarfile never returns for a
negative size, and takes hours for a long extended header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from autograder.errors import SubmissionError

BLOCK = 512
OCTAL = re.compile(rb" *([0-7]*)[ \0]*")
LONGEST = 1 << 16  # bytes of an extra header, which describes other members
MOST_HEADERS = 4  # extra headers in front of a member: one of each kind
MOST_RECORDS = 100  # lines of an extra header: programs write a dozen
KINDS = {
    **dict.fromkeys((b"0", b"\0", b"7"), "file"),
    **dict.fromkeys((b"1", b"2"), "link"),
    **dict.fromkeys((b"3", b"4", b"6"), "device"),
    b"5": "folder",
}
OF_ALL, OF_NEXT, NAME, TARGET = b"g", b"x", b"L", b"K"  # extra headers


class DamagedTar(SubmissionError):
    """An archive is not a tar archive, or of an unusual kind; the text says why."""


class Entry(NamedTuple):
    """One member. kind: 'file', 'folder', 'link', 'device'."""

    name: bytes
    kind: str
    content: memoryview

    def start(self, most: int) -> bytes:
        """Return at most this many bytes of its content."""
        return bytes(self.content[:most])


def entries(archive: bytes) -> Iterator[Entry]:
    """Yield the members in order. Raises DamagedTar."""
    rest = memoryview(archive)
    name, headers = b"", 0
    if len(rest) < BLOCK:
        raise DamagedTar("it is too short")
    while len(rest) >= BLOCK and any(rest[:BLOCK]):
        header = bytes(rest[:BLOCK])
        size, kind = _size(header), header[156:157]
        if BLOCK + size > len(rest):
            raise DamagedTar("it is cut off")
        content = rest[BLOCK : BLOCK + size]
        rest = rest[BLOCK + size + -size % BLOCK :]
        if kind in (OF_ALL, OF_NEXT, NAME, TARGET):
            headers += 1
            if headers > MOST_HEADERS:
                raise DamagedTar("it has too many headers")
            name = _name_of_next(kind, content) or name
            continue
        if kind not in KINDS:
            raise DamagedTar(f"it has a member of type {kind.decode('latin-1')!a}")
        name = name or _name(header)
        is_folder = KINDS[kind] == "file" and name.endswith(b"/")  # as in archives before ustar
        yield Entry(name, "folder" if is_folder else KINDS[kind], content)
        name, headers = b"", 0


def _size(header: bytes) -> int:
    """Return how many bytes follow a header. Raises DamagedTar if it is not a header."""
    total = sum(header) - sum(header[148:156]) + 8 * ord(" ")
    size = OCTAL.fullmatch(header[124:136])
    checksum = OCTAL.fullmatch(header[148:156])
    if not size or not checksum or int(checksum[1] or b"0", 8) != total:
        raise DamagedTar("a header is damaged")
    return int(size[1] or b"0", 8)


def _name(header: bytes) -> bytes:
    name, _, _ = header[:100].partition(b"\0")
    prefix, _, _ = header[345:500].partition(b"\0")
    is_ustar = header[257:263] == b"ustar\0"  # GNU tar uses the prefix's bytes differently
    return prefix + b"/" + name if prefix and is_ustar else name


def _name_of_next(kind: bytes, content: memoryview) -> bytes:
    """Return the next member's name if an extra header gives it, or b"". Raises DamagedTar."""
    if len(content) > LONGEST:
        raise DamagedTar("a header is too long")
    if kind == NAME:
        return bytes(content).rstrip(b"\0")
    return _records(bytes(content)).get(b"path", b"") if kind == OF_NEXT else b""


def _records(header: bytes) -> dict[bytes, bytes]:
    """Parse an extended header, lines of "length key=value". Raises DamagedTar."""
    found: dict[bytes, bytes] = {}
    at = count = 0
    while at < len(header):
        count += 1
        if count > MOST_RECORDS:
            raise DamagedTar("a header has too many lines")
        space = header.find(b" ", at, at + 8)
        length = header[at:space]
        end = at + int(length) if space > 0 and length.isdigit() else 0
        equals = header.find(b"=", space, end)
        if not space < equals < end <= len(header) or header[end - 1 : end] != b"\n":
            raise DamagedTar("a header is damaged")
        found[header[space + 1 : equals]] = header[equals + 1 : end - 1]
        at = end
    if b"size" in found or any(key.startswith(b"GNU.sparse") for key in found):
        raise DamagedTar("it has a sparse or a huge member")
    return found
