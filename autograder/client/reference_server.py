"""Answer the questions of substitutes in a child, with the reference or from a recording."""

from __future__ import annotations

import math
import struct
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from autograder.errors import Signal

Question = Mapping[str, Any]
Answer = dict[str, Any]
Consult = Callable[[Question], Answer]
Consultation = tuple[Question, Answer]
MOST_NUMBERS = 1 << 12  # in an input tensor, so that no question takes long
MOST_RESULTS = 1 << 20  # numbers in an intermediate tensor
LARGEST = 512  # argument of a constructor
COUNTERS = struct.Struct("=iiQ")  # in a random state, after the seed
SEED = 8  # bytes of the seed
NUMBERS = 624  # in a random state of the Mersenne Twister
EXACT, SINGLE = 1e-8, 1e-3  # tolerances for results of equivalent computations


class QuestionRefused(Signal):
    """No substitute that is used correctly asks such a question."""


def answered(classes: Mapping[str, Any], question: Question) -> Answer:
    """Answer a substitute's question with the reference's class.

    question: {"do": "make", "call" or "slopes", "of": exercise, "arguments", "named", "random"};
    for the latter two also "inputs", "parameters", "training", and for "slopes" also "gradients".
    Returns {"value": ...}, with "random" if the random state has changed, or {"problem": text}.
    """
    before = torch.default_generator.get_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about untrusted inputs, e.g. empty tensors
            return _answered(classes, question)
    except QuestionRefused as refused:
        return {"problem": f"cannot be asked this: {refused}"}
    except Exception as error:  # caused by the untrusted inputs
        return {"problem": f"cannot do this ({type(error).__name__})"}
    finally:
        torch.default_generator.set_state(before)


def _answered(classes: Mapping[str, Any], question: Question) -> Answer:
    """Answer a question. Raises QuestionRefused, and whatever the reference's class raises."""
    random = _random(question)
    torch.default_generator.set_state(random)
    made = _made(classes, question)
    if question["do"] == "make":
        value = {"parameters": {n: p.detach() for n, p in made.named_parameters()}}
    else:
        torch.default_generator.set_state(random)
        value = _called(made, question)
    after = torch.default_generator.get_state()
    return {"value": value} if torch.equal(after, random) else {"value": value, "random": after}


def _made(classes: Mapping[str, Any], question: Question) -> nn.Module:
    match question:
        case {
            "do": "make" | "call" | "slopes",
            "of": str(name),
            "arguments": list(arguments),
            "named": dict(named),
        } if name in classes:
            for value in [*arguments, *named.values()]:
                if type(value) not in (int, float, bool) or not abs(value) <= LARGEST:
                    raise QuestionRefused(f"an argument of {str(value)[:20]}")
            made = classes[name](*arguments, **named)
            if isinstance(made, nn.Module):
                return made
    raise QuestionRefused("a question of another kind")


def _random(question: Question) -> Tensor:
    random = question.get("random")
    if (
        not isinstance(random, Tensor)
        or random.dtype is not torch.uint8
        or random.shape != torch.default_generator.get_state().shape
        or not _is_within(bytes(random.numpy()))
    ):
        raise QuestionRefused("a state of random numbers of another kind")
    return random


def _is_within(state: bytes) -> bool:
    """Return whether the next numbers come from within the random state.

    PyTorch checks each of the two counters, but not their sum, so it could read beyond the state in
    this process's memory. Format as in CPUGeneratorImplStateLegacy: the seed, the count of
    remaining numbers, whether there is a seed, and the index of the next number.
    """
    left, _, following = COUNTERS.unpack_from(state, SEED)
    return 0 < left <= NUMBERS and following <= NUMBERS + 1 - left


def _called(made: nn.Module, question: Question) -> Answer:
    slopes = question["do"] == "slopes"
    match question:
        case {"inputs": list(given), "parameters": dict(by), "training": bool(training)}:
            inputs = [_own(tensor, slopes) for tensor in given]
            parameters = {name: _own(tensor, slopes) for name, tensor in by.items()}
        case _:
            raise QuestionRefused("a question of another kind")
    own = {name: parameter.shape for name, parameter in made.named_parameters()}
    if {name: parameter.shape for name, parameter in parameters.items()} != own:
        raise QuestionRefused("other parameters")
    _check_small(inputs)
    made.train(training)
    with torch.set_grad_enabled(slopes):
        found = torch.func.functional_call(made, parameters, tuple(inputs))
        outputs = list(found) if isinstance(found, tuple) else [found]
        if not slopes:
            return {"output": outputs}
        wanted = [*inputs, *parameters.values()]
        gradients = [_own(gradient) for gradient in question["gradients"]]
        if [gradient.shape for gradient in gradients] != [output.shape for output in outputs]:
            raise QuestionRefused("gradients of other shapes")
        sums = [(o * g).sum() for o, g in zip(outputs, gradients, strict=True)]
        total = torch.stack(sums).sum()
        return {"gradients": list(torch.autograd.grad(total, wanted, materialize_grads=True))}


def _check_small(inputs: Sequence[Tensor]) -> None:
    """Check that the scores of all pairs of tokens, in all broadcast sequences, are few.

    Raises QuestionRefused.
    """
    try:
        leading = torch.broadcast_shapes(*(x.shape[:-2] for x in inputs))
    except RuntimeError:
        raise QuestionRefused("inputs that do not fit together") from None
    longest = max((n for x in inputs for n in x.shape[-2:]), default=1)
    if math.prod(leading) * longest**2 > MOST_RESULTS:
        raise QuestionRefused("inputs that are too large together")


def _own(tensor: Any, slopes: bool = False) -> Tensor:
    if not isinstance(tensor, Tensor) or math.prod(n or 1 for n in tensor.shape) > MOST_NUMBERS:
        raise QuestionRefused("something other than a small tensor")
    return tensor.clone().requires_grad_(slopes and tensor.is_floating_point())


def recalled(consultations: Iterable[Consultation], question: Question) -> Answer:
    """Return the recorded answer to the same question, up to rounding, or a problem."""
    for asked, answer in consultations:
        if all(_alike(asked[key], question.get(key)) for key in asked):
            return answer
    return {"problem": "was not recorded doing this"}


def _alike(one: Any, other: Any) -> bool:
    match one, other:
        case Tensor(), Tensor():
            if one.shape != other.shape or one.dtype is not other.dtype:
                return False
            tolerance = SINGLE if one.dtype is torch.float32 else EXACT
            largest = float(one.abs().max()) if one.numel() else 0.0
            return torch.allclose(one, other, rtol=0.0, atol=tolerance * (1.0 + largest))
        case dict(), dict():
            return one.keys() == other.keys() and all(_alike(one[k], other[k]) for k in one)
        case list(), list():
            pairs = zip(one, other, strict=False)
            return len(one) == len(other) and all(_alike(a, b) for a, b in pairs)
    return type(one) is type(other) and bool(one == other)
