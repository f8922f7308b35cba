"""The members of a tar archive that is in memory, as any program for archives writes it.

Read strictly, and not with tarfile: in the supported versions of Python it goes round for ever
where a size is negative, and takes hours over a long header of its extended format. The formats
are those of ustar, GNU tar and pax, see tar(5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

BLOCK = 512
OCTAL = re.compile(rb" *([0-7]*)[ \0]*")
LONGEST = 1 << 16  # bytes of a header that only says more of the next member
MOST_SAID = 4  # such headers in front of a member: there is one of each kind
MOST_RECORDS = 100  # lines of such a header: programs write a dozen
KINDS = {
    **dict.fromkeys((b"0", b"\0", b"7"), "file"),
    **dict.fromkeys((b"1", b"2"), "link"),
    **dict.fromkeys((b"3", b"4", b"6"), "device"),
    b"5": "folder",
}
OF_ALL, OF_NEXT, NAME, TARGET = b"g", b"x", b"L", b"K"  # members that say something of others


class Damaged(ValueError):
    """It is no tar archive, or of a kind that nobody hands in; the text says in what way."""


class Entry(NamedTuple):
    """One member. kind: 'file', 'folder', 'link', 'device'."""

    name: bytes
    kind: str
    content: memoryview

    def start(self, most: int) -> bytes:
        """At most this many bytes of its content."""
        return bytes(self.content[:most])


def entries(archive: bytes) -> Iterator[Entry]:
    """The members, from the first to the last. Raises Damaged."""
    rest = memoryview(archive)
    name, said = b"", 0
    if len(rest) < BLOCK:
        raise Damaged("it is too short")
    while len(rest) >= BLOCK and any(rest[:BLOCK]):
        header = bytes(rest[:BLOCK])
        size, kind = _size(header), header[156:157]
        if BLOCK + size > len(rest):
            raise Damaged("it is cut off")
        content = rest[BLOCK : BLOCK + size]
        rest = rest[BLOCK + size + -size % BLOCK :]
        if kind in (OF_ALL, OF_NEXT, NAME, TARGET):
            said += 1
            if said > MOST_SAID:
                raise Damaged("it has too many headers")
            name = _said(kind, content) or name
            continue
        if kind not in KINDS:
            raise Damaged(f"it has a member of type {kind.decode('latin-1')!a}")
        name = name or _name(header)
        is_folder = KINDS[kind] == "file" and name.endswith(b"/")  # as it was written before ustar
        yield Entry(name, "folder" if is_folder else KINDS[kind], content)
        name, said = b"", 0


def _size(header: bytes) -> int:
    """How many bytes follow a header. Raises Damaged where it is none."""
    total = sum(header) - sum(header[148:156]) + 8 * ord(" ")
    size = OCTAL.fullmatch(header[124:136])
    checksum = OCTAL.fullmatch(header[148:156])
    if not size or not checksum or int(checksum[1] or b"0", 8) != total:
        raise Damaged("a header is damaged")
    return int(size[1] or b"0", 8)


def _name(header: bytes) -> bytes:
    name, _, _ = header[:100].partition(b"\0")
    prefix, _, _ = header[345:500].partition(b"\0")
    is_ustar = header[257:263] == b"ustar\0"  # GNU has something else in the prefix's place
    return prefix + b"/" + name if prefix and is_ustar else name


def _said(kind: bytes, content: memoryview) -> bytes:
    """The name of the next member, if that is what is said of it. Raises Damaged."""
    if len(content) > LONGEST:
        raise Damaged("a header is too long")
    if kind == NAME:
        return bytes(content).rstrip(b"\0")
    return _records(bytes(content)).get(b"path", b"") if kind == OF_NEXT else b""


def _records(said: bytes) -> dict[bytes, bytes]:
    """The keys and values of an extended header: lines of "length key=value"."""
    found: dict[bytes, bytes] = {}
    at = count = 0
    while at < len(said):
        count += 1
        if count > MOST_RECORDS:
            raise Damaged("a header has too many lines")
        space = said.find(b" ", at, at + 8)
        length = said[at:space]
        end = at + int(length) if space > 0 and length.isdigit() else 0
        equals = said.find(b"=", space, end)
        if not space < equals < end <= len(said) or said[end - 1 : end] != b"\n":
            raise Damaged("a header is damaged")
        found[said[space + 1 : equals]] = said[equals + 1 : end - 1]
        at = end
    if b"size" in found or any(key.startswith(b"GNU.sparse") for key in found):
        raise Damaged("it has a sparse or a huge member")
    return found
