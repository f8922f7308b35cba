"""Compare a submission's answers with the reference's, and describe the first difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.tolerance import Operation, allowed
from autograder.client import Called, Client, Gradients, Packing
from autograder.errors import SubmissionError

SINGLE_PRECISION = "The result is float32"  # begins the note on it
RETURNED = (
    f"{SINGLE_PRECISION} although the {{}} float64 (no points lost): "
    "create new tensors with the dtype of the {}."
)
ROUNDED_OF = (
    "Intermediate numbers are float32 although the {} float64 (no points lost): "
    "create new tensors with the dtype of the {}, and constants as Python's numbers."
)
INPUT, WEIGHTS = ("input is", "input"), ("weights are", "weights")  # what the note is about
ROUNDED = ROUNDED_OF.format(*INPUT)
FLOAT32_ALONE = "float32 alone"  # symptom of wrong results in float32 where float64 is right


class Wrong(SubmissionError, AssertionError):
    """A submission gave a wrong answer.

    category: one of a few fixed phrases, which reveal no answer. text: one or two sentences with
    the smallest useful difference. symptom: the key of one, if it says more than the category.
    """

    def __init__(self, category: str, text: str, symptom: str = "") -> None:
        super().__init__(text)
        self.category = category
        self.symptom = symptom


@contextmanager
def showing(symptom: str) -> Iterator[None]:
    """Set the symptom of a Wrong that is raised in this context, if it has none yet."""
    try:
        yield
    except Wrong as wrong:
        wrong.symptom = wrong.symptom or symptom
        raise


class OtherLayout(Wrong):
    """A submission is correct except for its weight layout, which `packing` describes."""

    def __init__(self, packing: Packing) -> None:
        text = f"Right, but with another weight layout: {packing.differs}"
        super().__init__("other weight layout", text)
        self.packing = packing


def assert_agree(
    client: Client,
    label: str,
    got: Called,
    expected: Called,
    operation: Operation,
    dtype: torch.dtype = torch.float64,
    in_single: Callable[[], Called | None] = lambda: None,
) -> None:
    """Assert that output and gradients of one call agree within rounding in `dtype`.

    expected: the reference's, computed in float64. operation: the call. If the submission rounds
    to float32 internally, float32's tolerance applies, and a note says so. in_single: asks for what
    the reference gives in float32, to measure how much that rounds; None if nobody knows. Raises
    Wrong.
    """
    if precision(got.output, dtype) is torch.float32:
        operation = _measured(operation, expected, in_single())
    try:
        _assert_agree(client, label, got, expected, operation, dtype)
    except Wrong as wrong:
        try:
            _assert_agree(client, label, got, expected, operation, torch.float32)
            if not got.rounds():
                raise wrong
            operation = _measured(operation, expected, in_single())
            _assert_agree(client, label, got, expected, operation, torch.float32)
        except Wrong:
            raise wrong from None
        client.note(ROUNDED_OF.format(*_in_float64(operation)))


def _in_float64(operation: Operation) -> tuple[str, str]:
    """Return what a note is about: the input, or the weights where these alone are float64."""
    floats = any(isinstance(x, Tensor) and x.is_floating_point() for x in operation.inputs)
    return INPUT if floats else WEIGHTS


def assert_within_rounding(
    client: Client, call: Called, judge: Callable[[torch.dtype], None]
) -> None:
    """Judge numbers with the tolerance of float64, or that of float32 if the call computes with it.

    call: the one that led to the numbers. judge: raises Wrong if they differ by more than rounding
    in a type. A note says that float32's tolerance applied. Raises Wrong.
    """
    try:
        judge(torch.float64)
    except Wrong as wrong:
        try:
            judge(torch.float32)
        except Wrong:
            raise wrong from None
        if not call.rounds():
            raise wrong from None
        client.note(ROUNDED)


def _measured(operation: Operation, expected: Called, single: Called | None) -> Operation:
    """Return the call with the errors that the reference makes in float32, if they are known."""
    if operation.measured is not None or single is None:
        return operation
    errors = _error(expected.output, single.output), 0.0
    if expected.gradients and single.gradients:
        wanted, found = (
            [*each.inputs, *each.parameters.values()]
            for each in (expected.gradients, single.gradients)
        )
        errors = errors[0], _error(wanted, found)
    return replace(operation, measured=errors)


def _error(expected: Any, single: Any) -> float:
    """Return the largest error of an output in float32, relative to 1 + the largest number."""
    if isinstance(expected, list):
        pairs = zip(expected, single, strict=True)
        return max((_error(*pair) for pair in pairs), default=0.0)
    if not isinstance(expected, Tensor) or not expected.numel():
        return 0.0
    error = float((expected - single.double()).abs().max())
    return error / (1.0 + float(expected.abs().max()))


def _assert_agree(
    client: Client,
    label: str,
    got: Called,
    expected: Called,
    operation: Operation,
    dtype: torch.dtype,
) -> None:
    assert_output(client, label, got.output, expected.output, operation, dtype)
    if expected.gradients is not None:
        dtype = precision(got.output, dtype)  # noted above; its gradients cannot be more exact
        _assert_gradients(label, got.gradients, expected.gradients, operation.gradients(), dtype)


def assert_output(
    client: Client,
    label: str,
    got: Any,
    expected: Any,
    operation: Operation,
    dtype: torch.dtype = torch.float64,
    values: bool = True,
) -> None:
    """Assert that an output agrees with the expected one; with values=False in kind and shape only.

    Raises Wrong.
    """
    if isinstance(expected, list):
        _assert_list(label, got, expected)
        dtype = _noted(client, got, operation, dtype)
        for i, (part, want) in enumerate(zip(got, expected, strict=True)):
            assert_output(client, f"{label}, result {i}", part, want, operation, dtype, values)
    elif isinstance(expected, Tensor):
        _assert_tensor(label, got, expected, dtype)
        dtype = _noted(client, got, operation, dtype)
        if values:
            assert_same_numbers(label, got, expected, operation, dtype)


def assert_same_shapes(label: str, got: Any, expected: Any, dtype: torch.dtype) -> None:
    """Assert that an output has the expected kind and shape, without a note. Raises Wrong."""
    if isinstance(expected, list):
        _assert_list(label, got, expected)
        for i, (part, want) in enumerate(zip(got, expected, strict=True)):
            assert_same_shapes(f"{label}, result {i}", part, want, dtype)
    elif isinstance(expected, Tensor):
        _assert_tensor(label, got, expected, dtype)


def assert_same_numbers(
    label: str, got: Tensor, expected: Tensor, operation: Operation, dtype: torch.dtype
) -> None:
    """Assert that two tensors of one shape agree within rounding in `dtype`. Raises Wrong."""
    got, expected = got.double(), expected.double()
    if torch.equal(got, expected):  # the usual case; never true with NaN
        return
    apart = ~((got - expected).abs() <= allowed(expected, operation, dtype))  # True for NaN
    if not apart.any():
        return
    broken = int((~got.isfinite()).sum())
    shown = ~got.isfinite() if broken else apart
    position = tuple(shown.nonzero()[0].tolist())
    want, have = numbers_apart(float(expected[position]), float(got[position]))
    where = f"first at {list(position)}: " if position else ""
    if broken:
        many = f"{broken} of {got.numel()} numbers are NaN or infinite"
        raise Wrong("not finite", f"{label}: {many}; {where}expected {want}, got {have}.")
    many = f"{int(apart.sum())} of {got.numel()} numbers differ; " if got.numel() > 1 else ""
    where = where if many else ""
    raise Wrong("wrong values", f"{label}: {many}{where}expected {want}, got {have}.")


def numbers_apart(expected: float, got: float) -> tuple[str, str]:
    """Format two different numbers with four decimals, or with enough digits to tell them apart.

    Both have as many digits, so that neither looks like the other one rounded.
    """
    texts = (f"{expected:.4f}", f"{got:.4f}")
    for digits in range(4, 18):
        if texts[0] != texts[1]:
            break
        texts = (f"{expected:#.{digits}g}".rstrip("."), f"{got:#.{digits}g}".rstrip("."))
    return texts


def described(output: Any) -> str:
    """Describe an output: "None", "a tensor of shape (3, 5)", "a tuple or list of 3", ..."""
    match output:
        case None:
            return "None"
        case Tensor():
            kind = "" if output.is_floating_point() else f" of {output.dtype}"
            return f"a tensor{kind} of shape {tuple(output.shape)}"
        case list():
            return f"a tuple or list of {len(output)}"
    return f"something {output}" if str(output).startswith("of type") else str(output)


def precision(output: Any, dtype: torch.dtype) -> torch.dtype:
    """Return float32 if any part of the output has that type, else `dtype`."""
    if isinstance(output, list):
        parts = [precision(part, dtype) for part in output]
        return torch.float32 if torch.float32 in parts else dtype
    single = isinstance(output, Tensor) and output.dtype is torch.float32
    return torch.float32 if single else dtype


def _noted(client: Client, got: Any, operation: Operation, dtype: torch.dtype) -> torch.dtype:
    """Return the precision of an output; a note says so if it is not `dtype`."""
    found = precision(got, dtype)
    if found is not dtype:
        client.note(RETURNED.format(*_in_float64(operation)))
    return found


def missing_return(output: Any) -> str:
    """Return a question to add to a message about an output; "" if it is not None."""
    return " Is a return missing?" if output is None else ""


def _assert_list(label: str, got: Any, expected: list[Any]) -> None:
    if not isinstance(got, list) or len(got) != len(expected):
        raise _other_kind(label, got, expected)


def _other_kind(label: str, got: Any, expected: Any) -> Wrong:
    text = f"{label}: expected {described(expected)}, got {described(got)}.{missing_return(got)}"
    return Wrong("wrong kind of result", text)


def _assert_tensor(label: str, got: Any, expected: Tensor, dtype: torch.dtype) -> None:
    if not isinstance(got, Tensor):
        raise _other_kind(label, got, expected)
    if got.shape != expected.shape:
        text = f"{label}: expected shape {tuple(expected.shape)}, got {tuple(got.shape)}."
        raise Wrong("wrong shape", text)
    if got.dtype not in (torch.float64, torch.float32):
        raise Wrong("wrong kind of result", f"{label}: expected {dtype}, got {got.dtype}.")


def _assert_gradients(
    label: str,
    got: Gradients | None,
    expected: Gradients,
    operation: Operation,
    dtype: torch.dtype,
) -> None:
    pairs: list[tuple[str, Tensor | None, Tensor | None]] = []
    inputs = got.inputs if got else []
    parameters = got.parameters if got else {}
    for i, gradient in enumerate(expected.inputs):
        pairs.append((f"argument {i}", inputs[i] if i < len(inputs) else None, gradient))
    for name, gradient in expected.parameters.items():
        pairs.append((name, parameters.get(name), gradient))
    for name, ours, theirs in pairs:
        if theirs is None or (ours is None and not theirs.any()):  # none is a gradient of 0
            continue
        if ours is None:
            raise Wrong("no gradient", f"{label}: no gradient reaches {name}.")
        if ours.shape != theirs.shape:
            shapes = f"expected shape {tuple(theirs.shape)}, got {tuple(ours.shape)}"
            raise Wrong("wrong gradient", f"{label}: the gradient of {name}: {shapes}.")
        try:
            assert_same_numbers(f"{label}, gradient of {name}", ours, theirs, operation, dtype)
        except Wrong as wrong:
            raise Wrong("wrong gradient", str(wrong)) from None
