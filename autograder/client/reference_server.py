"""Answers what substitutes in a child ask, from the references of the exercises they stand for."""

from __future__ import annotations

import math
import struct
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

Question = Mapping[str, Any]
Answer = dict[str, Any]
Consult = Callable[[Question], Answer]
Consultation = tuple[Question, Answer]
MOST_NUMBERS = 1 << 12  # in one tensor, so that no question takes long
MOST_RESULTS = 1 << 20  # numbers in one tensor that comes of them
LARGEST = 512  # argument of a constructor
COUNTERS = struct.Struct("=iiQ")  # in a state of random numbers, behind the seed
SEED = 8  # bytes
NUMBERS = 624  # in a state: it is a Mersenne Twister's
EXACT, SINGLE = 1e-8, 1e-3  # how far apart the same numbers may be that were computed otherwise


class Refused(ValueError):
    """A question is not one that a substitute asks when it is used as the exercise is."""


def answered(classes: Mapping[str, Any], question: Question) -> Answer:
    """What the reference's class does where a substitute stands for it.

    question: {"do": "make", "call" or "slopes", "of": exercise, "arguments", "named", "random"},
    for the latter two with "inputs", "parameters", "training", and for "slopes" with "gradients".
    Returns {"value": ...}, with "random" if the state of the random numbers has changed, or
    {"problem": text}.
    """
    before = torch.default_generator.get_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a stranger asks for, no tensor at all say
            return _answered(classes, question)
    except Refused as refused:
        return {"problem": f"cannot be asked this: {refused}"}
    except Exception as error:  # whatever comes of a stranger's numbers is the stranger's
        return {"problem": f"cannot do this ({type(error).__name__})"}
    finally:
        torch.default_generator.set_state(before)


def _answered(classes: Mapping[str, Any], question: Question) -> Answer:
    """Raises Refused, and what the reference's class raises."""
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
                    raise Refused(f"an argument of {str(value)[:20]}")
            made = classes[name](*arguments, **named)
            if isinstance(made, nn.Module):
                return made
    raise Refused("a question of another kind")


def _random(question: Question) -> Tensor:
    random = question.get("random")
    if (
        not isinstance(random, Tensor)
        or random.dtype is not torch.uint8
        or random.shape != torch.default_generator.get_state().shape
        or not _is_within(bytes(random.numpy()))
    ):
        raise Refused("a state of random numbers of another kind")
    return random


def _is_within(state: bytes) -> bool:
    """Return whether the next numbers are taken from the state itself.

    PyTorch checks each of the two counters, but not their sum: beyond the state it would take what
    else is in the memory of this process. As in CPUGeneratorImplStateLegacy: the seed, how many
    numbers are left, whether there is a seed, and the place of the next.
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
            raise Refused("a question of another kind")
    own = {name: parameter.shape for name, parameter in made.named_parameters()}
    if {name: parameter.shape for name, parameter in parameters.items()} != own:
        raise Refused("other parameters")
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
            raise Refused("gradients of other shapes")
        sums = [(o * g).sum() for o, g in zip(outputs, gradients, strict=True)]
        total = torch.stack(sums).sum()
        return {"gradients": list(torch.autograd.grad(total, wanted, materialize_grads=True))}


def _check_small(inputs: Sequence[Tensor]) -> None:
    """Inputs are small, and so is what comes of them: a score for each pair of tokens, in each of
    the sequences that their leading dimensions make together. Raises Refused."""
    try:
        leading = torch.broadcast_shapes(*(x.shape[:-2] for x in inputs))
    except RuntimeError:
        raise Refused("inputs that do not fit together") from None
    longest = max((n for x in inputs for n in x.shape[-2:]), default=1)
    if math.prod(leading) * longest**2 > MOST_RESULTS:
        raise Refused("inputs that have too much come of them")


def _own(tensor: Any, slopes: bool = False) -> Tensor:
    if not isinstance(tensor, Tensor) or math.prod(n or 1 for n in tensor.shape) > MOST_NUMBERS:
        raise Refused("something other than a small tensor")
    return tensor.clone().requires_grad_(slopes and tensor.is_floating_point())


def recalled(consultations: Iterable[Consultation], question: Question) -> Answer:
    """What was answered when the same was asked, but for rounding; a problem if it never was."""
    for asked, answer in consultations:
        if all(_alike(asked[key], question.get(key)) for key in asked):
            return answer
    return {"problem": "was not recorded doing this"}


def _alike(one: Any, other: Any) -> bool:
    match one, other:
        case Tensor(), Tensor():
            if one.shape != other.shape or one.dtype is not other.dtype:
                return False
            room = SINGLE if one.dtype is torch.float32 else EXACT
            largest = float(one.abs().max()) if one.numel() else 0.0
            return torch.allclose(one, other, rtol=0.0, atol=room * (1.0 + largest))
        case dict(), dict():
            return one.keys() == other.keys() and all(_alike(one[k], other[k]) for k in one)
        case list(), list():
            pairs = zip(one, other, strict=False)
            return len(one) == len(other) and all(_alike(a, b) for a, b in pairs)
    return type(one) is type(other) and bool(one == other)
