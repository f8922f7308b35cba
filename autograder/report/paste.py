"""Write the smallest example as lines of Python that rebuild it, to be pasted below the code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from torch import Tensor

from autograder.checking.example import Example
from autograder.client import Input
from autograder.report.table import FEWEST, digits_of

MOST = 4000  # characters; a longer text would help nobody
NUMBER = re.compile(r"\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+|inf|nan")  # of a float, without a sign


def lines(example: Example) -> list[str]:
    """Return lines that build what is called, load its weights and call it.

    They print as many decimals as the example shows. None if they would be too long, or would print
    other numbers.
    """
    if not example.rebuilds:
        return []
    trial = example.small.trial
    found = list(_of_class(example) if trial.projections is None else _of_function(example))
    digits = max(map(digits_of, example.results), default=FEWEST)
    if digits > FEWEST:
        found.insert(0, f"torch.set_printoptions(precision={digits})")
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
    weights = example.own or small.weights
    if trial.tensors:
        for name, weight in weights.items():
            yield f"layer.{name}.data = {_tensor(weight)}"
    elif weights:
        yield f"weights = {_dictionary(weights)}"
        if example.more:  # which the mended code does not have
            extra = example.more.keys() & weights.keys() or weights.keys() - small.weights.keys()
            names = ", ".join(map(repr, sorted(extra)))
            yield f"for n in {{{names}}} - {{*layer.state_dict()}}: del weights[n]"
        yield "from operator import attrgetter"
        yield "for n in weights: attrgetter(n)(layer).data = torch.tensor(weights[n])"
    call = f"layer({', '.join(map(_literal, small.inputs))})"
    if example.in_evaluation:
        yield call
        yield "layer.training = False"
        yield "if isinstance(layer, torch.nn.Module): layer.eval()"
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
    return NUMBER.sub(_short, str(x.tolist()))


def _short(found: re.Match[str]) -> str:
    """Return a number in the digits that float32 has; a whole one with a point behind it."""
    if found[0] in ("inf", "nan"):
        return f"float({found[0]!r})"
    text = f"{float(found[0]):.9g}"
    return text if "." in text or "e" in text else f"{text}."


def _dictionary(weights: Mapping[str, Tensor]) -> str:
    return "{" + ", ".join(f"{name!r}: {_plain(one)}" for name, one in weights.items()) + "}"
