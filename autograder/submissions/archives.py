"""Read files from an archive in memory, by their names; nothing is extracted to disk.

An archive that no honest program makes is refused as a whole, with a sentence that says why.
"""

from __future__ import annotations

import copy
import io
import itertools
import re
import unicodedata
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.submissions import source_text, tar, zipped
from autograder.submissions.files import Unreadable, limit, quoted, read
from autograder.submissions.kinds import IGNORED
from autograder.submissions.zipped import Member

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")
MAX_ARCHIVE = 150_000_000  # bytes of the archive itself
MAX_CONTENT = 200_000_000  # bytes unpacked: of the files read, in a tar archive of all files
MAX_INNER = 10  # archives that are read in one
MAX_MEMBERS = 3000  # a whole copy of the kit has half as many
MAX_NAME = 255  # characters, with its folders
MAX_MARKS = 8  # accents and the like on one letter
MAX_DIRECTORY = 2_000_000  # bytes of a zip archive's list of members
MAX_STREAMS = 10_000  # of gzip in one file, one after the other: programs write one per 64 kB
GZIP = 31  # a window of 32 kB, and the header and checksum of gzip
PIECE = 1 << 16  # bytes
STREAM = b"\x1f\x8b\x08"  # the first bytes of each
# Files and folders that systems and editors add; students have not written them.
ENTRY = b"PK\x01\x02"  # the first bytes of each entry in a zip archive's directory
DIRECTORY_END = b"PK\x05\x06"  # the first bytes of the record behind the directory
AGAIN = "Pack it again with make submit."
TOO_MANY = "{} holds more than is looked into. Keep only your own work in it."


def is_archive(name: str) -> bool:
    """Return whether a file name is that of an archive."""
    return name.lower().endswith(SUFFIXES)


def stem(name: str) -> str:
    """Return the name of an archive without its ending.

    An archive of one file may be named after it, as anna.ipynb.zip is; both endings are left out.
    """
    end = next((end for end in SUFFIXES if name.lower().endswith(end)), "")
    return source_text.stem(name[: -len(end)]) if end else name


class Contents(Mapping[str, bytes]):
    """The files of an archive by their names, `folder/name` for those in a folder.

    Each file is read when it is requested, which raises Unreadable. The bytes that are read are
    counted, since the sizes that an archive states may be false. inner: the archives in it that
    were to be read, by their names; why not, or None.
    """

    def __init__(
        self,
        path: Path,
        files: Mapping[str, Member],
        limit: Callable[[str], int],
        inner: Mapping[str, Unreadable | None] | None = None,
    ) -> None:
        self.inner = inner or {}
        self._path = path
        self._files = files
        self._limit = limit
        self._read: dict[str, bytes | Unreadable] = {}
        self._remaining = {"bytes": MAX_CONTENT}  # in common with the files of `only`

    def __getitem__(self, name: str) -> bytes:
        if name not in self._read:
            try:
                self._read[name] = self._content(name, self._files[name])
            except Unreadable as problem:
                self._read[name] = problem
        found = self._read[name]
        if isinstance(found, Unreadable):
            raise found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def only(self, names: Collection[str]) -> Contents:
        """Return the files of these names, each of which is read once and counted for both."""
        wanted, some = {*names}, copy.copy(self)
        some._files = {name: one for name, one in self._files.items() if name in wanted}
        return some

    def place(self, name: str) -> str:
        """Return where a file lies, for messages: with the endings of the archives in the path."""
        return (name in self and self._files[name].place) or name

    def _content(self, name: str, member: Member) -> bytes:
        path, most = self._path, self._limit(name)
        if member.kind == "encrypted":
            raise Unreadable(f"{path} is encrypted. Pack it without a password.")
        if member.kind != "file":
            raise Unreadable(f"{path} is packed in an unusual way. {AGAIN}")
        try:
            data = member.start(max(0, min(most, self._remaining["bytes"])) + 1)
        except Exception as problem:  # zipfile raises many kinds of errors for damaged archives
            self._remaining["bytes"] -= most  # it may have been unpacked up to the damage
            raise _damaged(path, problem) from None
        self._remaining["bytes"] -= len(data)
        if len(data) > most:
            raise Unreadable(f"{path}: {self.place(name)} is too large; {limit('it', most)}")
        if self._remaining["bytes"] < 0:
            raise Unreadable(f"{path} unpacks to more than {MAX_CONTENT // 10**6} MB. {AGAIN}")
        return data


