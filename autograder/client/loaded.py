"""A module's texts, and what came of loading it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.client import answers
from autograder.client.answers import Problem
from autograder.cpu_limit import OutOfTime
from autograder.runtime.protocol import Garbled
from autograder.runtime.source import Code, Source

SLOW = frozenset({"timeout", "killed"})  # problems of time
ASKED_AGAIN = SLOW | {"sigkill"}  # once, since the machine may be at fault
STOPS = ASKED_AGAIN | {"crashed", "left", "garbled", "spent"}  # the rest of the module did not run
# In the grader, these say nothing about the code that was running, and its answer is not kept.
FATAL = (OutOfTime, MemoryError, KeyboardInterrupt)
STOPPED = 100  # statements of a notebook that take too long
MISSING = 10  # missing packages that are named


@dataclass(frozen=True)
class EditWanted:
    """One of the edits that a child makes of a submission's text, see runtime.edits.

    name: the class or function to edit. number: of the edit. others: definitions not to edit.
    """

    name: str
    number: int
    others: tuple[str, ...]


@dataclass(frozen=True)
class ValueWanted:
    """The edit that makes a call end with what it assigns in a line, see runtime.edits.returned.

    name: the class or function. cell: the index of the part that has the line.
    """

    name: str
    cell: int
    line: int


@dataclass(frozen=True)
class Edited:
    """Where a child has edited a text: the index of the part, the line in it, and the rank.

    origins: lines that assign what the edited text reads no more.
    """

    cell: int
    line: int
    rank: int
    origins: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Text:
    """The texts of a submission or solution and their places, as for Source.

    stem: the name of the main module. edit: how the child edits it before it is loaded. needed: if
    there are any, of a notebook only that is run which these names need, each statement in its own
    time. stopped: statements of it that take too long, by label and number.
    """

    stem: str
    texts: Mapping[str, Code]
    siblings: tuple[str, ...]
    homes: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ("",)
    edit: EditWanted | ValueWanted | None = None
    needed: tuple[str, ...] = ()
    stopped: tuple[tuple[str, int], ...] = ()

    def source(self, substitutes: Mapping[str, Callable[..., Any]] | None = None) -> Source:
        """Return a Source to run in this process. Only for trusted code."""
        return Source(self.stem, self.texts, list(self.siblings), substitutes, FATAL)


@dataclass(frozen=True)
class Loaded:
    """The result of loading a submission's module: the names that it defined, and any problem.

    written: the names that its text defines, if there was a problem. deleted: those of them that it
    deletes. missing: the packages that it imports and the grader does not have. edited: where the
    text was edited, if it was. stopped: statements that took too long, by label and number.
    went_on: all others have run. left_out: the names that statements bind which were not run, since
    `Text.needed` does not need them. ran_needed: all other statements have run; the problem is that
    of a first attempt with all.
    """

    names: frozenset[str]
    problem: Problem | None
    written: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    edited: Edited | None = None
    stopped: tuple[tuple[str, int], ...] = ()
    went_on: bool = False
    left_out: frozenset[str] = frozenset()
    ran_needed: bool = False

    @property
    def ended(self) -> Problem | None:
        """The problem that has ended the module before all that is needed of it ran, if any."""
        has_ended = self.problem is not None and self.problem.kind in STOPS
        return self.problem if has_ended and not (self.ran_needed or self.went_on) else None


def read_report(report: Any) -> Loaded:
    """Read a child's report on its module. Raises Garbled."""
    match report:
        case {"problem": None, "names": names}:
            known, left_out = frozenset(answers.words(names)), _left_out(report)
            missing, edited = _missing(report), _edited(report)
            return Loaded(known, None, missing=missing, edited=edited, left_out=left_out)
        case {"problem": problem, "names": names, "written": written}:
            return Loaded(
                frozenset(answers.words(names)),
                answers.problem(problem),
                frozenset(answers.words(written)),
                frozenset(answers.words(report.get("deleted", []))),
                _missing(report),
                _edited(report),
                left_out=_left_out(report),
                stopped=_stopped(report),
                went_on=bool(report.get("stopped")) and not report.get("ended"),
            )
    raise Garbled("malformed report on its module")


def _edited(report: dict[Any, Any]) -> Edited | None:
    match report.get("edited"):
        case {"cell": int(cell), "line": int(line), "rank": int(rank), "origins": [*origins]}:
            return Edited(cell, line, rank, frozenset(n for n in origins if isinstance(n, int)))
    return None


def _stopped(report: dict[Any, Any]) -> tuple[tuple[str, int], ...]:
    """Return the statements that were stopped in a slow notebook."""
    match report:
        case {"stopped": [*found]} if len(found) < STOPPED:
            return tuple((one[0], one[1]) for one in found if _is_statement(one))
    return ()


def _is_statement(found: object) -> bool:
    match found:
        case [str(), int()]:
            return True
    return False


def _left_out(report: dict[Any, Any]) -> frozenset[str]:
    return frozenset(answers.words(report.get("left_out", [])))


def _missing(report: dict[Any, Any]) -> tuple[str, ...]:
    named = answers.words(report.get("missing", []))
    return tuple(filter(str.isidentifier, named[:MISSING]))
