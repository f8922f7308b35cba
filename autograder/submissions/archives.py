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

from autograder.submissions import tar
from autograder.submissions.files import Unreadable, limit, read

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")
MAX_ARCHIVE = 150_000_000  # bytes as it is handed in
MAX_CONTENT = 200_000_000  # bytes of what is taken out of it; of a tar archive, of all in it
MAX_INNER = 10  # archives in an archive that are looked into, where it has nothing else
MAX_MEMBERS = 1000
MAX_NAME = 1000  # characters
MAX_STREAMS = 10_000  # of gzip in one file, behind each other: programs write one for each 64 kB
STREAM = b"\x1f\x8b\x08"  # how each begins
# What systems and editors add, in any folder: none of it is what someone has written.
IGNORED = re.compile(r"__MACOSX|\..*|__pycache__|node_modules|site-packages|venv|desktop\.ini")
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


class Contents(Mapping[str, bytes]):
    """Files of an archive by their names, `folder/name` in a folder; each is read when it is asked
    for, and counted: an archive may say anything of its sizes. Raises Unreadable then."""

    def __init__(
        self, path: Path, files: Mapping[str, Member], limit: Callable[[str], int]
    ) -> None:
        self._path = path
        self._files = files
        self._limit = limit
        self._read: dict[str, bytes] = {}
        self._room = MAX_CONTENT

    def __getitem__(self, name: str) -> bytes:
        if name not in self._read:
            self._read[name] = self._content(name, self._files[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def _content(self, name: str, member: Member) -> bytes:
        path, most = self._path, self._limit(name)
        if member.kind == "encrypted":
            raise Unreadable(f"{path} is encrypted. Pack it without a password.")
        if member.kind != "file":
            raise Unreadable(f"{path} is packed in an unusual way. {AGAIN}")
        try:
            data = member.start(min(most, self._room) + 1)
        except Exception as problem:  # what zipfile raises for damage is of many kinds
            raise _damaged(path, problem) from None
        if len(data) > most:
            raise Unreadable(f"{path}: {name} is too large; {limit('it', most)}")
        self._room -= len(data)
        if self._room < 0:
            raise Unreadable(f"{path} unpacks to more than {MAX_CONTENT // 10**6} MB. {AGAIN}")
        return data


def contents(path: Path, most: Callable[[str], int]) -> Contents:
    """The files of an archive, or of the archives in it where it has nothing else.

    most: how many bytes a file of this name may have; 0 for what is not looked at. Raises
    Unreadable.
    """
    files = _files(path, read(path, MAX_ARCHIVE, "an archive", AGAIN), most)
    return Contents(path, files, lambda name: most(name.rpartition("/")[2]))


def unpacked(path: Path, wanted: Mapping[str, int]) -> dict[str, bytes]:
    """The wanted files of an archive: of each the one that lies least deep, or in a folder named
    after it.

    wanted: how many bytes each may have, by its name. Raises Unreadable.
    """
    found = contents(path, lambda name: wanted.get(_plain(name), 0))
    taken: dict[str, str] = {}
    for name in sorted(found, key=lambda name: (name.count("/"), name)):
        plain = _plain(name.rpartition("/")[2])
        before = taken.setdefault(plain, name)
        folder = name.rpartition("/")[0].rpartition("/")[2]
        if before != name and before.count("/") == name.count("/"):
            if folder == plain.rpartition(".")[0]:
                taken[plain] = name
            elif before.split("/")[-2:-1] != [plain.rpartition(".")[0]]:
                raise Unreadable(
                    f"{path} has {plain} in several folders. Keep the one that counts."
                )
    return {plain: found[name] for plain, name in taken.items()}


def _plain(name: str) -> str:
    """A name with its ending in small letters, as Windows does not care."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}{dot}{ending.lower()}"


def _files(path: Path, data: bytes, most: Callable[[str], int], room: int = 0) -> dict[str, Member]:
    """The files that are looked at, by their names. Raises Unreadable.

    room: bytes to which it may be unpacked where it lies in another archive, 0 where it does not.
    """
    try:
        members = list(_zipped(data) if data[:2] == b"PK" else _tarred(data, room or MAX_CONTENT))
    except Unreadable as problem:
        raise Unreadable(f"{path} {problem} {AGAIN}") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} has a member whose name is not UTF-8. {AGAIN}") from None
    except Exception as problem:  # what zipfile raises for damage is of many kinds
        raise _damaged(path, problem) from None
    files = {"/".join(parts): member for parts, member in _checked(path, members).items()}
    found = {name: one for name, one in files.items() if most(name.rpartition("/")[2])}
    inner = [name for name in files if is_archive(name)]
    if found or room or not inner or len(inner) > MAX_INNER:
        return found
    archived = Contents(path, files, lambda _: MAX_ARCHIVE)
    for name in inner:
        within = _files(path / name, archived[name], most, MAX_CONTENT // len(inner))
        for below, member in within.items():
            found[f"{stem(name)}/{below}"] = member
    return found


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


def _tarred(data: bytes, room: int) -> Iterator[Member]:
    """Raises Unreadable, without the archive's name, and tar.Damaged.

    room: bytes to which it may be unpacked.
    """
    if data[:2] == STREAM[:2]:
        if data.count(STREAM) > MAX_STREAMS:  # before any is unpacked
            raise Unreadable("is packed in an unusual way.")
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(room + 1)
        except (OSError, EOFError, zlib.error) as problem:
            raise tar.Damaged(str(problem)) from None
        if len(data) > room:
            raise Unreadable(f"unpacks to more than {room // 10**6} MB.")
    for count, entry in enumerate(tar.entries(data)):
        if count == MAX_MEMBERS:
            raise Unreadable(f"has more than {MAX_MEMBERS} members.")
        yield Member(entry.name.decode(errors="replace"), entry.kind, entry.start)


def _checked(path: Path, members: Sequence[Member]) -> dict[tuple[str, ...], Member]:
    """The files by the parts of their names. Raises Unreadable for what nobody means to hand in."""
    files: dict[tuple[str, ...], Member] = {}
    met: set[str] = set()
    for member in members:
        named = ascii(member.name)[:60]
        if len(member.name) > MAX_NAME:
            raise Unreadable(f"{path} has a member with an endless name, {named}. {AGAIN}")
        name = member.name.replace("\\", "/")  # as some programs of Windows write it
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if _leads_out(name):
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
    return bool(absolute or "\0" in name or ".." in name.split("/"))
