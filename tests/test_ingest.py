"""What strangers hand in is read as bytes within limits, or refused in a sentence."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import socket
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.source_text import decode_source
from autograder.ingest import archives, ids, notebook, tar
from autograder.ingest.files import Unreadable, read

NAME = "attention_layer.py"
WANTED = {NAME: 200_000, "multi_head.ipynb": 20_000_000}
brief = settings(max_examples=200, deadline=None, derandomize=True, database=None)
posix = pytest.mark.skipif(os.name != "posix", reason="has no such files")


# Files


@posix
@pytest.mark.parametrize("kind", ["a link", "a folder", "a named pipe", "a socket", "a device"])
def test_what_is_no_file_is_refused_at_once(kind: str, tmp_path: Path) -> None:
    path = tmp_path / NAME
    match kind:
        case "a link":
            path.symlink_to("/etc/passwd")
        case "a folder":
            path.mkdir()
        case "a named pipe":
            os.mkfifo(path)
        case "a socket":
            socket.socket(socket.AF_UNIX).bind(str(path))
        case "a device":
            path = Path("/dev/zero")
    with pytest.raises(Unreadable) as refusal:
        read(path, 1000, "it", "Cut it.")
    assert str(refusal.value) == f"{path} is {kind}, not a file. Hand in the file itself."


@posix
def test_what_becomes_a_pipe_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    seen = os.lstat(tmp_path / "file")
    monkeypatch.setattr(os, "lstat", lambda _: seen)
    with pytest.raises(Unreadable, match="is a named pipe, not a file"):
        read(tmp_path / "pipe", 1000, "it", "Cut it.")


@posix
def test_what_becomes_a_link_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    seen = os.lstat(tmp_path / "file")
    monkeypatch.setattr(os, "lstat", lambda _: seen)
    with pytest.raises(Unreadable, match="cannot be read: Too many levels of symbolic links"):
        read(tmp_path / "link", 1000, "it", "Cut it.")


def test_no_more_is_read_than_there_may_be(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with path.open("wb") as file:
        file.truncate(10**12)  # takes no room on disk
    tracemalloc.start()
    with pytest.raises(Unreadable) as refusal:
        read(path, 200_000, "a module", "Cut it.")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(refusal.value) == f"{path} has 1000000.0 MB; a module may have 200 kB. Cut it."
    assert peak < 2_000_000


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read anything")
def test_what_may_not_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.touch(mode=0)
    with pytest.raises(Unreadable, match="cannot be read: Permission denied"):
        read(path, 1000, "it", "Cut it.")


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
    "tar": (".tar", tarred),
    "ustar": (".tar", lambda files: tarred(files, tarfile.USTAR_FORMAT)),
    "GNU tar": (".tar", lambda files: tarred(files, tarfile.GNU_FORMAT)),
    "tar.gz": (".tar.gz", lambda files: tarred(files, mode="w:gz")),
    "tgz": (".tgz", lambda files: gzip.compress(tarred(files, tarfile.GNU_FORMAT))),
}


def unpacked(folder: Path, data: bytes, suffix: str = ".zip") -> Files:
    path = folder / f"anna{suffix}"
    path.write_bytes(data)
    return archives.unpacked(path, WANTED)


FINE: dict[str, tuple[Files, list[str]]] = {
    "one": ({NAME: b"x = 1"}, [NAME]),
    "two and others": (
        {NAME: b"x = 1", "multi_head.ipynb": b"{}", "notes.txt": b"", "torch.py": b"evil"},
        [NAME, "multi_head.ipynb"],
    ),
    "in a folder": ({"work/": b"", f"work/{NAME}": b"x = 1", "work/a/b.txt": b""}, [NAME]),
    "of a Mac": (
        {f"Übung 1/{NAME}": b"x = 1", f"__MACOSX/Übung 1/._{NAME}": b"", "Übung 1/.DS_Store": b""},
        [NAME],
    ),
    "with dots": ({f"./{NAME}": b"x = 1", "./": b""}, [NAME]),
    "a long name": ({f"{'long' * 30}/{NAME}": b"x = 1"}, [NAME]),
    "deeper": ({f"a/b/{NAME}": b"x = 1"}, []),
    "beside a folder": ({f"a/{NAME}": b"x = 1", "b/c.txt": b""}, []),
    "at the top and in a folder": ({NAME: b"x = 1", f"a/{NAME}": b"y"}, [NAME]),
    "nothing": ({}, []),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FINE)
def test_archives_are_read_by_named_members(way: str, name: str, tmp_path: Path) -> None:
    suffix, pack = WAYS[way]
    files, wanted = FINE[name]
    if way == "ustar" and name == "a long name":
        files = {f"{'l' * 60}/{'m' * 60}/{NAME}": b"x = 1", "n": b""}
        wanted = []
    found = unpacked(tmp_path, pack(files), suffix)
    assert list(found) == wanted
    assert all(data == files.get(key, b"x = 1") for key, data in found.items())
    assert [path.name for path in tmp_path.iterdir()] == [f"anna{suffix}"]  # nothing is extracted


names = st.text(
    st.characters(codec="utf-8", exclude_characters="\0/\\:", exclude_categories=["Cs"]),
    min_size=1,
    max_size=120,
).filter(lambda name: name not in (".", ".."))


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
    """The archive with a name in it exchanged for one as long."""
    assert len(old) == len(new)
    assert old in archive
    return archive.replace(old, new)


def encrypted() -> bytes:
    """As zipfile sees it: the flag is what it goes by."""
    made = bytearray(zipped({NAME: b"x = 1"}))
    for start, place in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        made[made.index(start) + place] |= 1
    return bytes(made)


def with_declared_size(archive: bytes, size: int) -> bytes:
    """The archive that says of its only member that it has another size."""
    made = bytearray(archive)
    struct.pack_into("<I", made, made.index(b"PK\1\2") + 24, size)
    struct.pack_into("<I", made, made.index(b"PK\3\4") + 22, size)
    return bytes(made)


def overlapping() -> bytes:
    """Two entries in the directory for the same bytes."""
    made = zipped({NAME: b"x" * 1000, "multi_head.py": b"y"})
    directory = made.index(b"PK\1\2")
    second = made.index(b"PK\1\2", directory + 1)
    changed = bytearray(made)
    struct.pack_into("<I", changed, second + 42, 0)
    return bytes(changed)


def header(name: bytes, kind: bytes, size: bytes, content: bytes = b"") -> bytes:
    """A member of a tar archive, whatever it says."""
    made = bytearray(512)
    made[: len(name)] = name
    made[124 : 124 + len(size)] = size
    made[156:157] = kind
    made[257:265] = b"ustar\x0000"
    made[148:156] = b" " * 8
    made[148:155] = b"%06o\0" % sum(made)
    return bytes(made) + content + bytes(-len(content) % 512)


def extended(record: bytes) -> bytes:
    """A tar archive with this in an extended header in front of its file."""
    return header(b"x", b"x", b"%011o" % len(record), record) + tarred({NAME: b"x = 1"})


BOMB = bytes(60_000_000)
OUT = "which leads out of it. Pack it again with make submit."
BAD: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "absolute": (".zip", lambda: zipped({f"/{NAME}": b""}), OUT),
    "absolute in tar": (".tar", lambda: tarred({f"/tmp/{NAME}": b""}), OUT),
    "..": (".zip", lambda: zipped({f"a/../../{NAME}": b""}), OUT),
    ".. in tar": (".tar.gz", lambda: tarred({f"../{NAME}": b""}, mode="w:gz"), OUT),
    "backslash": (".tar", lambda: tarred({f"a\\..\\{NAME}": b""}), OUT),
    "backslash in zip": (
        ".zip",
        lambda: renamed(zipped({f"a-{NAME}": b""}), b"a-att", b"a\\att"),
        OUT,
    ),
    "drive": (".zip", lambda: zipped({f"C:{NAME}": b""}), OUT),
    "NUL": (
        ".zip",
        lambda: renamed(zipped({f"{NAME}-.exe": b""}), b".py-.exe", b".py\0.exe"),
        OUT,
    ),
    "an endless name": (".zip", lambda: zipped({"\u0301" * 2000: b""}), "with an endless name, "),
    "twice": (
        ".tar",
        lambda: tarred({NAME: b"x"})[:1024] + tarred({NAME: b"y"}),
        "has two members named 'attention_layer.py', or nearly so.",
    ),
    "twice but for the case": (".zip", lambda: zipped({NAME: b"", NAME.upper(): b""}), "has two"),
    "twice but for accents": (
        ".zip",
        lambda: zipped({"\xe9.py": b"", "e\u0301.py": b"", NAME: b""}),
        "has two members named 'e\\u0301.py', or nearly so.",
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
    "a name in another encoding in tar": (
        ".tar",
        lambda: header(b"\xe9.py", b"0", b"0" * 11),
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
    "many members": (".zip", lambda: zipped({f"{i}": b"" for i in range(1001)}), "has more than 1"),
    "many members in tar": (
        ".tar",
        lambda: tarred({f"{i}": b"" for i in range(1001)}),
        "has more than 1000 members.",
    ),
    "members over each other": (".zip", overlapping, "has members that lie over each other."),
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
    "an extended size": (".tar", lambda: extended(b"11 size=99\n"), "a sparse or a huge member"),
    "cut off": (".zip", lambda: zipped({NAME: b"x" * 5000})[:60], "cannot be read as an archive ("),
    "cut off in the middle": (".tar.gz", lambda: tarred({NAME: b"x"}, mode="w:gz")[:-20], "cannot"),
    "damaged": (".zip", lambda: renamed(zipped_as(entry(NAME)), b"x = 1", b"x = 2"), "Bad CRC-32"),
    "not one": (".zip", lambda: b"x = 1\n" * 200, "cannot be read as an archive (a header is dam"),
    "empty": (".tar", lambda: b"", "cannot be read as an archive (it is too short)"),
    "huge": (".zip", lambda: bytes(25_000_001), "has 25.0 MB; an archive may have 25 MB."),
}


@pytest.mark.parametrize("name", BAD)
def test_what_nobody_means_to_hand_in_is_refused_in_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suffix, make, sentence = BAD[name]
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
def test_a_bomb_does_not_go_off(name: str, tmp_path: Path) -> None:
    suffix, make, _ = BAD[name]
    data = make()
    tracemalloc.start()
    with pytest.raises(Unreadable):
        unpacked(tmp_path, data, suffix)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2.5 * archives.MAX_CONTENT


def test_a_member_that_nobody_wants_is_not_unpacked(tmp_path: Path) -> None:
    """Whatever is in it."""
    data = zipped({NAME: b"x = 1", "video.mp4": BOMB, "inner.zip": zipped({NAME: BOMB})})
    tracemalloc.start()
    assert unpacked(tmp_path, data) == {NAME: b"x = 1"}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000


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
        archives.unpacked(path, WANTED)
    except Unreadable as refusal:
        assert str(refusal).endswith(".")


# Ids


@pytest.mark.parametrize(
    "name",
    [
        "anna", "s01", "O'Brien, Mary_1234_assignsubmission_file_", "M\xfcller", "\u5f20\u4f1f",
        "\u0930\u093e\u092e", "mary.jane@example.org", "2024-11 (late)", "a" * 120, "7",
    ],
)  # fmt: skip
def test_names_that_are_ids(name: str) -> None:
    assert ids.checked(name) == ids.shown(name) == name


def test_accents_are_composed() -> None:
    assert ids.checked("Mu\u0308ller") == "M\xfcller"
    assert ids.key("Mu\u0308ller") == ids.key("M\xdcLLER")


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", ".hidden", "-rf", "=cmd|' /C calc'!A0", "+1", "@SUM(A1)", "a/b", "a\\b",
        "a\0b", "a\nb", "a\tb", "\x1b[2Janna", "a\u202eb", "a\u200bb", "<script>", "a&b", 'a"b',
        "anna ", "anna.", "NUL", "con.txt", "COM1", "a" * 121, "\xe9" * 61, "Z" + "\u0300" * 4,
        "caf\udce9", "anna\N{REPLACEMENT CHARACTER}", "C:", "a:b", "a*", "%00", "$HOME", "`id`",
        "\u0300", "a\u3000b", "x" * 100_000, "\u0301" * 100_000,
    ],
)  # fmt: skip
def test_names_that_are_none(name: str) -> None:
    """What is shown of them can be shown anywhere, and is nobody else's id."""
    with pytest.raises(ids.NoId) as refusal:
        ids.checked(name)
    shown = ids.shown(name)
    assert str(refusal.value).startswith(f"{shown} cannot be a student's id. Rename it. An id begi")
    assert shown.isprintable()
    assert len(shown) <= ids.MOST + 2
    shown.encode()
    with pytest.raises(ids.NoId):
        ids.checked(shown)
    ids.key(name)


