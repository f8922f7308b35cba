"""Watch operations on tensors: their number, their sizes, their precision and their devices."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import torch
from torch import Tensor, UntypedStorage
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

MAX_ITEMS = 64  # looked at in one tuple or list
PRODUCTS = frozenset(
    {"mm", "bmm", "mv", "dot", "vdot", "addmm", "addmv", "addbmm", "baddbmm", "convolution"}
)
EXPONENTIALS = frozenset(
    {"_softmax", "_log_softmax", "_safe_softmax", "exp", "exp_", "exp2", "expm1", "logsumexp"}
)
POWERS = frozenset({"pow.Scalar", "pow.Tensor_Tensor"})  # the exponent is a tensor
MASKING = frozenset(  # operations on 0, 1 and infinity, or with boolean results
    {"ones", "zeros", "ones_like", "zeros_like", "new_ones", "new_zeros", "tril", "triu"}
    | {"eq", "ne", "lt", "le", "gt", "ge", "isinf", "logical_not", "detach", "clone"}
)
IS_CUDA = Tensor.is_cuda.__get__  # type: ignore[attr-defined]
REFUSES_MIXTURES = "same device"  # in PyTorch's message
INDEXING = frozenset({"index", "index_put", "index_put_", "_index_put_impl_"})


class _Watch(TorchDispatchMode):
    """Watch operations. In inference mode, one that consists of others is seen as its parts."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # PyTorch's own switch: True would import its compiler, which takes 2 s

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        named = kwargs or {}
        if torch.is_inference_mode_enabled():
            with self:
                result = func.decompose(*args, **named)
            if result is not NotImplemented:
                return result
        return self.watched(func, args, named)

    def watched(self, func: Any, args: Any, named: dict[str, Any]) -> Any:
        """Return the result of an operation, of which note is taken."""
        raise NotImplementedError


class CountOperations(_Watch):
    """Count operations."""

    counting: ClassVar[list[CountOperations]] = []

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0

    def __enter__(self) -> CountOperations:
        self.counting.append(self)
        return super().__enter__()  # type: ignore[no-untyped-call]

    def __exit__(self, *raised: Any) -> None:
        self.counting.remove(self)
        super().__exit__(*raised)  # type: ignore[no-untyped-call]

    def watched(self, func: Any, args: Any, named: dict[str, Any]) -> Any:
        self.count += 1
        return func(*args, **named)


@contextlib.contextmanager
def uncounted() -> Iterator[None]:
    """Do not count operations for a while."""
    counts = [(one, one.count) for one in CountOperations.counting]
    yield
    for one, count in counts:
        one.count = count


