"""Turn a question into plain data for a message, and read it where the message arrives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
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
    values = {
        name: NAMES[value] if isinstance(value, torch.dtype) else value
        for name, value in vars(step).items()
    }
    return {"do": type(step).__name__, **values}


def read_question(data: Any) -> Question:
    """Read what question_data has written; other keys are ignored. Raises Garbled."""
    match data:
        case {"steps": list(steps), "seed": int(seed), "fresh": bool(fresh)}:
            return Question([read_step(step) for step in steps], fresh, seed)
    raise Garbled("malformed question")


def read_step(data: Any) -> Step:
    """Read what step_data has written: exactly the fields of a step. Raises Garbled."""
    name = data.get("do") if isinstance(data, dict) else None
    if isinstance(name, str) and name in STEPS:
        readers = READERS[name]
        if data.keys() - {"do"} == readers.keys():
            return STEPS[name](*[read(data[key]) for key, read in readers.items()])
    raise Garbled("malformed step of a question")


def _one(kind: type[T]) -> Callable[[Any], T]:
    """Return a reader of values of exactly this type: a bool is no int."""

    def read(data: Any) -> T:
        if type(data) is kind:
            return data
        raise Garbled(f"expected {kind.__name__} in a step")

    return read


_bool, _int, _str, _tensor = _one(bool), _one(int), _one(str), _one(Tensor)
_list, _dict = _one(list), _one(dict)


def _row(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """Return a reader of tuples, which a message holds as lists."""
    return lambda data: tuple([read(item) for item in _list(data)])


def _by_name(read: Callable[[Any], T]) -> Callable[[Any], dict[str, T]]:
    return lambda data: {name: read(value) for name, value in _dict(data).items()}


def _dtype(data: Any) -> torch.dtype:
    if isinstance(data, str) and data in DTYPES:
        return DTYPES[data]
    raise Garbled("expected the name of a dtype in a step")


def _input(data: Any) -> Input:
    return data if isinstance(data, Tensor) else _int(data)


def _sizes(data: Any) -> tuple[int, int]:
    match data:
        case [int(size_in), int(size_out)]:
            return size_in, size_out
    raise Garbled("expected two sizes in a step")


def _any(data: Any) -> Any:
    return data


OF_TYPE: Mapping[Any, Callable[[Any], Any]] = {  # readers by the type of a field
    bool: _bool,
    int: _int,
    str: _str,
    torch.dtype: _dtype,
    Tensor: _tensor,
    Inputs: _row(_input),
    Names: _row(_str),
    tuple[Any, ...]: _row(_any),
    dict[str, Any]: _by_name(_any),
    dict[str, str]: _by_name(_str),
    dict[str, Tensor]: _by_name(_tensor),
    dict[str, tuple[int, int]]: _by_name(_sizes),
}
STEPS: Mapping[str, type[Step]] = {step.__name__: step for step in get_args(Step)}
READERS = {  # of the fields of each step, in their order
    name: {field.name: OF_TYPE[get_type_hints(step)[field.name]] for field in fields(step)}
    for name, step in STEPS.items()
}
