"""Three graders of ten lines, as careful teachers write them, to compare with this one.

They run code in this process, so they must never get a student's.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from autograder import course
from autograder.checking import Draw, Trial
from autograder.checking.collect import Checks
from autograder.checking.trial import given
from autograder.course.exercise import Exercise
from autograder.runtime.source import Source
from simpler.notebooks import SETUPS, Row, rows

PRINTED, SAME_SEED, SHAPES = "printed", "same seed", "shapes"
SIMPLER = {
    PRINTED: "all that the notebook prints, to 1e-4; where it prints nothing, that the code runs",
    SAME_SEED: "built after the same seed as the reference, allclose to it on one random input",
    SHAPES: "returns the reference's shapes for one random input",
}
ROUNDING = 1e-6  # allclose's default of 1e-8 would reject right solutions in float32
T = TypeVar("T")
Names = Mapping[str, Any]  # what a module defines
Called = tuple[list[Tensor], str]  # the returned tensors, and the printed text


class SimplerGraders:
    """The three graders of one exercise."""

    def __init__(self, checks: Checks, exercise: Exercise) -> None:
        home = checks.home(exercise)
        self._home = home
        self._exercises = {e.name for e in checks.exercises(home)}
        self._trial = _trial(checks, exercise)
        cases = self._trial.cases(Draw("one random input"))
        self._inputs = next(iter(cases.values()))
        self._right: dict[str, Any] = {}
        for name in course.assignments():
            self._right |= _defined(name, course.solution(name))

    def accepting(self, text: str) -> tuple[str, ...]:
        """Return which of SIMPLER accept the text of a module that contains the exercise."""
        names = _defined(self._home, text)
        called = _unless_it_fails(lambda: self._called(names))
        if called is None:
            return ()
        graders = {
            PRINTED: lambda: self._prints(names),
            SAME_SEED: lambda: self._agrees(called),
            SHAPES: lambda: self._has_shapes(called),
        }
        return tuple(name for name, accepts in graders.items() if _unless_it_fails(accepts))

    def _prints(self, names: Names) -> bool:
        found = {name: setup({**self._right, **names}) for name, setup in self._setups.items()}
        return all(row.is_met_by(found[row.setup][row.name]) for row in self._rows)

    def _agrees(self, called: Called) -> bool:
        (ours, printed), (theirs, expected) = called, self._reference
        close = (torch.allclose(a, b, atol=ROUNDING) for a, b in zip(ours, theirs, strict=True))
        return printed == expected and all(close)

    def _has_shapes(self, called: Called) -> bool:
        return [t.shape for t in called[0]] == [t.shape for t in self._reference[0]]

    @cached_property
    def _setups(self) -> dict[str, Callable[[Names], dict[str, Any]]]:
        """Return the setups that use an exercise of this assignment."""
        using = {}
        for name, setup in SETUPS.items():
            names = _RecordingNames(self._right)
            setup(names)
            if names.used & self._exercises:
                using[name] = setup
        return using

    @cached_property
    def _rows(self) -> list[Row]:
        return [row for row in rows() if row.setup in self._setups]

    @cached_property
    def _reference(self) -> Called:
        return self._called(self._right)

    def _called(self, names: Names) -> Called:
        """Build the exercise after a fixed seed, and call it."""
        trial = self._trial
        inputs = [_single(x) for x in self._inputs]
        torch.manual_seed(0)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            made = names[trial.exercise]
            if trial.projections is None:
                returned = made(*trial.arguments, **trial.named)(*inputs)
            else:
                layers = [nn.Linear(*size, bias=False) for size in trial.projections.values()]
                returned = made(*inputs, *layers)
        return list(_tensors(returned)), printed.getvalue()


class _RecordingNames(dict[str, Any]):
    """Names of a module that record which of them are used."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.used: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.used.add(name)
        return super().__getitem__(name)


def _trial(checks: Checks, exercise: Exercise) -> Trial:
    """Return the first trial in the module of an exercise's checks, or one without inputs."""
    values = checks.of(exercise)[0].function.__globals__.values()
    trials = (t for t in values if isinstance(t, Trial) and t.exercise == exercise.name)
    return next(trials, Trial(exercise.name, (), given(nothing=())))


def _defined(assignment: str, text: str) -> dict[str, Any]:
    """Return the names that a module's text defines; it may import the other solutions."""
    names = course.assignments()
    texts = {name: course.solution(name) for name in names} | {assignment: text}
    source = Source(assignment, texts, list(names))
    with contextlib.redirect_stdout(io.StringIO()):
        source.load(keep=False)
    return {name: v for name, v in source.namespace.items() if name[:2] != "__"}


def _unless_it_fails(call: Callable[[], T]) -> T | None:
    with warnings.catch_warnings(), torch.random.fork_rng():
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception:  # such a grader rejects by raising
            return None


def _single(x: Any) -> Any:
    """Return a copy of an input in single precision."""
    if not isinstance(x, Tensor):
        return x
    return x.float() if x.is_floating_point() else x.clone()


def _tensors(returned: Any) -> Iterator[Tensor]:
    if isinstance(returned, Tensor):
        yield returned.detach()
    elif isinstance(returned, list | tuple):
        for part in returned:
            yield from _tensors(part)