class NumbersHeld(_Watch):
    """Measure how many numbers the tensors that operations make hold at the same time.

    most: their largest number so far. Tensors that show the same memory hold its numbers once, and
    those that show memory of an argument hold none.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.most = 0
        self._made: dict[StorageWeakRef, int] = {}  # some of it may be free again
        self._numbers = 0  # in all of it

    def watched(self, func: Any, args: Any, named: dict[str, Any]) -> Any:
        given = {_memory(each) for each in tensors([args, *named.values()])}
        result = func(*args, **named)
        for each in tensors([result]):
            memory = _memory(each)
            if memory not in self._made and memory not in given:
                self._made[memory] = each.untyped_storage().nbytes() // each.element_size()
                self._numbers += self._made[memory]
        if self._numbers > self.most:
            self._made = {one: count for one, count in self._made.items() if not one.expired()}
            self._numbers = sum(self._made.values())
            self.most = max(self.most, self._numbers)
        return result


def _memory(tensor: Tensor) -> StorageWeakRef:
    """Return a reference to the memory that a tensor shows. It does not keep the memory."""
    return StorageWeakRef(tensor.untyped_storage())


class AttentionOperations(_Watch):
    """Record which operations compute attention weights (T, T) and apply them, for T tokens.

    products: number of products, including broadcast multiplications, whose result has neither
    T * T nor T numbers. exponential: True if an exponential was computed. cumulative: True if a
    cumulative sum was computed of anything except a (T, T) table or a row of T numbers.
    """

    def __init__(self, tokens: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.products = 0
        self.exponential = False
        self.cumulative = False
        self._tokens = tokens

    def watched(self, func: Any, args: Any, named: dict[str, Any]) -> Any:
        result = func(*args, **named)
        overload = str(func).removeprefix("aten.")
        name = overload.split(".")[0]
        self.exponential |= name in EXPONENTIALS or overload in POWERS
        sizes = [t.numel() for t in tensors([args]) if t.dim()]
        results = tensors([result])[:1]
        if not results or not sizes:
            return result
        count = results[0].numel()
        is_table = count in (self._tokens, self._tokens**2)
        is_broadcast = name == "mul" and results[0].dim() > 2 and count > max(sizes)
        if (name in PRODUCTS or is_broadcast) and not is_table:
            self.products += 1
        self.cumulative |= name.startswith("cumsum") and not is_table
        return result


class Rounding(_Watch):
    """Record whether an operation reads or writes a floating-point tensor of another dtype.

    Operations that only build a mask (slicing and comparing ones and zeros) do not count, because
    they round nothing.
    """

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.found = False
        self._dtype = dtype

    def watched(self, func: Any, args: Any, named: dict[str, Any]) -> Any:
        result = func(*args, **named)
        floats = [t for t in tensors([args, [result]]) if t.is_floating_point()]
        if any(t.dtype is not self._dtype for t in floats):
            results = tensors([result])
            is_mask = bool(results) and all(t.dtype is torch.bool for t in results)
            makes_mask = func.is_view or is_mask or func.__name__.split(".")[0] in MASKING
            self.found |= not makes_mask or any(t.dtype is self._dtype for t in floats)
        return result


class OneDevice(_Watch):
    """Record and stop operations whose tensors are on two devices; CPU scalars are allowed.

    The other device is `meta`, for which PyTorch stores no numbers. They are stored here, so that
    code finds the numbers that it would find on a GPU: one CPU storage for each storage there,
    which its views share.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.mixed: list[str] = []
        # By the address of the storage on the other device, which stays in use meanwhile.
        self._storages: dict[int, tuple[UntypedStorage, UntypedStorage]] = {}

    def watched(self, func: Any, args: Any, named: dict[str, Any]) -> Any:
        is_view = func.is_view or torch.Tag.inplace_view in func.tags
        if is_view or func is torch.ops.aten._unsafe_view.default:  # reads a single tensor
            return func(*args, **named)
        given = tensors([*args, *named.values()])
        on_meta = any(t.is_meta for t in given)
        if on_meta and any(t.dim() and not t.is_meta for t in given):
            self._stop_unless_allowed(_name(func), args)
        device = named.get("device")
        to_meta = device is not None and torch.device(device).type == "meta"
        if (to_meta or on_meta) and named.get("generator") is not None:  # it can be the CPU's only
            self.mixed.append(_name(func))
            raise RuntimeError("a generator on another device")
        if not to_meta and not on_meta:
            return func(*args, **named)
        if to_meta:
            named = {**named, "device": "cpu"}
        found: list[tuple[Tensor, Tensor]] = []
        result = func(
            *self._on_cpu(args, found), **{k: self._on_cpu(v, found) for k, v in named.items()}
        )
        return self._on_meta(result, found) if to_meta or device is None else result

    def _stop_unless_allowed(self, name: str, args: Any) -> None:
        """Raise RuntimeError unless a GPU accepts CPU tensors here: in a copy or as indices."""
        direct = [t for t in args if isinstance(t, Tensor)]  # without the list of indices
        if name == "copy_" or (name in INDEXING and all(t.is_meta or not t.dim() for t in direct)):
            return
        self.mixed.append(name)
        raise RuntimeError("tensors on two devices")

    def _on_cpu(self, value: Any, found: list[tuple[Tensor, Tensor]]) -> Any:
        """Return a value with CPU tensors; add each pair of tensors, on meta and on CPU."""
        if isinstance(value, Tensor):
            if not value.is_meta:
                return value
            found.append((value, self._numbers(value)))
            return found[-1][1]
        if isinstance(value, list | tuple):
            return [self._on_cpu(item, found) for item in value]
        return value

    def _numbers(self, tensor: Tensor) -> Tensor:
        _, storage = self._storages.get(tensor.untyped_storage()._cdata, (None, None))
        if storage is None:  # it was made before this watch, or by code that no watch sees
            return torch.zeros(tensor.shape, dtype=tensor.dtype)
        place = tensor.storage_offset(), tensor.shape, tensor.stride()
        return torch.empty(0, dtype=tensor.dtype).set_(storage, *place)

    def _on_meta(self, value: Any, found: list[tuple[Tensor, Tensor]]) -> Any:
        """Return a result with tensors on meta; what was changed in place is the same tensor."""
        if isinstance(value, Tensor):
            if same := [one for one, numbers in found if numbers is value]:
                return same[0]
            numbers = value.clone() if value.storage_offset() else value
            made = torch.empty_strided(
                numbers.shape, numbers.stride(), dtype=numbers.dtype, device="meta"
            )
            storage = made.untyped_storage()
            self._storages[storage._cdata] = storage, numbers.untyped_storage()
            return made
        if isinstance(value, list | tuple):
            return type(value)(self._on_meta(item, found) for item in value)
        return value


class AsGPU(TorchFunctionMode):
    """Let tensors on the other device of `OneDevice` say that they are on a GPU.

    mixed: gets the names of functions that refuse tensors on two devices before any operation.
    """

    def __init__(self, mixed: list[str]) -> None:
        super().__init__()
        self._mixed = mixed

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func == IS_CUDA:
            return bool(args[0].is_meta or args[0].is_cuda)
        try:
            return func(*args, **(kwargs or {}))
        except RuntimeError as error:
            if REFUSES_MIXTURES in str(error):
                self._mixed.append(func.__name__)
            raise


def tensors(values: Iterable[Any]) -> list[Tensor]:
    """Return the tensors among the values, also those inside lists and tuples."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += tensors(value[:MAX_ITEMS])
    return found


def _name(func: Any) -> str:
    """Return the name of an operation without its namespace and its overload."""
    return str(func).removeprefix("aten.").split(".")[0]
