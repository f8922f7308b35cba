"""Files of archives are read in memory by their names, or the archive is refused."""

from __future__ import annotations

import contextlib
import gzip
import io
import stat
import struct
import sys
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.submissions import archives, tar
from autograder.submissions.files import Unreadable

NAME = "attention_layer.py"
LONG = f"{'l' * 60}/{'m' * 60}"  # folders; longer ones are none that ustar can have
WANTED = {NAME: 200_000, "multi_head.ipynb": 20_000_000}
brief = settings(max_examples=200, deadline=None, derandomize=True, database=None)


# Archives that are fine

Files = dict[str, bytes]


def zipped(files: Files) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def tarred(files: Files, how: int = tarfile.PAX_FORMAT, mode: str = "w") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode, format=how) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            archive.addfile(entry, io.BytesIO(data))
    return made.getvalue()


WAYS: dict[str, tuple[str, Callable[[Files], bytes]]] = {
    "zip": (".zip", zipped),
    "ZIP64": (".zip", lambda files: with_zip64(zipped(files))),
    "tar": (".tar", tarred),
    "ustar": (".tar", lambda files: tarred(files, tarfile.USTAR_FORMAT)),
    "GNU tar": (".tar", lambda files: tarred(files, tarfile.GNU_FORMAT)),
    "tar.gz": (".tar.gz", lambda files: tarred(files, mode="w:gz")),
    "tgz": (".tgz", lambda files: gzip.compress(tarred(files, tarfile.GNU_FORMAT))),
    "tgz padded": (".tgz", lambda files: gzip.compress(tarred(files)) + bytes(200_000)),
}


def unpacked(folder: Path, data: bytes, suffix: str = ".zip") -> Files:
    path = folder / f"anna{suffix}"
    path.write_bytes(data)
    return wanted_in(path)


def wanted_in(path: Path) -> Files:
    return {**archives.contents(path, lambda name: WANTED.get(name, 0))}


FINE: dict[str, tuple[Files, list[str]]] = {
    "one": ({NAME: b"x = 1"}, [NAME]),
    "two and others": (
        {NAME: b"x = 1", "multi_head.ipynb": b"x = 1", "notes.txt": b"", "torch.py": b"evil"},
        [NAME, "multi_head.ipynb"],
    ),
    "in a folder": ({"work/": b"", f"work/{NAME}": b"x = 1", "work/a/b": b""}, [f"work/{NAME}"]),
    "of a Mac": (
        {f"Übung 1/{NAME}": b"x = 1", f"__MACOSX/Übung 1/._{NAME}": b"", "Übung 1/.DS_Store": b""},
        [f"Übung 1/{NAME}"],
    ),
    "with dots": ({f"./{NAME}": b"x = 1", "./": b""}, [NAME]),
    "a long name": ({f"{LONG}/{NAME}": b"x = 1", "n": b""}, [f"{LONG}/{NAME}"]),
    "deeper": ({f"a/b/{NAME}": b"x = 1"}, [f"a/b/{NAME}"]),
    "an archive in it": ({"mine.zip": zipped({f"a/{NAME}": b"x = 1"})}, [f"mine/a/{NAME}"]),
    "two archives in it": (
        {"a.zip": zipped({NAME: b"x = 1"}), "a.tgz": gzip.compress(tarred({NAME: b"x = 1"}))},
        [f"a/{NAME}", f"a.tgz/{NAME}"],
    ),
    "an archive in it that is damaged": (
        {"a.zip": b"PK", "b.zip": zipped({NAME: b"x = 1"})},
        [f"b/{NAME}"],
    ),
    "documents of nearly the same name": (
        {NAME: b"x = 1", "README.md": b"x", "readme.md": b"x"},
        [NAME],
    ),
    "names of Windows": ({f"work\\{NAME}": b"x = 1"}, [f"work/{NAME}"]),
    "at the top and in a folder": ({NAME: b"x = 1", f"a/{NAME}": b"x = 1"}, [NAME, f"a/{NAME}"]),
    "nothing": ({}, []),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FINE)
