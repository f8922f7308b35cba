"""Describe exceptions of a submission's code as data: what failed, and where."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from typing import Any

from autograder.runtime.own_files import ROOT
from autograder.runtime.standin import NotThere
from autograder.runtime.statements import definitions
from autograder.runtime.substitute import Unsuited

TEXT_LIMIT = 500  # characters of an exception's text or of a line of code
NO_MEMORY = ("can't allocate memory", "std::bad_alloc")  # in PyTorch's error messages


class Unavailable(NotImplementedError):
    """A submission used an exercise of another module that is missing."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} is missing: {reason}")
        self.name = name


class TimeUp(BaseException):
    """The time for a question is over. Raised in the line of the student's code that is running.

    place: file and line of the statement of a notebook that was stopped, if it was.
    """

    place: tuple[str, int] | None = None


class Problems:
    """Exceptions of one submission, described as data.

    files: its texts by their names. lost: the errors that left names undefined, by these names.
    """

    def __init__(self, files: dict[str, str], lost: Mapping[str, BaseException]) -> None:
        self._files = files
        self._lost = lost
        self._spans: dict[str, list[tuple[int, int, str]]] = {}

    def described(self, error: BaseException) -> dict[str, Any]:
        """Return an exception as data: its kind, type, text, and the frames of student code."""
        frames = self._frames(error)
        kind, cause = "raised", cause_of(error, self._lost)
        text = error.msg if isinstance(error, SyntaxError) and error.msg else error
        if isinstance(cause, NotThere):
            kind, text = "not_there", cause.name or ""
        elif cause is not error:
            text = f"{text_of(error)}, since {self._first(cause)}"
        elif isinstance(error, NotImplementedError) and self._is_innermost(error, frames):
            kind = "unwritten"
        elif isinstance(error, Unsuited):
            kind = "unsuited"
        elif isinstance(error, SyntaxError) and error.filename in self._files:
            kind, frames = "syntax", [self._frame(error.filename, error.lineno or 1)]
        elif isinstance(error, SystemExit):
            kind = "exit"
        elif isinstance(error, TimeUp):
            kind = "timeout"
        elif isinstance(error, MemoryError) or any(said in text_of(error) for said in NO_MEMORY):
            kind = "memory"
        where = error.name if isinstance(error, Unavailable) else ""
        if isinstance(error, Unsuited):
            where = error.exercise
        return {
            "kind": kind,
            "type": type(error).__name__[:TEXT_LIMIT],
            "text": text_of(text).replace(f"{ROOT}/", ""),
            "frames": frames[-5:],
            "where": where or (frames[-1]["where"] if frames else ""),
        }

    def _frames(self, error: BaseException) -> list[dict[str, Any]]:
        return [
            self._frame(frame.f_code.co_filename, line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename in self._files
        ]

    def _first(self, cause: BaseException) -> str:
        """Describe the line that raised an exception at the top level, and its message."""
        what = f"{type(cause).__name__}: {text_of(cause)}"
        frames = self._frames(cause)
        if isinstance(cause, TimeUp) and cause.place:
            return f"`{self._frame(*cause.place)['code']}` was {text_of(cause)}"
        return f"`{frames[0]['code']}` raised {what}" if frames else f"of a {what}"

    def _frame(self, file: str, line: int) -> dict[str, Any]:
        lines = self._files[file].split("\n")
        code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return {
            "file": file,
            "line": line,
            "code": code[:TEXT_LIMIT],
            "where": self._at(file, line),
        }

    def _is_innermost(self, error: BaseException, frames: list[dict[str, Any]]) -> bool:
        """Return whether a `raise` in the student's own code raised this, or Unavailable did."""
        if isinstance(error, Unavailable):
            return True
        last = list(traceback.walk_tb(error.__traceback__))[-1][0].f_code.co_filename
        raises = bool(frames) and re.search(r"(^|[:;]\s*)raise\b", frames[-1]["code"])
        return last in self._files and bool(raises)

    def _at(self, file: str, line: int) -> str:
        """Return the name of the top-level class or function that contains a line, or ""."""
        if file not in self._spans:
            self._spans[file] = definitions(self._files[file])
        return next((name for first, last, name in self._spans[file] if first <= line <= last), "")


def cause_of(error: BaseException, lost: Mapping[str, BaseException]) -> BaseException:
    """Return why a NameError's name is undefined, if its definition raised, or else the error."""
    return lost.get(error.name or "", error) if isinstance(error, NameError) else error


def text_of(error: object) -> str:
    """Return the beginning of an exception's text."""
    try:
        return str(error)[:TEXT_LIMIT]
    except BaseException as worse:  # the student's own __str__ failed
        return f"(its text cannot be shown: {type(worse).__name__})"