@brief
@given(st.text(max_size=30))
def test_an_id_is_a_file_name_anywhere(name: str) -> None:
    shown = ids.shown(name)
    assert shown.isprintable()
    assert not set(shown) & set('/\\:*?"<>|\0')
    try:
        assert ids.checked(name) == shown
    except ids.NoId:
        assert ids.MARK in shown
    else:
        assert shown[0].isalnum()
        assert len(shown.encode()) <= ids.MOST


# Notebooks


def book(cells: str, more: str = "") -> bytes:
    return f'{{"nbformat": 4, "nbformat_minor": 5, "cells": {cells}{more}}}'.encode()


BOOKS: dict[str, tuple[bytes, str]] = {
    "nested without end": (book("[" * 5_000_000), "it has too many lists and objects"),
    "nested a little less": (book("[" * 100_000), "it is nested without end"),
    "many lists": (book("[" + "[]," * 6_000_000 + "[]]"), "it has too many lists and objects"),
    "a key twice": (book('[{"cell_type": "code", "source": "", "source": "x"}]'), "a key twice"),
    "a cell that is a number": (book("[5]"), "cell 1 has no kind or no text"),
    "a cell that is null": (book("[null]"), "cell 1 has no kind or no text"),
    "NaN for a text": (
        book('[{"cell_type": "code", "source": NaN}]'),
        "the text of cell 1 is none",
    ),
    "a kind that is a list": (book('[{"cell_type": [], "source": ""}]'), "cell 1 has no kind"),
    "lines that are numbers": (
        book('[{"cell_type": "a", "source": [1]}]'),
        "the text of cell 1 is",
    ),
    "a number without end": (book("[" + "9" * 10_000 + "]"), "Exceeds the limit"),
    "sheets of another kind": (book("[]", ', "worksheets": 5'), "it has no list of cells"),
    "a version that is a list": (b'{"nbformat": [], "cells": []}', "its format is not version 4"),
    "not UTF-8": (b"\xff", "it is not UTF-8"),
    "20 MB of nothing": (b" " * 20_000_000, "Expecting value: "),
}


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_no_notebook_is_said(name: str) -> None:
    data, sentence = BOOKS[name]
    with pytest.raises(notebook.Damaged, match=sentence):
        notebook.cells(data)