def contents(
    path: Path, most: Callable[[str], int], within: Callable[[str], int] | None = None
) -> Contents:
    """Return the files of an archive, or of the archives in it if it has nothing else.

    most: returns how many bytes a file with a given name may have, 0 to ignore it. within: read the
    archives in it in any case, first those for whose names this returns the least. Raises
    Unreadable, also for an archive in it that cannot be read if nothing else is there.
    """
    files = _files(path, read(path, MAX_ARCHIVE, "an archive", AGAIN), MAX_CONTENT)
    found = {name: one for name, one in files.items() if most(name.rpartition("/")[2])}
    inner: dict[str, Unreadable | None] = {}
    if within or not found:
        there = sorted(filter(is_archive, files), key=within or (lambda _: 0))
        archived = Contents(path, files, lambda _: MAX_ARCHIVE)
        for number, name in enumerate(there):
            inner[name] = None
            try:
                if number >= MAX_INNER:
                    raise Unreadable(TOO_MANY.format(path))
                share = MAX_CONTENT // min(len(there), MAX_INNER)
                found |= _in_folder(name, _files(path / name, archived[name], share), most, found)
            except Unreadable as problem:
                inner[name] = Unreadable(str(problem))  # without frames, which hold the archive
    unread = [*filter(None, inner.values())]
    if not found and unread:
        raise unread[0]
    return Contents(path, found, lambda name: most(name.rpartition("/")[2]), inner)


def _in_folder(
    archive: str,
    files: Mapping[str, Member],
    most: Callable[[str], int],
    others: Collection[str],
) -> dict[str, Member]:
    """Return the files of an archive in an archive, in a folder of its name without the ending.

    The folder has the ending if one of the others would have the same name.
    """
    own = [name for name in files if most(name.rpartition("/")[2])]
    is_taken = any(f"{stem(archive)}/{name}" in others for name in own)
    folder = archive if is_taken else stem(archive)
    return {f"{folder}/{name}": replace(files[name], place=f"{archive}/{name}") for name in own}


def _files(path: Path, data: bytes, max_content: int) -> dict[str, Member]:
    """Return the files that are not ignored, by their names. Raises Unreadable.

    max_content: the bytes that this archive may unpack to.
    """
    try:
        is_zip = data[:2] == b"PK"
        members = list(_zipped(data) if is_zip else _tarred(data, max_content))
    except Unreadable as problem:
        raise Unreadable(f"{path} {problem} {AGAIN}") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path} has a member whose name is not UTF-8. {AGAIN}") from None
    except Exception as problem:  # zipfile raises many kinds of errors for damaged archives
        if not is_zip and DIRECTORY_END in data:  # programs do not agree on what is in it
            text = f"{path} has something in front of the archive, like one that unpacks itself."
            raise Unreadable(f"{text} {AGAIN}") from None
        raise _damaged(path, problem) from None
    return {"/".join(parts): member for parts, member in _checked(path, members).items()}


def _damaged(path: Path, problem: Exception) -> Unreadable:
    reason = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
    return Unreadable(f"{path} cannot be read as an archive ({reason[0][:80]}). {AGAIN}")


def _zipped(data: bytes) -> Iterator[Member]:
    """Yield the members of a zip archive.

    Raises Unreadable with half a sentence, to follow the archive's name, and any error of zipfile.
    """
    if data.count(ENTRY) > MAX_MEMBERS:  # before an object is made for each
        raise Unreadable(f"has more than {MAX_MEMBERS} members.")
    yield from zipped.members(io.BytesIO(data), MAX_DIRECTORY)


