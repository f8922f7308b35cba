"""Read answers strictly: turn data from a child into typed objects, or raise Garbled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor

from autograder.runtime.dispatch import MAX_ITEMS
from autograder.runtime.protocol import Garbled

T = TypeVar("T")
TEXT_LIMIT = 600  # characters of any text that a child sends
KINDS = frozenset(
    {
        "absent", "not_a_class", "not_a_function", "signature", "not_a_module", "no_call",
        "no_super", "names", "attributes", "unwritten", "unsuited",
        "not_there", "raised", "syntax", "exit", "timeout", "memory",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One line of the student's own code in the traceback of an exception."""

    file: str
    line: int
    code: str


@dataclass(frozen=True)
class Problem:
    """The reason why a step could not be done.

    kind: one of KINDS (reported by the child), or that of a Lost (the child was lost), or 'spent'
    (the budget is used up). where: the student's class or function that raised the exception. have,
    want: parameter names and shapes, for kind 'names', and for 'attributes', the same of a plain
    object.
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
    """The gradients of each input (in order) and of each parameter (by name), None if missing."""

    inputs: list[Tensor | None]
    parameters: dict[str, Tensor | None]


@dataclass(frozen=True)
class Called:
    """The outcome of one call.

    output: None, a tensor, a list of outputs, or a str that describes anything else. changed:
    indices of the arguments that the call modified. rounds: asks whether the computation uses
    another dtype than the module's, which limits its precision. disturbed: descriptions of the
    PyTorch settings that the call changed.
    """

    output: Any
    changed: list[int]
    gradients: Gradients | None
    rounds: Callable[[], bool] = lambda: False
    disturbed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Registered:
    """A registered parameter or buffer: its shape, and whether it is trained.

    first: the first name of the same tensor, which may be registered under several names.
    """

    shape: tuple[int, ...]
    trained: bool
    first: str


@dataclass(frozen=True)
class TensorState:
    """A tensor that an object keeps: its values, and whether it has an autograd graph."""

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
    raise Garbled("malformed problem")


def called(data: Any, rounds: Callable[[], bool] = lambda: False) -> Called:
    """Read the outcome of a call. rounds: as in Called. Raises Garbled."""
    match data:
        case {"output": output, "changed": list(changed), "gradients": gradients}:
            if all(type(i) is int and 0 <= i < 16 for i in changed):
                disturbed = tuple(words(data.get("disturbed", [])))
                found = _if_any(gradients, _gradients)
                return Called(_output(output), changed, found, rounds, disturbed)
    raise Garbled("malformed result of a call")


def parameters(data: Any) -> dict[str, Registered]:
    """Read registered parameters or buffers by name. Raises Garbled."""

    def one(entry: Any) -> Registered:
        match entry:
            case {"shape": list(shape), "trained": bool(trained), "first": str(first)}:
                return Registered(_shape(shape), trained, _text(first))
        raise Garbled("malformed parameter")

    return by_name(data, one)


def parts(data: Any) -> dict[str, str]:
    """Read the class names of submodules by name. Raises Garbled."""

    def one(entry: Any) -> str:
        if not isinstance(entry, str):
            raise Garbled("expected the name of a class")
        return _text(entry)

    return by_name(data, one)


def numbers(data: Any) -> dict[str, Tensor | None]:
    """Read tensors by name, None for any other value. Raises Garbled."""
    return by_name(data, lambda entry: entry if isinstance(entry, Tensor) else None)


def nothing(data: Any) -> None:
    """Check the answer to a step that returns nothing. Raises Garbled."""
    if data is not None:
        raise Garbled("expected no value")


def settings(data: Any) -> tuple[str, ...]:
    """Read the PyTorch settings that were changed, if any. Raises Garbled."""
    return () if data is None else tuple(words(data))


def count(data: Any) -> int:
    """Read an integer. Raises Garbled."""
    if type(data) is not int:
        raise Garbled("expected an integer")
    return data


def truth(data: Any) -> bool:
    """Read a boolean. Raises Garbled."""
    if type(data) is not bool:
        raise Garbled("expected a boolean")
    return data


def state(data: Any) -> dict[str, TensorState]:
    """Read kept tensors by name. Raises Garbled."""

    def one(entry: Any) -> TensorState:
        match entry:
            case {"numbers": Tensor() as numbers, "graph": bool(graph)}:
                return TensorState(numbers, graph)
        raise Garbled("malformed kept tensor")

    return by_name(data, one)


def losses(data: Any, steps: int) -> list[float]:
    """Read one loss per step. Raises Garbled."""
    match data:
        case list() if len(data) == steps and all(type(loss) is float for loss in data):
            return data
    raise Garbled("expected a loss per step")


def words(data: Any) -> list[str]:
    """Read a list of strings. Raises Garbled."""
    match data:
        case list() if all(isinstance(word, str) for word in data):
            return [_text(word) for word in data[:1000]]
    raise Garbled("expected a list of strings")


def by_name(data: Any, read: Callable[[Any], T]) -> dict[str, T]:
    """Read a dictionary whose values `read` accepts. Raises Garbled."""
    if not isinstance(data, dict) or len(data) > 1000:
        raise Garbled("expected values by name")
    return {_text(name): read(entry) for name, entry in data.items()}


def _if_any(data: Any, read: Callable[[Any], T]) -> T | None:
    return None if data is None else read(data)


def _text(text: str) -> str:
    return text[:TEXT_LIMIT]


def _shape(data: Any) -> tuple[int, ...]:
    if not isinstance(data, list) or not all(type(n) is int for n in data):
        raise Garbled("malformed shape")
    return tuple(data)


def _frame(data: Any) -> Frame:
    match data:
        case {"file": str(file), "line": int(line), "code": str(code)}:
            return Frame(_text(file), line, _text(code))
    raise Garbled("malformed line of code")


def _output(data: Any, depth: int = 4) -> Any:
    match data:
        case None | Tensor():
            return data
        case list() if depth and len(data) <= MAX_ITEMS:
            return [_output(item, depth - 1) for item in data]
        case {"other": str(described)}:
            return _text(described)
    raise Garbled("malformed output")


def _gradients(data: Any) -> Gradients:
    match data:
        case {"inputs": list(inputs), "parameters": by}:
            arrived = [entry if isinstance(entry, Tensor) else None for entry in inputs]
            return Gradients(arrived, numbers(by))
    raise Garbled("malformed gradients")