def test_archives_are_read_by_named_members(way: str, name: str, tmp_path: Path) -> None:
    suffix, pack = WAYS[way]
    files, wanted = FINE[name]
    found = unpacked(tmp_path, pack(files), suffix)
    assert list(found) == wanted
    assert {*found.values()} <= {b"x = 1"}
    assert [path.name for path in tmp_path.iterdir()] == [f"anna{suffix}"]  # nothing is extracted


names = st.text(
    st.characters(codec="utf-8", exclude_characters="\0/\\:", exclude_categories=["Cs"]),
    min_size=1,
    max_size=120,
).filter(lambda name: name not in (".", ".."))


@pytest.mark.dear
@brief
@given(
    st.dictionaries(names, st.binary(max_size=1500), min_size=1, max_size=4),
    st.sampled_from([tarfile.PAX_FORMAT, tarfile.GNU_FORMAT]),
)
def test_a_tar_archive_is_read_as_it_was_written(files: Files, how: int) -> None:
    read = [(e.name.decode(), e.kind, e.start(2000)) for e in tar.entries(tarred(files, how))]
    assert read == [(name, "file", data) for name, data in files.items()]


# Archives that are not


def entry(name: str, mode: int = stat.S_IFREG, method: int = zipfile.ZIP_STORED) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    made.compress_type = method
    made.create_system = 3
    return made


def zipped_as(*entries: zipfile.ZipInfo, data: bytes = b"x = 1") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for one in entries:
            archive.writestr(one, data)
    return made.getvalue()


def tarred_as(kind: bytes, name: str = NAME, target: str = "") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        one = tarfile.TarInfo(name)
        one.type, one.linkname = kind, target
        archive.addfile(one)
    return made.getvalue()


def renamed(archive: bytes, old: bytes, new: bytes) -> bytes:
    """Return an archive with a name replaced by one of the same length."""
    assert len(old) == len(new)
    assert old in archive
    return archive.replace(old, new)


STORED = zipped_as(entry("a"), data=bytes(20_000_000))


def encrypted() -> bytes:
    """Return an archive whose flag says that it is encrypted; zipfile looks at that only."""
    made = bytearray(zipped({NAME: b"x = 1"}))
    for start, place in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        made[made.index(start) + place] |= 1
    return bytes(made)


def with_declared_size(archive: bytes, size: int) -> bytes:
    """Return an archive that states a wrong size for its only member."""
    made = bytearray(archive)
    struct.pack_into("<I", made, made.index(b"PK\1\2") + 24, size)
    struct.pack_into("<I", made, made.index(b"PK\3\4") + 22, size)
    return bytes(made)


def overlapping() -> bytes:
    """Return an archive with two entries in the directory for the same bytes."""
    made = zipped({NAME: b"x" * 1000, "multi_head.py": b"y"})
    directory = made.index(b"PK\1\2")
    second = made.index(b"PK\1\2", directory + 1)
    changed = bytearray(made)
    struct.pack_into("<I", changed, second + 42, 0)
    return bytes(changed)


def with_zip64(archive: bytes, is_only: bool = True) -> bytes:
    """Return a zip archive with the counts and places of its directory in a ZIP64 record.

    is_only: False if the record that follows has counts and places too, which are others.
    """
    end = archive.rindex(b"PK\5\6")
    count, size, start = struct.unpack_from("<HII", archive, end + 10)
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, end, 1)
    places = (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF) if is_only else (1, 1, 100, start)
    last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, *places, 0)
    return archive[:end] + record + locator + last


