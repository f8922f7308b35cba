"""Write the smallest example as lines of Python that rebuild it, to be pasted below the code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from torch import Tensor

from autograder.checking.example import Example
from autograder.client import Input

MOST = 4000  # characters; a longer text would help nobody


def lines(example: Example) -> list[str]:
    """Return lines that build what is called, load its weights and call it; none if too long."""
    trial = example.small.trial
    found = list(_of_class(example) if trial.projections is None else _of_function(example))
    if any("torch." in line for line in found):
        found.insert(0, "import torch")  # which the code may know by another name
    return found if sum(map(len, found)) <= MOST else []


def folded(line: str, columns: int) -> Iterator[str]:
    """Yield a line in parts that fit as far as they can; all its commas are within brackets."""
    part = ""
    for piece in re.findall(r".+?(?:, |$)", line):
        if part and len(f"{part}{piece}".rstrip()) > columns:
            yield part.rstrip()
            part = "    "
        part += piece
    yield part


def _of_class(example: Example) -> Iterator[str]:
    small, trial = example.small, example.small.trial
    named = [f"{name}={value!r}" for name, value in trial.named.items()]
    yield f"layer = {trial.exercise}({', '.join([*map(repr, trial.arguments), *named])})"
    if trial.tensors:
        for name, weight in small.weights.items():
            yield f"layer.{name} = {_tensor(weight)}"
    elif small.weights:
        yield f"weights = {_dictionary(small.weights)}"
        yield "for n in weights: layer.get_parameter(n).data = torch.tensor(weights[n])"
    call = f"layer({', '.join(map(_literal, small.inputs))})"
    if example.in_evaluation:
        yield f"{call}; getattr(layer, 'eval', lambda: None)()"
    yield f"print({call})"


def _of_function(example: Example) -> Iterator[str]:
    small, trial = example.small, example.small.trial
    projections = trial.projections or {}
    for name, (features, out) in projections.items():
        weight = small.weights[f"{name}.weight"]
        yield f"{name} = torch.nn.Linear({features}, {out}, bias={trial.biased})"
        yield f"{name}.weight.data = {_tensor(weight)}"
        if trial.biased:
            yield f"{name}.bias.data = {_tensor(small.weights[f'{name}.bias'])}"
    yield f"print({trial.exercise}({', '.join([*map(_literal, small.inputs), *projections])}))"


def _literal(x: Input) -> str:
    return _tensor(x) if isinstance(x, Tensor) else repr(x)


def _tensor(x: Tensor) -> str:
    return f"torch.tensor({_plain(x)})"


def _plain(x: Tensor) -> str:
    return re.sub(r"\.0\b", ".", str(x.tolist()))


def _dictionary(weights: Mapping[str, Tensor]) -> str:
    return "{" + ", ".join(f"{name!r}: {_plain(one)}" for name, one in weights.items()) + "}"
