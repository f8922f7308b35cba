"""Only plain files are opened, whatever lies in their place."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from autograder import plain_file
from autograder.plain_file import NotPlain, TooLarge


def test_a_plain_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\r\n\0")
    assert plain_file.read(path, 3) == b"\r\n\0"
    with pytest.raises(TooLarge) as caught:
        plain_file.read(path, 2)
    assert caught.value.size == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no such files")
def test_nothing_else_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    os.mkfifo("pipe")
    os.mkdir("folder")
    os.symlink(__file__, "link")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    kinds = {
        "pipe": "a named pipe",
        "folder": "a folder",
        "link": "a link",
        "socket": "a socket",
        "/dev/null": "a device",
    }
    for path, kind in kinds.items():
        with pytest.raises(NotPlain, match=kind):
            plain_file.read(Path(path), 10)


def test_one_that_grows_meanwhile_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "file").write_bytes(b"12345")
    (small := tmp_path / "small").write_bytes(b"123")
    before = os.lstat(small)
    monkeypatch.setattr(os, "fstat", lambda descriptor: before)
    with pytest.raises(TooLarge):
        plain_file.read(path, 3)