def with_long_directory() -> bytes:
    """Return a zip archive whose list of members has 2.6 MB of fields."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(NAME, b"x = 1")
        for i in range(40):
            archive.writestr(entry(f"{i}"), b"")
            archive.filelist[-1].extra = struct.pack("<HH", 0x7777, 0) * 16_000
    return made.getvalue()


def header(name: bytes, kind: bytes, size: bytes, content: bytes = b"") -> bytes:
    """Return a member of a tar archive with any header."""
    made = bytearray(512)
    made[: len(name)] = name
    made[124 : 124 + len(size)] = size
    made[156:157] = kind
    made[257:265] = b"ustar\x0000"
    made[148:156] = b" " * 8
    made[148:155] = b"%06o\0" % sum(made)
    return bytes(made) + content + bytes(-len(content) % 512)


def extended(record: bytes) -> bytes:
    """Return a tar archive with these bytes in an extended header in front of its file."""
    return header(b"x", b"x", b"%011o" % len(record), record) + tarred({NAME: b"x = 1"})


BOMB = bytes(60_000_000)
HALF = bytes(25_000_000)  # of what an archive may unpack to
OUT = "which leads out of it. Pack it again with make submit."
BAD: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "absolute": (".zip", lambda: zipped({f"/{NAME}": b""}), OUT),
    "absolute in tar": (".tar", lambda: tarred({f"/tmp/{NAME}": b""}), OUT),
    "..": (".zip", lambda: zipped({f"a/../../{NAME}": b""}), OUT),
    ".. in tar": (".tar.gz", lambda: tarred({f"../{NAME}": b""}, mode="w:gz"), OUT),
    "backslash": (".tar", lambda: tarred({f"a\\..\\{NAME}": b""}), OUT),
    "in an archive in an archive in it": (
        ".zip",
        lambda: zipped({"a.zip": zipped({f"../{NAME}": b""})}),
        OUT,
    ),
    "drive": (".zip", lambda: zipped({f"C:{NAME}": b""}), OUT),
    "NUL": (
        ".zip",
        lambda: renamed(zipped({f"{NAME}-.exe": b""}), b".py-.exe", b".py\0.exe"),
        OUT,
    ),
    "an endless name": (".zip", lambda: zipped({"\u0301" * 2000: b""}), "with too long a name, "),
    "a long name that leads out": (
        ".zip",
        lambda: zipped({f"/{'x' * 80}/{NAME}": b""}),
        f"has a member named '/{'x' * 54}...', which leads out of it.",
    ),
    "twice": (
        ".tar",
        lambda: tarred({NAME: b"x"})[:1024] + tarred({NAME: b"y"}),
        "has two members with nearly the same name, 'attention_layer.py'.",
    ),
    "twice but for the case": (".zip", lambda: zipped({NAME: b"", NAME.upper(): b""}), "has two"),
    "twice but for accents": (
        ".zip",
        lambda: zipped({"\xe9.py": b"", "e\u0301.py": b"", NAME: b""}),
        "has two members with nearly the same name, 'e\\u0301.py'.",
    ),
    "a link": (
        ".zip",
        lambda: zipped_as(entry(NAME, stat.S_IFLNK), data=b"/etc/passwd"),
        "has a link in it, 'attention_layer.py'. Pack files only.",
    ),
    "a link elsewhere": (".zip", lambda: zipped_as(entry("a", stat.S_IFLNK)), "has a link in it"),
    "a link in tar": (".tar", lambda: tarred_as(tarfile.SYMTYPE, target="/etc/passwd"), "has a l"),
    "a hard link": (".tar", lambda: tarred_as(tarfile.LNKTYPE, target="/etc/passwd"), "has a link"),
    "a device": (".tar", lambda: tarred_as(tarfile.CHRTYPE), "has a device in it"),
    "a device in zip": (".zip", lambda: zipped_as(entry(NAME, stat.S_IFCHR)), "has a device in it"),
    "a named pipe": (".tar", lambda: tarred_as(tarfile.FIFOTYPE), "has a device in it"),
    "a sparse file": (
        ".tar",
        lambda: tarred_as(tarfile.GNUTYPE_SPARSE),
        "has a member of type 'S'",
    ),
    "encrypted": (".zip", encrypted, "is encrypted. Pack it without a password."),
    "LZMA": (
        ".zip",
        lambda: zipped_as(entry(NAME, method=zipfile.ZIP_LZMA)),
        "is packed in an unusual way.",
    ),
    "a name in another encoding": (
        ".zip",
        lambda: renamed(zipped({"\xe9\xe9": b""}), "\xe9\xe9".encode(), b"\xe9\xe9\xe9\xe9"),
        "has a member whose name is not UTF-8.",
    ),
    "a bomb": (
        ".zip",
        lambda: zipped({NAME: BOMB}),
        ": attention_layer.py is too large; it may have 200 kB.",
    ),
    "a bomb that says it is small": (
        ".zip",
        lambda: with_declared_size(zipped({NAME: BOMB}), 100),
        "cannot be read as an archive (Bad CRC-32",
    ),
    "a bomb that is a tar": (
        ".tgz",
        lambda: gzip.compress(tarred({NAME: BOMB})),
        "unpacks to more than 50 MB.",
    ),
    "several members of which each may be": (
        ".zip",
        lambda: zipped({f"multi_head{i}.ipynb": b"x" * 19_000_000 for i in range(3)}),
        "unpacks to more than 50 MB.",
    ),
    "many members": (
        ".zip",
        lambda: zipped({f"{i}": b"" for i in range(archives.MAX_MEMBERS + 1)}),
        "has more than 3",
    ),
    "many members in tar": (
        ".tar",
        lambda: tarred({f"{i}": b"" for i in range(archives.MAX_MEMBERS + 1)}),
        f"has more than {archives.MAX_MEMBERS} members.",
    ),
    "many members behind a ZIP64 record": (
        ".zip",
        lambda: with_zip64(zipped({f"{i}": b"" for i in range(archives.MAX_MEMBERS + 1)})),
        f"has more than {archives.MAX_MEMBERS} members.",
    ),
    "a long directory": (".zip", with_long_directory, "is packed in an unusual way."),
    "a long directory of ZIP64": (
        ".zip",
        lambda: with_zip64(with_long_directory()),
        "is packed in an unusual way.",
    ),
    "a long directory of ZIP64 that the other record calls short": (
        ".zip",
        lambda: with_zip64(with_long_directory(), is_only=False),
        "is packed in an unusual way.",
    ),
    "members over each other of ZIP64": (
        ".zip",
        lambda: with_zip64(overlapping()),
        "has members that overlap.",
    ),
    "a bomb of ZIP64": (
        ".zip",
        lambda: with_zip64(zipped({NAME: BOMB})),
        ": attention_layer.py is",
    ),
    "members over each other": (".zip", overlapping, "has members that overlap."),
    "a header of which a byte was changed": (
        ".tar",
        lambda: renamed(tarred({NAME: b"x = 1"}), b"attention_layer", b"Attention_layer"),
        "cannot be read as an archive (a header is damaged)",
    ),
    "a negative size": (
        ".tar",
        lambda: header(NAME.encode(), b"0", b"-0000001000"),
        "(a header is damaged)",
    ),
    "a huge size": (
        ".tar",
        lambda: header(NAME.encode(), b"0", b"\x80" + b"\xff" * 11),
        "cannot be read as an archive (a header is damaged)",
    ),
    "a size beyond its end": (".tar", lambda: header(NAME.encode(), b"0", b"0" * 10 + b"7"), "cut"),
    "a long extended header": (
        ".tar",
        lambda: extended(b"1" * 1_000_000),
        "cannot be read as an archive (a header is too long)",
    ),
    "an extended header of digits": (".tar", lambda: extended(b"1" * 60_000), "is damaged"),
    "an extended header that stands still": (".tar", lambda: extended(b"0 path=x\n"), "is damaged"),
    "headers without a file": (
        ".tar.gz",
        lambda: gzip.compress(header(b"x", b"x", b"%011o" % 9, b"9 path=x\n") * 5),
        "cannot be read as an archive (it has too many headers)",
    ),
    "a header of many lines": (
        ".tar",
        lambda: extended(b"6 a=b\n" * 101),
        "cannot be read as an archive (a header has too many lines)",
    ),
    "many streams": (
        ".tar.gz",
        lambda: gzip.compress(b"") * 10_001 + gzip.compress(tarred({NAME: b"x = 1"})),
        "is packed in an unusual way.",
    ),
    "archives in it that unpack to more than it may": (
        ".zip",
        lambda: zipped({f"{i}.tgz": gzip.compress(tarred({"a": HALF})) for i in range(3)}),
        "unpacks to more than 16 MB.",
    ),
    "archives in it of which each may be": (
        ".zip",
        lambda: zipped({f"{i}.zip": STORED for i in range(3)}),
        "unpacks to more than 50 MB.",
    ),
    "an extended size": (".tar", lambda: extended(b"11 size=99\n"), "a sparse or a huge member"),
    "cut off": (".zip", lambda: zipped({NAME: b"x" * 5000})[:60], "cannot be read as an archive ("),
    "cut off in the middle": (".tar.gz", lambda: tarred({NAME: b"x"}, mode="w:gz")[:-20], "cannot"),
    "damaged": (".zip", lambda: renamed(zipped_as(entry(NAME)), b"x = 1", b"x = 2"), "Bad CRC-32"),
    "something in front": (
        ".zip",
        lambda: b"#!/bin/sh\n" + zipped({NAME: b"x = 1"}),
        "has something in front of the archive, like one that unpacks itself. Pack it again",
    ),
    "much in front": (
        ".zip",
        lambda: b"MZ" + b"x" * 1000 + zipped({NAME: b"x = 1"}),
        "has something in front of the archive",
    ),
    "not one": (".zip", lambda: b"x = 1\n" * 200, "cannot be read as an archive (a header is dam"),
    "empty": (".tar", lambda: b"", "cannot be read as an archive (it is too short)"),
    "huge": (".zip", lambda: bytes(25_000_001), "has 25.0 MB; an archive may have 25 MB."),
}


@pytest.mark.parametrize("name", BAD)
def test_what_nobody_means_to_hand_in_is_refused_in_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suffix, make, sentence = BAD[name]
    monkeypatch.setattr(archives, "MAX_ARCHIVE", 25_000_000)
    monkeypatch.setattr(archives, "MAX_CONTENT", 50_000_000)
    monkeypatch.setitem(WANTED, "multi_head0.ipynb", 20_000_000)
    monkeypatch.setitem(WANTED, "multi_head1.ipynb", 20_000_000)
    monkeypatch.setitem(WANTED, "multi_head2.ipynb", 20_000_000)
    with pytest.raises(Unreadable) as refusal:
        unpacked(tmp_path, make(), suffix)
    said = str(refusal.value)
    assert said.startswith(str(tmp_path / f"anna{suffix}"))
    assert sentence in said
    assert said.endswith(".")
    assert "\n" not in said
    assert said.isprintable()
    assert len(said) < len(str(tmp_path)) + 250


@pytest.mark.parametrize("name", ["a bomb", "a bomb that is a tar", "many members"])
def test_a_bomb_does_not_go_off(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_CONTENT", 50_000_000)
    suffix, make, _ = BAD[name]
    data = make()
    tracemalloc.start()
    with pytest.raises(Unreadable):
        unpacked(tmp_path, data, suffix)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2.5 * archives.MAX_CONTENT


# Archives that are all headers, by the number of headers, and why they are refused.
HEADERS: dict[str, tuple[Callable[[int], bytes], str]] = {
    "in front of a member": (
        lambda n: _headers(n) + tarred({NAME: b"x = 1"}),
        "too many headers",
    ),
    "that say of all": (
        lambda n: header(b"x", b"g", b"0") * n + tarred({NAME: b"x = 1"}),
        "too many headers",
    ),
    "in front of each": (
        lambda n: (_headers(4) + header(b"a", b"0", b"0")) * n,
        f"more than {archives.MAX_MEMBERS} members",
    ),
    "of many lines": (lambda n: extended(b"4 =\n" * n), "a header has too many lines"),
    "empty streams": (
        lambda n: gzip.compress(b"") * n + gzip.compress(tarred({NAME: b"x"})),
        "is packed in an unusual way",
    ),
}


def _headers(count: int) -> bytes:
    return header(b"x", b"x", b"%011o" % 9, b"9 path=x\n") * count


@pytest.mark.dear
@pytest.mark.parametrize("name", HEADERS)
def test_headers_without_end_cost_no_more_than_some(name: str, tmp_path: Path) -> None:
    """Count the work in lines of Python, whose number is the same on every machine."""
    make, reason = HEADERS[name]
    lines = []
    for count in (11_000, 16_000):  # headers
        path = tmp_path / "anna.tar.gz"
        made = make(count)
        path.write_bytes(made if made[:2] == archives.STREAM[:2] else gzip.compress(made))
        with _counted() as work, pytest.raises(Unreadable, match=reason):
            wanted_in(path)
        lines.append(work[0])
    assert lines[1] - lines[0] < 500  # for 5,000 more headers


@contextlib.contextmanager
def _counted() -> Iterator[list[int]]:
    """Count the lines of Python that are run."""
    work = [0]

    def line(*_: object) -> Any:
        work[0] += 1
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        yield work
    finally:
        sys.settrace(before)


def test_a_large_member_that_is_not_compressed_is_read(tmp_path: Path) -> None:
    """A member without compression may be longer than a list of members may be."""
    data = b" " * (archives.MAX_DIRECTORY + 1)
    packed = zipped_as(entry("multi_head.ipynb"), data=data)
    assert unpacked(tmp_path, packed) == {"multi_head.ipynb": data}


@pytest.mark.dear
def test_a_member_that_nobody_wants_is_not_unpacked(tmp_path: Path) -> None:
    """Its content does not matter."""
    data = zipped({NAME: b"x = 1", "video.mp4": BOMB, "inner.zip": zipped({NAME: BOMB})})
    tracemalloc.start()
    assert unpacked(tmp_path, data) == {NAME: b"x = 1"}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000


@pytest.mark.dear
@brief
@given(st.data())
def test_a_damaged_archive_is_read_or_refused(tmp_path_factory: Any, data: st.DataObject) -> None:
    way = data.draw(st.sampled_from(sorted(WAYS)))
    suffix, pack = WAYS[way]
    made = bytearray(pack({NAME: b"x = 1", "a/b": b"y" * 600}))
    for _ in range(data.draw(st.integers(1, 6))):
        made[data.draw(st.integers(0, len(made) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / f"damaged{suffix}"
    path.write_bytes(made)
    try:
        wanted_in(path)
    except Unreadable as refusal:
        assert str(refusal).endswith(".")


def test_an_archive_beside_other_files_is_read_only_if_asked(tmp_path: Path) -> None:
    """Its files never take the place of others, nor others theirs."""
    path = tmp_path / "kit.zip"
    inner = zipped({NAME: b"inner", "w/other.py": b"inner"})
    path.write_bytes(zipped({"in.zip": inner, f"in/{NAME}": b"outer", NAME: b"top"}))

    def most(name: str) -> int:
        return 100 if name.endswith(".py") else 0

    assert {*archives.contents(path, most)} == {f"in/{NAME}", NAME}
    found = archives.contents(path, most, within=lambda _: 0)
    assert {*found} == {f"in/{NAME}", NAME, f"in.zip/{NAME}", "in.zip/w/other.py"}
    assert found[f"in/{NAME}"] == b"outer"
