"""A file is written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder import whole_file


def test_text_and_bytes_arrive_as_they_are(tmp_path: Path) -> None:
    whole_file.write(tmp_path / "text", "ä\r\n")
    whole_file.write(tmp_path / "bytes", b"\0", 0o640)
    assert (tmp_path / "text").read_bytes() == "ä\r\n".encode()
    assert (tmp_path / "bytes").read_bytes() == b"\0"


@pytest.mark.skipif(os.name != "posix", reason="other permissions")
def test_permissions(tmp_path: Path) -> None:
    for mode in (0o600, 0o644):
        whole_file.write(tmp_path / "file", "", mode)
        assert (tmp_path / "file").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_failure_leaves_the_old_contents_alone(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise OSError("No space left on device")

    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space"):
        whole_file.write(path, "new")
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]
