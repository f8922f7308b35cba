"""Strangers' files are read as bytes within limits, or refused with a sentence."""

from __future__ import annotations

import codecs
import errno
import json
import os
import socket
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.submissions import ids, notebook
from autograder.submissions.files import Unreadable, read
from autograder.submissions.finding import find
from autograder.submissions.source_text import decode_source

STEM = "attention_layer"
NAME = f"{STEM}.py"
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
    monkeypatch.setattr(os, "lstat", lambda path, dir_fd: seen)
    with pytest.raises(Unreadable, match="is a named pipe, not a file"):
        read(tmp_path / "pipe", 1000, "it", "Cut it.")


@posix
def test_what_becomes_a_link_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    seen = os.lstat(tmp_path / "file")
    monkeypatch.setattr(os, "lstat", lambda path, dir_fd: seen)
    with pytest.raises(Unreadable, match="cannot be read: Too many levels of symbolic links"):
        read(tmp_path / "link", 1000, "it", "Cut it.")


def test_no_more_is_read_than_there_may_be(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with path.open("wb") as file:
        file.truncate(10**12)  # a sparse file takes no space on disk
    tracemalloc.start()
    with pytest.raises(Unreadable) as refusal:
        read(path, 200_000, "a module", "Cut it.")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(refusal.value) == f"{path} has 1000000.0 MB; a module may have 200 kB. Cut it."
    assert peak < 2_000_000


def test_a_file_without_permission_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is raised by hand: the administrator may read every file."""

    def denied(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    path = tmp_path / NAME
    path.touch()
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(Unreadable, match="cannot be read: Permission denied"):
        read(path, 1000, "it", "Cut it.")


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
        "\u0300", "a\u3000b", "\uff41nna", "an\u2460", "\ufb01na", "x" * 100_000,
        "\u0301" * 100_000,
    ],
)  # fmt: skip
def test_names_that_are_none(name: str) -> None:
    """The shown text is safe everywhere, and is nobody else's id."""
    with pytest.raises(ids.NoId) as refusal:
        ids.checked(name)
    shown = ids.shown(name)
    assert str(refusal.value).startswith(f"{shown} cannot be a student's id. Rename it. ")
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
        assert shown and not ids.is_id(shown)
    else:
        assert shown[0].isalnum()
        assert len(shown.encode()) <= ids.MOST


# Notebooks


def book(cells: str, more: str = "") -> bytes:
    return f'{{"nbformat": 4, "nbformat_minor": 5, "cells": {cells}{more}}}'.encode()


BOOKS: dict[str, tuple[bytes, str]] = {
    "nested without end": (book("[" * 5_000_000), "it has too many lists and objects"),
    "nested a little less": (book("[" * 100_000), "it is nested too deeply"),
    "many lists": (book("[" + "[]," * 6_000_000 + "[]]"), "it has too many lists and objects"),
    "a key twice": (book('[{"cell_type": "code", "source": "", "source": "x"}]'), "a key twice"),
    "two lists of cells": (
        book("[]", ', "cells": [{"cell_type": "code", "source": "x = 1"}]'),
        "an object has a key twice, with different values",
    ),
    "two lists of cells, one escaped": (book("[]", ', "\\u0063ells": [null]'), "a key twice"),
    "a cell that is a number": (book("[5]"), "cell 1 has no kind or no text"),
    "NaN for a text": (
        book('[{"cell_type": "code", "source": NaN}]'),
        "the source of cell 1 is not text",
    ),
    "a kind that is a list": (book('[{"cell_type": [], "source": ""}]'), "cell 1 has no kind"),
    "lines that are numbers": (
        book('[{"cell_type": "a", "source": [1]}]'),
        "the source of cell 1 is",
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
    with pytest.raises(notebook.DamagedNotebook, match=sentence):
        notebook.cells(data)


def test_what_is_not_code_may_be_anything() -> None:
    """Plotting libraries write NaN into outputs."""
    cell = {"cell_type": "code", "source": ["x = 1\n", "y = 2"], "metadata": 5, "outputs": [1e999]}
    found = notebook.cells(book(json.dumps([cell]), ', "metadata": [NaN, Infinity]'))
    assert found == [notebook.Cell("code", "x = 1\ny = 2", ())]


BRACKETS = {"brackets": "[{", "quotes": '"[', "backslashes": "\\[", "both": '\\"[\\\\{\\"\\'}


@pytest.mark.parametrize("name", BRACKETS)
def test_what_stands_in_a_text_is_no_list(name: str) -> None:
    """A text takes no more memory for the brackets and quotes in it."""
    text = BRACKETS[name] * (2 * notebook.MOST_QUOTES // len(BRACKETS[name]))
    data = book(json.dumps([{"cell_type": "markdown", "source": text}] * 2))
    assert [cell.source for cell in notebook.cells(data)] == [text, text]
    many = json.dumps([text, *([[]] * (notebook.MOST_OPENED + 1))])
    with pytest.raises(notebook.DamagedNotebook, match="too many lists"):
        notebook.cells(book("[]", f', "metadata": {many}'))


def test_brackets_in_a_text_without_end_are_no_lists() -> None:
    text = "[" * (notebook.MOST_OPENED + 1)
    with pytest.raises(notebook.DamagedNotebook, match="Unterminated string"):
        notebook.cells(book(f'["\\"{text}'))


def test_half_a_character_in_a_text_is_left_to_its_cell() -> None:
    [cell] = notebook.cells(book('[{"cell_type": "code", "source": "\\ud800"}]'))
    assert cell.source == "\ud800"


@pytest.mark.dear
def test_a_large_notebook_does_not_take_much_memory() -> None:
    """Return a notebook within the limits that is hard to read."""
    data = book("[]", ', "metadata": [' + '"abcdefghijklmnopqrstuvwxyz012345678",' * 490_000 + "0]")
    assert len(data) < 20_000_000
    tracemalloc.start()
    notebook.cells(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400_000_000


def test_a_notebook_of_very_many_texts_is_refused() -> None:
    with pytest.raises(notebook.DamagedNotebook, match="too many texts"):
        notebook.cells(book("[]", ', "metadata": [' + '"ab",' * 600_000 + "0]"))


# Text


@pytest.mark.parametrize("coding", ["utf-8", "latin-1", "cp1252", "iso-8859-15", "gbk", "ascii"])
def test_what_editors_write_is_decoded(coding: str) -> None:
    text = f"# -*- coding: {coding} -*-\n"
    assert decode_source(text.encode(coding), Path(NAME)) == text


@pytest.mark.parametrize("coding", ["punycode", "idna", "utf-7", "unicode_escape", "rot13", "zlib"])
def test_what_no_editor_writes_is_not(coding: str) -> None:
    """Some of these codecs take minutes for 200 kB, others hide the text of a file."""
    codecs.lookup(coding)
    data = f"# coding: {coding}\n".encode() + b"a-" * 90_000
    with pytest.raises(Unreadable, match=f"but line 1 says that it is {coding!r}. Delete that"):
        decode_source(data, Path(NAME))
    with pytest.raises(Unreadable, match=r"is not UTF-8 text \(line 2\). Save it as UTF-8."):
        decode_source(data + b"\xe9", Path(NAME))


CODINGS: dict[str, tuple[bytes, int, str]] = {
    "that nobody knows": (b"# coding: klingon\n", 1, "klingon"),
    "that is undefined": (b"# coding: undefined\n", 1, "undefined"),
    "of bytes": (b"#!/usr/bin/python\r\n# -*- coding: hex -*-\r\n", 2, "hex"),
    "of wide letters": (b"\n# vim: set fileencoding=utf-16 :\nx = 1\n", 2, "utf-16"),
    "other than the mark's": (b"\xef\xbb\xbf# coding: latin-1\n", 1, "latin-1"),
    "of fewer letters": ("# coding: ascii\nx = 'é'\n".encode(), 1, "ascii"),
    "that has no such byte": ("# coding: cp1252\nx = 'Í'\n".encode(), 1, "cp1252"),
    "with a long name": (b"# coding: " + b"x" * 90_000, 1, "x" * 55 + "..."),
}


@pytest.mark.parametrize("name", CODINGS)
def test_an_encoding_line_is_named_where_the_text_is_utf_8(name: str) -> None:
    """To save the file as UTF-8 again would not help."""
    data, line, coding = CODINGS[name]
    said = f"{NAME} is UTF-8 text, but line {line} says that it is '{coding}'. Delete that line."
    with pytest.raises(Unreadable) as refused:
        decode_source(data, Path(NAME))
    assert str(refused.value) == said


def test_what_cannot_be_listed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is raised by hand: the administrator may list every folder."""
    for student in ("anna", "bob"):
        (tmp_path / student / STEM).mkdir(parents=True)
        (tmp_path / student / STEM / NAME).write_text("x = 1\n")
    closed, scandir, access, lexists = (tmp_path / "bob", os.scandir, os.access, os.path.lexists)

    def denied(path: str | Path) -> object:
        if Path(path) == closed:
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    monkeypatch.setattr(os, "access", lambda path, mode: path != closed and access(path, mode))
    monkeypatch.setattr(
        os.path, "lexists", lambda path: closed not in Path(path).parents and lexists(path)
    )
    for place, assignment in ((tmp_path, None), (tmp_path, STEM), (closed, None)):
        found = [one for one in find(place, assignment) if one.name == "bob"]
        assert found
        assert {one.problem for one in found} == {f"{closed} cannot be read: Permission denied."}


@posix
@pytest.mark.parametrize("target", ["x" * 300, "aaa.py"])
@pytest.mark.parametrize("with_assignment", [True, False])
def test_a_link_that_leads_nowhere_is_refused_alone(
    with_assignment: bool, target: str, tmp_path: Path
) -> None:
    (tmp_path / "anna" / STEM).mkdir(parents=True)
    (tmp_path / "anna" / STEM / NAME).write_text("x = 1\n")
    (tmp_path / "aaa.py").symlink_to(target)
    found = {one.name: one.problem for one in find(tmp_path, STEM if with_assignment else None)}
    assert found["anna"] == ""
    assert not with_assignment or "is a link" in found["aaa"]
    assert all(one.problem for one in find(tmp_path / "aaa.py", STEM))
