"""Answer the requests of substitutes in a child, with the reference or from a recording."""

from __future__ import annotations

import inspect
import math
import struct
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any

import torch
from torch import Tensor, nn

from autograder.errors import Signal
from autograder.runtime.consultations import CallRequest, GradientRequest, MakeRequest, Request
from autograder.runtime.values import attributes, listed

RequestData = Mapping[str, Any]  # as request_data returns it, or anything else
Response = dict[str, Any]  # {"value": ...}, or {"problem": text}
Consult = Callable[[RequestData], Response]
Consultation = tuple[RequestData, Response]
MOST_RESULTS = 1 << 21  # numbers in an intermediate tensor
LARGEST = 1024  # argument of a constructor, dimension of an input
MOST_NUMBERS = LARGEST**2  # in an input tensor, so that no request takes long
COUNTERS = struct.Struct("=iiQ")  # in a random state, after the seed
SEED_SIZE = 8  # bytes
NUMBERS = 624  # in a random state of the Mersenne Twister
OTHER_KIND = "a question of another kind"
EXACT, SINGLE = 1e-8, 1e-3  # tolerances for results of equivalent computations


class RequestRefused(Signal):
    """No substitute that is used correctly makes such a request."""


def respond(namespace: Mapping[str, Any], data: RequestData) -> Response:
    """Answer a substitute's request with the reference's class or function.

    Returns {"value": ...}, with "random" if the random state has changed, or {"problem": text}.
    """
    before = torch.default_generator.get_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about untrusted inputs, e.g. empty tensors
            return _respond(namespace, read_request(data))
    except RequestRefused as refused:
        return {"problem": f"cannot be asked this: {refused}"}
    except Exception as error:  # caused by the untrusted inputs
        return {"problem": f"cannot do this ({type(error).__name__})"}
    finally:
        torch.default_generator.set_state(before)


def read_request(data: RequestData) -> Request:
    """Read a request of untrusted code; everything beyond its fields is ignored.

    Raises RequestRefused.
    """
    random = _random(data)
    match data:
        case {
            "do": "make" | "call" | "slopes" as do,
            "of": str(exercise),
            "arguments": list(arguments),
            "named": dict(named),
        }:
            for value in [*arguments, *named.values()]:
                if not _is_argument(value):
                    raise RequestRefused(f"an argument of {str(value)[:20]}")
            made = exercise, arguments, named, random
            if do == "make":
                return MakeRequest(*made)
            called = *made, *_inputs(data)
            if do == "call":
                return CallRequest(*called)
            return GradientRequest(*called, _gradients(data))
    raise RequestRefused(OTHER_KIND)


def _is_argument(value: Any) -> bool:
    """Return whether a value is a small number, or stands for inputs of a function."""
    match value:
        case {"input": int(), **others} if not others:
            return True
        case {"linear": [int()] | [int(), int()], **others} if not others:
            return True
    return type(value) in (int, float, bool) and abs(value) <= LARGEST


def _inputs(data: RequestData) -> tuple[list[Tensor], dict[str, Tensor], bool, str]:
    match data:
        case {
            "inputs": list(given),
            "parameters": dict(by),
            "training": bool(training),
            "part": str(part),
        }:
            return list(map(_small, given)), {n: _small(t) for n, t in by.items()}, training, part
    raise RequestRefused(OTHER_KIND)


def _gradients(data: RequestData) -> list[Tensor]:
    match data:
        case {"gradients": list(gradients)}:
            return list(map(_small, gradients))
    raise RequestRefused(OTHER_KIND)


def _small(tensor: Any) -> Tensor:
    if not isinstance(tensor, Tensor) or math.prod(n or 1 for n in tensor.shape) > MOST_NUMBERS:
        raise RequestRefused("something other than a small tensor")
    return tensor


def _random(data: RequestData) -> Tensor:
    random = data.get("random")
    if (
        not isinstance(random, Tensor)
        or random.dtype is not torch.uint8
        or random.shape != torch.default_generator.get_state().shape
        or not _is_within(bytes(random.numpy()))
    ):
        raise RequestRefused("a state of random numbers of another kind")
    return random


def _is_within(state: bytes) -> bool:
    """Return whether the next numbers come from within the random state.

    PyTorch checks each of the two counters, but not their sum, so it could read beyond the state in
    this process's memory. Format as in CPUGeneratorImplStateLegacy: the seed, the count of
    remaining numbers, whether there is a seed, and the index of the next number.
    """
    left, _, following = COUNTERS.unpack_from(state, SEED_SIZE)
    return 0 < left <= NUMBERS and following <= NUMBERS + 1 - left


def _respond(namespace: Mapping[str, Any], request: Request) -> Response:
    """Answer a request. Raises RequestRefused, and whatever the reference's code raises."""
    torch.default_generator.set_state(request.random)
    made = _made(namespace, request)
    if isinstance(request, CallRequest):
        torch.default_generator.set_state(request.random)
        value = _called(made, request)
    else:
        parameters = {n: p.detach() for n, p in made.named_parameters()}
        layers = [n for n, layer in made.named_modules() if type(layer) is nn.Linear]
        value = {
            "parameters": parameters,
            "inputs": {n: _names(_called_as(one)) for n, one in made.named_modules()},
            "linear": [name for name in layers if f"{name}.weight" in parameters],  # not tied
        }
        value |= made.more() if isinstance(made, _PlainObject) else {}
    after = torch.default_generator.get_state()
    same = torch.equal(after, request.random)
    return {"value": value} if same else {"value": value, "random": after}


