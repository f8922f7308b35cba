"""Downloads of submissions as websites make them, and what is taken in from them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.cli.main import main

Files = Mapping[str, str | bytes]


def zipped(files: Files) -> bytes:
    """Return the bytes of a zip archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def download(folder: Path, files: Files, unpacked: bool = False) -> Path:
    """Write a download: a zip archive, or the folder that it unpacks to."""
    path = folder / ("download" if unpacked else "download.zip")
    if not unpacked:
        path.write_bytes(zipped(files))
        return path
    path.mkdir()
    for name, data in files.items():
        place = path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


class Intake:
    """Calls the verb in this process. code, out, err: what came of the last call."""

    def __init__(self, captured: pytest.CaptureFixture[str]) -> None:
        self._captured = captured
        self.code, self.out, self.err = 0, "", ""

    def __call__(self, *arguments: str | Path) -> None:
        self._captured.readouterr()
        try:
            self.code = main(["intake", *map(str, arguments)])
        except SystemExit as usage:
            self.code = int(usage.code or 0)
        self.out, self.err = self._captured.readouterr()

    def refused(self, *arguments: str | Path) -> str:
        """Return the sentence with which the call is refused as a whole."""
        self(*arguments)
        assert (self.code, self.out) == (4, "")
        return self.err


def inside(folder: Path) -> dict[str, str]:
    """Return what is in a class's folder: files by their names, and empty folders, with / ."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and "/" in name:
            found[name] = path.read_bytes().decode(errors="replace")
        elif path.is_dir() and not [*path.iterdir()]:
            found[f"{name}/"] = ""
    return found
