"""Find submissions on disk and read them, as text and within limits; nothing is run here."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import assignments

MAX_SOURCE = 200_000  # bytes of one module


class Unreadable(Exception):
    """A submission cannot be read; the text says why and what to do."""


@dataclass(frozen=True)
class Submission:
    """A module that was handed in, and the modules beside it that it may import.

    assignment is None while nothing says which one it is. problem: why it cannot be read.
    """

    name: str
    path: Path
    assignment: str | None
    texts: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def stem(self) -> str:
        return self.path.stem


def find(path: Path, assignment: str | None) -> list[Submission]:
    """The submissions at a path: a module, or a folder of modules, one submission each.

    In a folder, modules named after assignments are taken; where there are none, and the
    assignment is given, each module is. One that cannot be read has a problem instead of text.
    """
    if not path.is_dir():
        return [_read(path, assignment)]
    named = [path / f"{name}.py" for name in assignments() if (path / f"{name}.py").exists()]
    wanted = [module for module in named if assignment in (None, module.stem)]
    if not named and assignment:
        wanted = sorted(path.glob("*.py"))
    if wanted:
        return [_read(module, assignment) for module in wanted]
    names = [assignment] if assignment else assignments()
    text = f"{path} holds no submission: expected {' or '.join(f'{name}.py' for name in names)}."
    return [Submission(path.name, path, assignment, problem=text)]


def _read(path: Path, assignment: str | None) -> Submission:
    known = path.stem in assignments()
    name = path.absolute().parent.name if known else path.stem
    assignment = assignment or (path.stem if known else None)
    try:
        texts = {path.stem: read_source(path)}
    except Unreadable as problem:
        return Submission(name, path, assignment, problem=str(problem))
    for sibling in assignments():
        beside = path.parent / f"{sibling}.py"
        if sibling != path.stem and beside.exists():
            try:
                texts[sibling] = read_source(beside)
            except Unreadable:
                continue  # said in its own grade; here it counts as not handed in
    return Submission(name, path, assignment, texts)


def read_source(path: Path) -> str:
    """A module's text. Raises Unreadable with a sentence."""
    if not path.exists():
        raise Unreadable(f"There is no file {path}.")
    if not path.is_file():
        raise Unreadable(f"{path} is not a file.")
    if path.suffix == ".ipynb":
        raise Unreadable(f"{path} is a notebook; hand in the module {path.stem}.py.")
    if path.suffix != ".py":
        raise Unreadable(f"{path} is not a Python module; expected a name ending in .py.")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SOURCE + 1)
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from None
    if len(data) > MAX_SOURCE:
        size = path.stat().st_size
        raise Unreadable(
            f"{path} has {size / 1e6:.1f} MB; a module may have {MAX_SOURCE // 1000} kB. "
            "Take out data that was pasted in."
        )
    return decode_source(data, path)


def decode_source(data: bytes, path: Path) -> str:
    """The text of Python source, in UTF-8 or what its coding line says. Raises Unreadable."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        line = data[: _undecodable(data)].count(b"\n") + 1
        raise Unreadable(f"{path} is not UTF-8 text (line {line}). Save it as UTF-8.") from None
    if "\0" in text:
        raise Unreadable(f"{path} contains NUL bytes; it is not a text file.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _undecodable(data: bytes) -> int:
    """Where the first byte stands that is not UTF-8; 0 where something else is wrong."""
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        return problem.start
    return 0
