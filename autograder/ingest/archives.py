"""Read files out of an archive, in memory and by their names; nothing is ever extracted.

What no honest program packs is refused as a whole, in a sentence: whoever made it can pack anew.
"""

from __future__ import annotations

import gzip
import io
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.ingest import tar
from autograder.ingest.files import Unreadable, limit, read

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")
MAX_ARCHIVE = 25_000_000  # bytes as it is handed in
MAX_CONTENT = 50_000_000  # bytes of what is taken out of it; of a tar archive, of all that is in it
MAX_MEMBERS = 1000
MAX_NAME = 1000  # characters
IGNORED = re.compile(r"__MACOSX|\.DS_Store|\._.*")  # what macOS adds, in any folder
ENTRY = b"PK\x01\x02"  # how each entry in a zip archive's directory begins
LOCAL = 30  # bytes in front of a zip archive's member, besides its name
ENCRYPTED = 1
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes to unpack
AGAIN = "Pack it again with make submit."


@dataclass(frozen=True)
class Member:
    """One of an archive. kind: 'file', 'folder', 'link', 'device', 'encrypted', 'unusual'.

    start: at most this many bytes of it.
    """

    name: str
    kind: str
    start: Callable[[int], bytes]


def is_archive(name: str) -> bool:
    """Is a file of this name one?"""
    return name.lower().endswith(SUFFIXES)


def stem(name: str) -> str:
    """The name of an archive without its ending."""
    return next((name[: -len(end)] for end in SUFFIXES if name.lower().endswith(end)), name)


def unpacked(path: Path, wanted: Mapping[str, int]) -> dict[str, bytes]:
    """The wanted files that stand at the archive's top, or in the only folder there.

    wanted: how many bytes each may have, by its name. Raises Unreadable.
    """
    data = read(path, MAX_ARCHIVE, "an archive", AGAIN)
    try:
        members = list(_zipped(data) if data[:2] == b"PK" else _tarred(data))
    except Unreadable as problem:
        raise Unreadable(f"{path} {problem} {AGAIN}") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} has a member whose name is not UTF-8. {AGAIN}") from None
    except Exception as problem:  # what zipfile raises for damage is of many kinds
        raise _damaged(path, problem) from None
    files = _at_the_top(_checked(path, members))
    taken = {name: file for name, file in files.items() if name in wanted}
    return _contents(path, taken, wanted)


def _damaged(path: Path, problem: Exception) -> Unreadable:
    reason = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
    return Unreadable(f"{path} cannot be read as an archive ({reason[0][:80]}). {AGAIN}")


def _zipped(data: bytes) -> Iterator[Member]:
    """Raises Unreadable, without the archive's name, and whatever zipfile does."""
    if data.count(ENTRY) > MAX_MEMBERS:  # before an object is made for each
        raise Unreadable(f"has more than {MAX_MEMBERS} members.")
    archive = zipfile.ZipFile(io.BytesIO(data))
    entries = archive.infolist()
    _refuse_overlaps(sorted(entries, key=lambda entry: entry.header_offset), archive.start_dir)
    for entry in entries:

        def start(most: int, entry: zipfile.ZipInfo = entry) -> bytes:
            with archive.open(entry) as file:
                return file.read(most)

        yield Member(entry.orig_filename, _kind(entry), start)


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
    """Two members in the same bytes are how a small archive unpacks to a huge one."""
    starts = [entry.header_offset for entry in entries]
    for entry, following in zip(entries, [*starts[1:], end], strict=False):
        if entry.header_offset + LOCAL + len(entry.filename) + entry.compress_size > following:
            raise Unreadable("has members that lie over each other.")


def _tarred(data: bytes) -> Iterator[Member]:
    """Raises Unreadable, without the archive's name, and tar.Damaged."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MAX_CONTENT + 1)
        except (OSError, EOFError, zlib.error) as problem:
            raise tar.Damaged(str(problem)) from None
        if len(data) > MAX_CONTENT:
            raise Unreadable(f"unpacks to more than {MAX_CONTENT // 10**6} MB.")
    for count, entry in enumerate(tar.entries(data)):
        if count == MAX_MEMBERS:
            raise Unreadable(f"has more than {MAX_MEMBERS} members.")
        yield Member(entry.name.decode(), entry.kind, entry.start)


def _checked(path: Path, members: Sequence[Member]) -> dict[tuple[str, ...], Member]:
    """The files by the parts of their names. Raises Unreadable for what nobody means to hand in."""
    files: dict[tuple[str, ...], Member] = {}
    met: set[str] = set()
    for member in members:
        named = ascii(member.name)[:60]
        if len(member.name) > MAX_NAME:
            raise Unreadable(f"{path} has a member with an endless name, {named}. {AGAIN}")
        parts = tuple(part for part in member.name.split("/") if part not in ("", "."))
        if _leads_out(member.name):
            raise Unreadable(f"{path} has a member named {named}, which leads out of it. {AGAIN}")
        if not parts or any(map(IGNORED.fullmatch, parts)):
            continue
        if member.kind in ("link", "device"):
            raise Unreadable(f"{path} has a {member.kind} in it, {named}. Pack files only.")
        if member.kind == "folder":
            continue
        known = unicodedata.normalize("NFC", "/".join(parts)).casefold()
        if known in met:
            raise Unreadable(f"{path} has two members named {named}, or nearly so. {AGAIN}")
        met.add(known)
        files[parts] = member
    return files


def _leads_out(name: str) -> bool:
    """Would it be somewhere else, or something else, on any system?"""
    absolute = name.startswith("/") or re.match("[A-Za-z]:", name)
    return bool(absolute or "\\" in name or "\0" in name or ".." in name.split("/"))


def _at_the_top(files: Mapping[tuple[str, ...], Member]) -> dict[str, Member]:
    """Those at the top by their names; where there is only one folder, those in it."""
    tops = {parts[0] for parts in files if len(parts) > 1}
    depth = 2 if len(tops) == 1 and all(len(parts) > 1 for parts in files) else 1
    return {parts[-1]: member for parts, member in files.items() if len(parts) == depth}


def _contents(
    path: Path, files: Mapping[str, Member], wanted: Mapping[str, int]
) -> dict[str, bytes]:
    """What is in them, counted while it is unpacked: an archive may say anything of its sizes."""
    found: dict[str, bytes] = {}
    room = MAX_CONTENT
    for name, member in files.items():
        if member.kind == "encrypted":
            raise Unreadable(f"{path} is encrypted. Pack it without a password.")
        if member.kind != "file":
            raise Unreadable(f"{path} is packed in an unusual way. {AGAIN}")
        try:
            found[name] = member.start(min(wanted[name], room) + 1)
        except Exception as problem:  # as above
            raise _damaged(path, problem) from None
        if len(found[name]) > wanted[name]:
            raise Unreadable(f"{path}: {name} is too large; {limit('it', wanted[name])}")
        room -= len(found[name])
        if room < 0:
            raise Unreadable(f"{path} unpacks to more than {MAX_CONTENT // 10**6} MB. {AGAIN}")
    return found
