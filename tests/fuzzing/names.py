"""Names and contents of files, as a hostile student would choose them."""

from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from collections.abc import Sequence

from hypothesis import strategies as st

NAME = "running_averages"
CODE = "def running_mean_loop(x):\n    return x\n"
BOOK = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": CODE}]})
PIECES = (
    "+", ",", ".", "..", "-", "_", " ", "'", "(", ")", "@", "~", "%", "$", "*", "?", "[", "]", "{",
    "}", "\\", "\n", "\t", "\r", "\x1b[2J", "\x7f", "\x00", "/", ":", "|", "<b>", "&", '"', "`",
    "\u202e", "\u2066", "\u200b", "\ufeff", "\u00a0", "\u3000", "\uff41", "\uff0f", "\uff0c",
    "\u2024", "\u0301", "\u0308\u0304", "\u1100\u1161\u11a8", "\u00df", "\u0390", "\u0130",
    "\u017f", "\U0001d41a", "\u2028", "\x85", "\udc80", "\ud800", "CON", "nul", "COM1", "LPT0",
    "con.", "aux ", "a", "Z", "1", "0", NAME, ".py", ".ipynb", ".zip", ".tar.gz", ".txt", "_1_2_",
    "_LATE_1_2_", "_3_assignsubmission_file_", "-1", " (1)", "-checkpoint", "__MACOSX",
)  # fmt: skip
WHOLE = (
    "anna", "Anna", "ANNA", "\uff41nna", "a\u0301nna", "\xe1nna", "mallory", "mallory,anna", "a+b",
    "CON", "con.txt", "NUL", "COM1.py", ".", "..", "...", "-rf", "~root", " ", "a ", "a.", "\u202e",
    "O'Neil", "Ida Sm\xf8rg", "\u738b\u5c0f\u660e", "\u0645\u062d\u0645\u062f", "x" * 120,
    "x" * 121, "x" * 255, "x" * 5000, "\u0301" * 200, "a" + "\u0301" * 100, "U\u0308\u0304" * 45,
    "U\u0308\u0304" * 51, "\u0390" * 50 + "a", "\u0390" * 50 + "b", "\u1100\u1161\u11a8" * 30,
    "\ufdfa" * 10, "\u00df" * 60, "1" * 100, "a_1" * 40, "_1_1" * 60, "submitted", ".kit",
    "timestamp.txt", "{student_id}", "%s", "*", "[a-z]*", "(?P<x>.*)", NAME, f"{NAME}.py",
)  # fmt: skip


@st.composite
def edited(draw: st.DrawFn, text: str, pieces: Sequence[str] = PIECES) -> str:
    """A text with one to three changes in it: something put in, left out or put twice."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from((0, 0, 1, 4)))
        times = draw(st.sampled_from((1, 1, 1, 2, 60)))
        text = text[:at] + draw(st.sampled_from(pieces)) * times + text[at + gone :]
    return text


names = st.one_of(
    st.sampled_from(WHOLE),
    st.sampled_from(WHOLE).flatmap(edited),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join),
    st.text(min_size=1, max_size=12),
)


def is_name(name: str) -> bool:
    """Return whether a folder of this machine can have an entry of this name."""
    try:
        size = len(os.fsencode(name))
    except UnicodeEncodeError:
        return False
    return name not in ("", ".", "..") and not {"/", "\0"} & {*name} and size <= 255


entries = names.filter(is_name)


def zipped(members: Sequence[tuple[str, str]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive; of names with lone surrogates, what can be written of them."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, text in members:
            known = name.encode(errors="replace").decode()[:60000].partition("\0")[0]
            archive.writestr(known or "x", text)
    return made.getvalue()


def tarred(members: Sequence[tuple[str, str]], mode: str = "w:gz") -> bytes:
    """A tar archive, packed or not."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode, format=tarfile.GNU_FORMAT) as archive:  # type: ignore[call-overload]
        for name, text in members:
            entry = tarfile.TarInfo(name.encode(errors="replace").decode().replace("\0", ""))
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return made.getvalue()


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with up to three of them changed, cut off, or put twice."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 3)):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + draw(st.binary(min_size=1, max_size=4)) + data[at + 1 :]
            case 2:
                data = data[:at] + data[at // 2 :]
            case _:
                data = data[:at] + b"\xff\xff\xff\xff" + data[at + 4 :]
    return data


members = st.lists(
    st.tuples(
        st.sampled_from((f"{NAME}.py", f"{NAME}.ipynb", f"work/{NAME}.py", "notes.txt", "x.zip"))
        | names
        | st.sampled_from((f"../{NAME}.py", f"/etc/{NAME}.py", f"extracted/anna/{NAME}.py", "d/")),
        st.sampled_from((CODE, BOOK, "", "x" * 100_000)),
    ),
    max_size=5,
)
packed = members.map(zipped) | members.map(tarred) | members.map(lambda m: tarred(m, "w"))
contents: st.SearchStrategy[bytes] = st.one_of(
    st.sampled_from((CODE.encode(), BOOK.encode(), b"", b"\0" * 100, b"\xff\xfe", b"%PDF-1.4")),
    packed,
    packed.flatmap(damaged),
    st.sampled_from((CODE.encode(), BOOK.encode())).flatmap(damaged),
    st.binary(max_size=60),
)
