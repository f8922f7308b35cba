"""Watch the operations on tensors: how many, how exact, and whether they stay on one device."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

MAX_ITEMS = 64  # looked at in one tuple or list
PRODUCTS = frozenset(
    {"mm", "bmm", "mv", "dot", "vdot", "addmm", "addmv", "addbmm", "baddbmm", "convolution"}
)
EXPONENTIALS = frozenset(
    {"_softmax", "_log_softmax", "_safe_softmax", "exp", "exp_", "exp2", "expm1", "logsumexp"}
)
POWERS = frozenset(
    {"pow.Scalar", "pow.Tensor_Tensor"}
)  # of a base, e say, with tensors for exponents
MASKING = frozenset(  # operations on numbers that are 0, 1 or infinite, or whose results are bool
    {"ones", "zeros", "ones_like", "zeros_like", "new_ones", "new_zeros", "tril", "triu"}
    | {"eq", "ne", "lt", "le", "gt", "ge", "isinf", "logical_not", "detach", "clone"}
)
INDEXING = frozenset({"index", "index_put", "index_put_", "_index_put_impl_"})


class _Watch(TorchDispatchMode):
    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # PyTorch's own switch: True would import its compiler, for two seconds


class CountOperations(_Watch):
    """Counts operations."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        self.count += 1
        return func(*args, **(kwargs or {}))


class Steps(_Watch):
    """Watches by which operations weights (T, T), T tokens, and a product with them come about.

    products: those whose result is neither such a table nor a number for each of its rows; one
    that is written as a broadcast multiplication counts too. exponential: was one computed?
    cumulative: was a cumulative sum computed of anything but a table?
    """

    def __init__(self, tokens: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.products = 0
        self.exponential = False
        self.cumulative = False
        self._tokens = tokens

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        overload = str(func).removeprefix("aten.")
        name = overload.split(".")[0]
        self.exponential |= name in EXPONENTIALS or overload in POWERS
        sizes = [t.numel() for t in tensors([args]) if t.dim()]
        made = tensors([result])[:1]
        if not made or not sizes:
            return result
        of_the_table = made[0].numel() in (self._tokens, self._tokens**2)
        is_broadcast = name == "mul" and made[0].dim() > 2 and made[0].numel() > max(sizes)
        if (name in PRODUCTS or is_broadcast) and not of_the_table:
            self.products += 1
        self.cumulative |= name.startswith("cumsum") and not of_the_table
        return result


class Rounding(_Watch):
    """Notes whether some operation meets a floating-point tensor of another type than given.

    What only makes a mask rounds nothing: tensors of ones and zeros that are cut and compared.
    """

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.found = False
        self._dtype = dtype

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        met = [t for t in tensors([args, [result]]) if t.is_floating_point()]
        if any(t.dtype is not self._dtype for t in met):
            makes_mask = func.is_view or func.__name__.split(".")[0] in MASKING
            self.found |= not makes_mask or any(t.dtype is self._dtype for t in met)
        return result


class OneDevice(_Watch):
    """Notes and stops operations whose tensors lie on two devices; numbers on the CPU may.

    An operation on meta tensors that is no view is done on zeros of the same shapes, since what
    PyTorch has for meta tensors is mostly written in Python and a hundred times slower.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.mixed: list[str] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        named = kwargs or {}
        if func.is_view or func is torch.ops.aten._unsafe_view.default:  # of a single tensor
            return func(*args, **named)
        given = tensors([*args, *named.values()])
        on_meta = any(t.is_meta for t in given)
        if on_meta and any(t.dim() and not t.is_meta for t in given):
            self._stop_unless_allowed(str(func).removeprefix("aten.").split(".")[0], args)
        device = named.get("device")
        to_meta = device is not None and torch.device(device).type == "meta"
        if not to_meta and (not on_meta or device is not None):
            return func(*args, **named)
        if to_meta:
            named = {**named, "device": "cpu"}
        return _on_meta(func(*_on_cpu(args), **{k: _on_cpu(v) for k, v in named.items()}))

    def _stop_unless_allowed(self, name: str, args: Any) -> None:
        """A GPU copies tensors of the CPU, and takes them as indices of its own."""
        whole = [t for t in args if isinstance(t, Tensor)]  # not in the list of indices
        if name == "copy_" or (name in INDEXING and all(t.is_meta or not t.dim() for t in whole)):
            return
        self.mixed.append(name)
        raise RuntimeError("tensors on two devices")


def _on_cpu(value: Any) -> Any:
    if isinstance(value, Tensor):
        return torch.zeros(value.shape, dtype=value.dtype) if value.is_meta else value
    return [_on_cpu(item) for item in value] if isinstance(value, list | tuple) else value


def _on_meta(value: Any) -> Any:
    if isinstance(value, Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    return type(value)(map(_on_meta, value)) if isinstance(value, list | tuple) else value


def tensors(values: Iterable[Any]) -> list[Tensor]:
    """The tensors among the values and in lists and tuples there."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += tensors(value[:MAX_ITEMS])
    return found