def _made(namespace: Mapping[str, Any], request: Request) -> nn.Module:
    found = namespace.get(request.exercise)
    if isinstance(found, FunctionType):
        return _FunctionCall(found, request)
    if isinstance(found, type) and issubclass(found, nn.Module):
        return found(*request.arguments, **request.named)
    if isinstance(found, type) and hasattr(found, "parameters"):
        return _PlainObject(found(*request.arguments, **request.named))
    raise RequestRefused(OTHER_KIND)


def _called_as(made: nn.Module) -> Callable[..., Any]:
    """Return what has the arguments of a call of the reference's object, or of a module in it."""
    called: Callable[..., Any] = made.plain if isinstance(made, _PlainObject) else made.forward
    return called


def _names(function: Callable[..., Any]) -> list[str]:
    """Return the names of a function's arguments that can be given by position or by name."""
    known = inspect.signature(function).parameters.values()
    return [one.name for one in known if one.kind is one.POSITIONAL_OR_KEYWORD]


class _PlainObject(nn.Module):
    """An object of a plain class as a module: returns its result, then its tensors."""

    def __init__(self, made: Any) -> None:
        super().__init__()
        self.plain = made
        for name, tensor in attributes(made).items():
            self.register_parameter(name, nn.Parameter(tensor))

    def more(self) -> dict[str, Any]:
        """Return the fields of the response to a MakeRequest beyond the tensors."""
        held = vars(self.plain).items()
        numbers = {name: value for name, value in held if type(value) in (int, float, bool)}
        return {"listed": [*listed(self.plain)], "numbers": numbers}

    def forward(self, *inputs: Tensor) -> Any:
        self.plain.training = self.training
        for name, tensor in self.named_parameters():
            setattr(self.plain, name, tensor)
        output = self.plain(*inputs)
        return output, *(getattr(self.plain, name) for name in self._parameters)


class _FunctionCall(nn.Module):
    """A call of a function as a module: its inputs go to their places among the arguments."""

    def __init__(self, function: FunctionType, request: Request) -> None:
        super().__init__()
        self._function, self._request = function, request

    def forward(self, *inputs: Tensor) -> Any:
        arguments = [_value(value, inputs) for value in self._request.arguments]
        named = {name: _value(value, inputs) for name, value in self._request.named.items()}
        return self._function(*arguments, **named)


def _value(argument: Any, inputs: Sequence[Tensor]) -> Any:
    match argument:
        case {"input": int(place)}:
            return inputs[place]
        case {"linear": [int(place), *biases]}:
            return _linear(inputs[place], *(inputs[one] for one in biases))
    return argument


def _linear(weight: Tensor, bias: Tensor | None = None) -> nn.Linear:
    """Return a layer that computes with these tensors, through which gradients flow."""
    layer = nn.Linear(1, 1, bias=False, device="meta")
    layer.out_features, layer.in_features = weight.shape
    for name, tensor in (("weight", weight), ("bias", bias)):
        delattr(layer, name)
        setattr(layer, name, tensor)
    return layer


def _called(made: nn.Module, request: CallRequest) -> dict[str, Any]:
    slopes = isinstance(request, GradientRequest)
    inputs = [_own(tensor, slopes) for tensor in request.inputs]
    parameters = {name: _own(tensor, slopes) for name, tensor in request.parameters.items()}
    made = made.get_submodule(request.part)
    own = {name: parameter.shape for name, parameter in made.named_parameters()}
    if {name: parameter.shape for name, parameter in parameters.items()} != own:
        raise RequestRefused("other parameters")
    sizes = [n for parameter in parameters.values() for n in parameter.shape]
    _check_small(inputs, max(sizes, default=1))
    made.train(request.training)
    with torch.set_grad_enabled(slopes):
        result = torch.func.functional_call(made, parameters, tuple(inputs))
        outputs = list(result) if isinstance(result, tuple) else [result]
        if not isinstance(request, GradientRequest):
            return {"output": outputs}
        gradients = [gradient.clone() for gradient in request.gradients]
        if [gradient.shape for gradient in gradients] != [output.shape for output in outputs]:
            raise RequestRefused("gradients of other shapes")
        wanted = [*inputs, *parameters.values()]
        sums = [(o * g).sum() for o, g in zip(outputs, gradients, strict=True)]
        total = torch.stack(sums).sum()
        asked = [tensor for tensor in wanted if tensor.requires_grad]  # no whole numbers
        arrived = iter(torch.autograd.grad(total, asked, materialize_grads=True))
        found = [next(arrived) if t.requires_grad else torch.zeros_like(t) for t in wanted]
        return {"gradients": found}


def _own(tensor: Tensor, slopes: bool) -> Tensor:
    return tensor.clone().requires_grad_(slopes and tensor.is_floating_point())


def _check_small(inputs: Sequence[Tensor], widest: int) -> None:
    """Check that the scores of all pairs of tokens, in all broadcast sequences, are few.

    So must be the numbers inside the widest layer. Raises RequestRefused.
    """
    if any(n > LARGEST for x in inputs for n in x.shape):  # any two may be multiplied
        raise RequestRefused("inputs with too long a dimension")
    try:
        leading = torch.broadcast_shapes(*(x.shape[:-2] for x in inputs))
    except RuntimeError:
        raise RequestRefused("inputs that do not fit together") from None
    longest = max((n for x in inputs for n in x.shape[-2:]), default=1)
    if math.prod(leading) * longest * max(longest, widest) > MOST_RESULTS:
        raise RequestRefused("inputs that are too large together")


def recalled(consultations: Iterable[Consultation], data: RequestData) -> list[Response]:
    """Return the different recorded responses to the same request, up to rounding."""
    found: list[Response] = []
    for recorded, response in consultations:
        is_same = all(_alike(recorded[key], data.get(key)) for key in recorded)
        others = (one.get("value") for one in found)
        if is_same and not any(_alike(response.get("value"), other) for other in others):
            found.append(response)
    return found


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
