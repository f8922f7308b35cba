"""Archives and notebooks that hold more, or other things, than they seem to."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

NAME = "running_averages"
STOLEN = f"{NAME}.py"
WRONG = "def running_mean_loop(x):\n    return x\n"


def _zipped(place: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(place / "mallory.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)


def _tarred(place: Path, *entries: tarfile.TarInfo) -> None:
    with tarfile.open(place / "mallory.tar.gz", "w:gz") as packed:
        for entry in entries:
            packed.addfile(entry, io.BytesIO(b"x" * entry.size))


def _notebook(place: Path, cells: list[dict[str, object]], **more: object) -> None:
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}
    (place / "mallory.ipynb").write_text(json.dumps(whole), "utf-8")


def _cell(source: object, kind: str = "code", **more: object) -> dict[str, object]:
    return {"cell_type": kind, "source": source, "metadata": {}, "outputs": [], **more}


def paths_that_lead_out(place: Path, secret: Path) -> None:
    """Hands in an archive whose entries lie in other students' folders."""
    names = ("../anna.py", "/anna.py", "..\\zoe.py", f"extracted/anna/{STOLEN}", "C:/anna.py")
    _zipped(place, dict.fromkeys(names, b"raise SystemExit\n"))


def bomb(place: Path, secret: Path) -> None:
    """Hands in an archive of a few kilobytes whose file has a gigabyte."""
    _zipped(place, {STOLEN: b"#" * (64 << 20), **{f"{n}.py": b"#" * (32 << 20) for n in range(8)}})


def nested(place: Path, secret: Path) -> None:
    """Hands in archives in archives."""
    content, name = WRONG.encode(), STOLEN
    for number in range(40):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, content)
        content, name = packed.getvalue(), f"{number}.zip"
    (place / "mallory.zip").write_bytes(content)


def links_in_an_archive(place: Path, secret: Path) -> None:
    """Hands in an archive whose entries are links to the solution, pipes and devices."""
    found = []
    for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE)):
        entry = tarfile.TarInfo(STOLEN if not number else f"{number}.py")
        entry.type, entry.linkname = kind, str(secret / STOLEN)
        found.append(entry)
    _tarred(place, *found)


def headers_without_end(place: Path, secret: Path) -> None:
    """Hands in an archive of headers that take long to be read."""
    entry = tarfile.TarInfo("x" * 90)
    entry.pax_headers = {f"k{n}": "v" * 90 for n in range(1000)}
    with tarfile.open(place / "mallory.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as packed:
        for _ in range(10):
            packed.addfile(entry)


def two_of_one_name(place: Path, secret: Path) -> None:
    """Hands in an archive with two files of one name, of which readers see different ones."""
    with zipfile.ZipFile(place / "mallory.zip", "w") as packed:
        for text in (WRONG, "raise SystemExit\n"):
            packed.writestr(STOLEN, text)


def deep_notebook(place: Path, secret: Path) -> None:
    """Hands in a notebook that is a hundred thousand lists in one another."""
    (place / "mallory.ipynb").write_text("[" * 100_000 + "]" * 100_000, "utf-8")


def notebook_of_commands(place: Path, secret: Path) -> None:
    """Hands in a notebook of magics and commands that read the solution and run in a shell."""
    lines = f"!cp {secret / STOLEN} mine.py\n%run {secret / STOLEN}\n%load_ext autoreload\n"
    _notebook(place, [_cell(lines), _cell(f"%%bash\ncat {secret / STOLEN}"), _cell(WRONG)])


def notebook_of_many_cells(place: Path, secret: Path) -> None:
    """Hands in a notebook of thirty thousand cells, most of them without code."""
    _notebook(place, [_cell("*a" * 20, "markdown")] * 30_000 + [_cell(WRONG)])


def notebook_of_odd_parts(place: Path, secret: Path) -> None:
    """Hands in a notebook whose cells, sources and metadata are of other types than they say."""
    odd: list[object] = [7, None, [["x"]], {"a": 1}, ["a", 7], "\x00", "\ud800"]
    _notebook(place, [_cell(source) for source in odd], metadata=7, nbformat="x")


def notebook_and_module(place: Path, secret: Path) -> None:
    """Hands in both a module and a notebook that sleep, to have the time for each."""
    slow = "import time\ntime.sleep(0.45)\ndef running_mean_loop(x):\n    time.sleep({})\n"
    (place / "mallory").mkdir()
    (place / "mallory" / STOLEN).write_text(slow.format(0.4), "utf-8")
    _notebook(place / "mallory", [_cell(slow.format(0.3))])
    (place / "mallory" / "mallory.ipynb").rename(place / "mallory" / f"{NAME}.ipynb")