def _tarred(data: bytes, max_content: int) -> Iterator[Member]:
    """Yield the members of a tar archive, which may unpack to max_content bytes.

    Raises Unreadable with half a sentence, to follow the archive's name, and DamagedTar.
    """
    if data[:2] == STREAM[:2]:
        if data.count(STREAM) > MAX_STREAMS:  # before any is unpacked
            raise Unreadable("is packed in an unusual way.")
        try:
            data = _unzipped(data, max_content + 1)
        except zlib.error as problem:
            raise tar.DamagedTar(str(problem)) from None
        if len(data) > max_content:
            raise Unreadable(f"unpacks to more than {max_content // 10**6} MB.")
    for count, entry in enumerate(tar.entries(data)):
        if count == MAX_MEMBERS:
            raise Unreadable(f"has more than {MAX_MEMBERS} members.")
        yield Member(entry.name.decode(errors="replace"), entry.kind, entry.start)


def _unzipped(data: bytes, most: int) -> bytes:
    """Unpack gzip streams, one after the other. Raises zlib.error.

    The module gzip reads the name of a file, which may be of any length, byte by byte.
    """
    found, size, is_begun = [], 0, False
    stream = zlib.decompressobj(wbits=GZIP)
    for at in range(0, len(data), PIECE):
        piece = data[at : at + PIECE]
        while (piece := piece if is_begun else piece.lstrip(b"\0")) and size < most:  # padding
            found.append(stream.decompress(piece, most - size))
            size += len(found[-1])
            piece = stream.unused_data
            is_begun = not stream.eof
            if stream.eof:
                stream = zlib.decompressobj(wbits=GZIP)
    if is_begun and size < most:
        raise zlib.error("it is cut off")
    return b"".join(found)


def _checked(path: Path, members: Sequence[Member]) -> dict[tuple[str, ...], Member]:
    """Return the files by the parts of their names. Raises Unreadable for suspicious members."""
    files: dict[tuple[str, ...], Member] = {}
    seen: set[str] = set()
    for member in members:
        if said := wrong_name(member.name):
            raise Unreadable(f"{path} has a member {said}. {AGAIN}")
        parts = parts_of(member.name)
        if is_ignored(parts):
            continue
        if member.kind in ("link", "device"):
            named = quoted(member.name)
            raise Unreadable(f"{path} has a {member.kind} in it, {named}. Pack files only.")
        if member.kind == "folder":
            continue
        key = name_key(parts)
        if key in seen and (source_text.form(key) or is_archive(key)):  # one may replace the other
            named = quoted(member.name)
            raise Unreadable(f"{path} has two members with nearly the same name, {named}. {AGAIN}")
        seen.add(key)
        files[parts] = member
    return files


def wrong_name(name: str) -> str:
    """Return what is wrong with the name of a member, to follow "a member"; "" if nothing is."""
    if len(name) > MAX_NAME or _marks(name) > MAX_MARKS:
        return f"with too long a name, {quoted(name)}"
    if _leads_out(name.replace("\\", "/")):
        return f"named {quoted(name)}, which leads out of it"
    return ""


def parts_of(name: str) -> tuple[str, ...]:
    """Return the folders in the name of a member, and its own name at the end."""
    slashes = name.replace("\\", "/")  # some Windows programs write backslashes
    return tuple(part for part in slashes.split("/") if part not in ("", "."))


def is_ignored(parts: Sequence[str]) -> bool:
    """Return whether a member is none, or one that programs add."""
    return not parts or any(map(IGNORED.fullmatch, parts))


def name_key(parts: Sequence[str]) -> str:
    """Return a key that is equal for names that file systems may not distinguish."""
    return unicodedata.normalize("NFC", "/".join(parts)).casefold()


def _marks(name: str) -> int:
    """Return the most combining marks, such as accents, in a row; composing them is quadratic."""
    runs = itertools.groupby(name, key=lambda letter: unicodedata.combining(letter) > 0)
    return max((sum(1 for _ in run) for is_mark, run in runs if is_mark), default=0)


def _leads_out(name: str) -> bool:
    """Return whether a name means a file outside of the archive's folder on any system."""
    absolute = name.startswith("/") or re.match("[A-Za-z]:", name)
    return bool(absolute or "\0" in name or ".." in name.split("/"))