def test_what_is_not_code_may_be_anything() -> None:
    """NaN among the outputs is what plotting libraries write."""
    cell = {"cell_type": "code", "source": ["x = 1\n", "y = 2"], "metadata": 5, "outputs": [1e999]}
    found = notebook.cells(book(json.dumps([cell]), ', "metadata": [NaN, Infinity]'))
    assert found == [notebook.Cell("code", "x = 1\ny = 2", ())]


def test_half_a_character_in_a_text_is_left_to_its_cell() -> None:
    [cell] = notebook.cells(book('[{"cell_type": "code", "source": "\\ud800"}]'))
    assert cell.source == "\ud800"


def test_a_large_notebook_does_not_take_much_memory() -> None:
    """Of those within the limits, one that is hard on a reader."""
    data = book("[]", ', "metadata": [' + '"ab",' * 3_900_000 + "0]")
    assert len(data) < 20_000_000
    tracemalloc.start()
    notebook.cells(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400_000_000


# Text


@pytest.mark.parametrize("coding", ["utf-8", "latin-1", "cp1252", "iso-8859-15", "gbk", "ascii"])
def test_what_editors_write_is_decoded(coding: str) -> None:
    text = f"# -*- coding: {coding} -*-\n"
    assert decode_source(text.encode(coding), Path(NAME)) == text


@pytest.mark.parametrize("coding", ["punycode", "idna", "utf-7", "unicode_escape", "rot13", "zlib"])
def test_what_no_editor_writes_is_not(coding: str) -> None:
    """Some of these codecs take minutes for 200 kB, others hide what a file says."""
    codecs.lookup(coding)
    data = f"# coding: {coding}\n".encode() + b"a-" * 90_000
    with pytest.raises(Unreadable, match="is not UTF-8 text"):
        decode_source(data, Path(NAME))
