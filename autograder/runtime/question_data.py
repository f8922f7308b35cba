"""Turn a question into plain data for a message, and read it where the message arrives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args, get_type_hints

import torch
from torch import Tensor

from autograder.runtime.protocol import Garbled
from autograder.runtime.questions import Input, Inputs, Names, Question, Step
from autograder.runtime.wire import DTYPES, NAMES

T = TypeVar("T")


def question_data(question: Question) -> dict[str, Any]:
    """Return a question as a tree for wire.encode."""
    steps = [step_data(step) for step in question.steps]
    return {"steps": steps, "seed": question.seed, "fresh": question.fresh}


def step_data(step: Step) -> dict[str, Any]:
    """Return a step as a tree: the name of its class under "do", and its fields."""
    fields = {
        name: NAMES[value] if isinstance(value, torch.dtype) else value
        for name, value in vars(step).items()
    }
    return {"do": type(step).__name__, **fields}


def read_question(data: Any) -> Question:
    """Read what question_data has written; other keys are ignored. Raises Garbled."""
    match data:
        case {"steps": list(steps), "seed": int(seed), "fresh": bool(fresh)}:
            return Question([read_step(step) for step in steps], fresh, seed)
    raise Garbled("malformed question")


def read_step(data: Any) -> Step:
    """Read what step_data has written: exactly the fields of a step. Raises Garbled."""
    match data:
        case {"do": str(name), **fields} if name in STEPS:
            readers = FIELDS[name]
            if fields.keys() == readers.keys():
                return STEPS[name](**{key: read(fields[key]) for key, read in readers.items()})
    raise Garbled("malformed step of a question")


def _one(kind: type[T]) -> Callable[[Any], T]:
    """Return a reader of values of this type; a bool is no int."""

    def read(data: Any) -> T:
        if isinstance(data, kind) and (kind is bool or not isinstance(data, bool)):
            return data
        raise Garbled(f"expected {kind.__name__} in a step")

    return read


def _row(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """Return a reader of tuples, which a message holds as lists."""
    return lambda data: tuple(map(read, _one(list)(data)))


def _by_name(read: Callable[[Any], T]) -> Callable[[Any], dict[str, T]]:
    return lambda data: {name: read(value) for name, value in _one(dict)(data).items()}


def _dtype(data: Any) -> torch.dtype:
    if isinstance(data, str) and data in DTYPES:
        return DTYPES[data]
    raise Garbled("expected the name of a dtype in a step")


def _input(data: Any) -> Input:
    return data if isinstance(data, Tensor) else _one(int)(data)


def _sizes(data: Any) -> tuple[int, int]:
    match data:
        case [int(size_in), int(size_out)]:
            return size_in, size_out
    raise Garbled("expected two sizes in a step")


def _any(data: Any) -> Any:
    return data


READERS: Mapping[Any, Callable[[Any], Any]] = {  # by the type of a field
    bool: _one(bool),
    int: _one(int),
    str: _one(str),
    torch.dtype: _dtype,
    Tensor: _one(Tensor),
    Inputs: _row(_input),
    Names: _row(_one(str)),
    tuple[Any, ...]: _row(_any),
    dict[str, Any]: _by_name(_any),
    dict[str, str]: _by_name(_one(str)),
    dict[str, Tensor]: _by_name(_one(Tensor)),
    dict[str, tuple[int, int]]: _by_name(_sizes),
}
STEPS: Mapping[str, Callable[..., Step]] = {step.__name__: step for step in get_args(Step)}
FIELDS = {
    name: {field: READERS[kind] for field, kind in get_type_hints(step).items()}
    for name, step in STEPS.items()
}
