"""Answers read strictly: whatever a child sends becomes one of these, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor

from autograder.runtime.protocol import Garbled

T = TypeVar("T")
TEXT_LIMIT = 600  # characters of any text that a child sends
KINDS = frozenset(
    {
        "absent", "not_a_class", "not_a_function", "signature", "not_a_module", "no_super", "names",
        "unwritten", "unsuited", "not_there", "raised", "syntax", "exit", "timeout", "memory",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One line of the student's own code on the way to an exception."""

    file: str
    line: int
    code: str


@dataclass(frozen=True)
class Problem:
    """Why a step could not be done.

    kind: one of KINDS (reported by the child), or 'killed', 'crashed', 'left', 'garbled'
    (the child was lost), 'spent' (no time is left). where: the class or function of the student's
    that raised it. have, want: parameter names and shapes, for kind 'names'.
    """

    kind: str
    text: str
    type: str = ""
    frames: tuple[Frame, ...] = ()
    where: str = ""
    have: Mapping[str, tuple[int, ...]] | None = None
    want: Mapping[str, tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Gradients:
    """What arrived at each input (in order) and at each parameter (by name); None: nothing."""

    inputs: list[Tensor | None]
    parameters: dict[str, Tensor | None]


@dataclass(frozen=True)
class Called:
    """The outcome of one call.

    output: None, a tensor, a list of outputs, or a str that describes anything else.
    changed: which of its arguments the call changed. rounds: asks whether numbers on the way to
    the output are of another type, so that it cannot be as exact as the module's own. disturbed:
    settings of PyTorch that the call changed, in words.
    """

    output: Any
    changed: list[int]
    gradients: Gradients | None
    rounds: Callable[[], bool] = lambda: False
    disturbed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Registered:
    """A registered parameter: its shape and whether it is trained."""

    shape: tuple[int, ...]
    trained: bool


@dataclass(frozen=True)
class Kept:
    """A tensor that an object keeps: its numbers, and whether it still hangs on a graph."""

    numbers: Tensor
    graph: bool


def problem(data: Any) -> Problem:
    """Read a problem. Raises Garbled."""
    match data:
        case {
            "kind": str(kind),
            "type": str(),
            "text": str(),
            "where": str(),
            "frames": list(rows),
        }:
            if kind in KINDS and len(rows) <= 8:
                have, want = data.get("have"), data.get("want")
                return Problem(
                    kind=kind,
                    type=_text(data["type"]),
                    text=_text(data["text"]),
                    where=_text(data["where"]),
                    frames=tuple(_frame(row) for row in rows),
                    have=_if_any(have, lambda d: {n: p.shape for n, p in parameters(d).items()}),
                    want=_if_any(want, lambda d: by_name(d, _shape)),
                )
    raise Garbled("it reports a problem in a way of its own")


def called(data: Any, rounds: Callable[[], bool] = lambda: False) -> Called:
    """Read the outcome of a call; rounds: as in Called. Raises Garbled."""
    match data:
        case {"output": output, "changed": list(changed), "gradients": gradients}:
            if all(type(i) is int and 0 <= i < 16 for i in changed):
                disturbed = tuple(words(data.get("disturbed", [])))
                found = _if_any(gradients, _gradients)
                return Called(_output(output), changed, found, rounds, disturbed)
    raise Garbled("it reports a call in a way of its own")


def parameters(data: Any) -> dict[str, Registered]:
    """Read names, shapes and whether trained. Raises Garbled."""

    def one(entry: Any) -> Registered:
        match entry:
            case {"shape": list(shape), "trained": bool(trained)}:
                return Registered(_shape(shape), trained)
        raise Garbled("it reports a parameter in a way of its own")

    return by_name(data, one)


def parts(data: Any) -> dict[str, str]:
    """Read the names of classes by the names of parts. Raises Garbled."""

    def one(entry: Any) -> str:
        if not isinstance(entry, str):
            raise Garbled("it was to name a class")
        return _text(entry)

    return by_name(data, one)


def numbers(data: Any) -> dict[str, Tensor | None]:
    """Read tensors by name; None where there is something else. Raises Garbled."""
    return by_name(data, lambda entry: entry if isinstance(entry, Tensor) else None)


def nothing(data: Any) -> None:
    """Read the answer to a step that gives none. Raises Garbled."""
    if data is not None:
        raise Garbled("it answers where there is nothing to say")


def settings(data: Any) -> tuple[str, ...]:
    """Read which settings of PyTorch were changed, if any. Raises Garbled."""
    return () if data is None else tuple(words(data))


def count(data: Any) -> int:
    """Read a number. Raises Garbled."""
    if type(data) is not int:
        raise Garbled("it was to count something")
    return data


def truth(data: Any) -> bool:
    """Read yes or no. Raises Garbled."""
    if type(data) is not bool:
        raise Garbled("it was to say yes or no")
    return data


def state(data: Any) -> dict[str, Kept]:
    """Read kept tensors. Raises Garbled."""

    def one(entry: Any) -> Kept:
        match entry:
            case {"numbers": Tensor() as numbers, "graph": bool(graph)}:
                return Kept(numbers, graph)
        raise Garbled("it reports what it keeps in a way of its own")

    return by_name(data, one)


def losses(data: Any) -> list[float]:
    """Read a list of numbers. Raises Garbled."""
    match data:
        case list() if all(type(loss) is float for loss in data):
            return data
    raise Garbled("it was to give losses")


def words(data: Any) -> list[str]:
    """Read a list of words. Raises Garbled."""
    match data:
        case list() if all(isinstance(word, str) for word in data):
            return [_text(word) for word in data[:1000]]
    raise Garbled("it was to name something")


def by_name(data: Any, read: Callable[[Any], T]) -> dict[str, T]:
    """Read a dictionary. Raises Garbled."""
    if not isinstance(data, dict) or len(data) > 1000:
        raise Garbled("it was to answer by name")
    return {_text(name): read(entry) for name, entry in data.items()}


def _if_any(data: Any, read: Callable[[Any], T]) -> T | None:
    return None if data is None else read(data)


def _text(text: str) -> str:
    return text[:TEXT_LIMIT]


def _shape(data: Any) -> tuple[int, ...]:
    if not isinstance(data, list) or not all(type(n) is int for n in data):
        raise Garbled("it reports a shape in a way of its own")
    return tuple(data)


def _frame(data: Any) -> Frame:
    match data:
        case {"file": str(file), "line": int(line), "code": str(code)}:
            return Frame(_text(file), line, _text(code))
    raise Garbled("it reports a line of code in a way of its own")


def _output(data: Any, depth: int = 4) -> Any:
    match data:
        case None | Tensor():
            return data
        case list() if depth:
            return [_output(item, depth - 1) for item in data]
        case {"other": str(described)}:
            return _text(described)
    raise Garbled("it reports an output in a way of its own")


def _gradients(data: Any) -> Gradients:
    match data:
        case {"inputs": list(inputs), "parameters": by}:
            arrived = [entry if isinstance(entry, Tensor) else None for entry in inputs]
            return Gradients(arrived, numbers(by))
    raise Garbled("it reports gradients in a way of its own")
